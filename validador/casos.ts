/** A tabela de estragos: para cada uma das 36 verificações, respostas que um serviço errado daria. */
import {
  acrescentarCru,
  card,
  comoErro,
  comoResult,
  corpo,
  emSse,
  envio,
  ferramenta,
  getTask,
  mcp,
  status,
  tipo,
  tirar,
  trocar,
  trocarEstruturado,
  trocarNoArtifact,
  vazar,
} from './estragos.ts';
import type { Estragar, Estrago, Json, Qual } from './interceptador.ts';

/** Um estrago e as verificações que ele tem de derrubar: a visada e as que leem a mesma resposta. Só elas. */
export interface Caso extends Estrago {
  readonly v: number;
  readonly que: string;
  readonly tambem: readonly number[];
}

/** O que foi feito à resposta, como, e quem cai junto. */
type Linha = readonly [que: string, estragar: Estragar, tambem?: readonly number[]];

/** Os casos de uma verificação numa mesma resposta. */
function verificacao(v: number, em: Qual, vez: number | 'todas', ...linhas: readonly Linha[]): Caso[] {
  return linhas.map(([que, estragar, tambem = []]) => ({ v, em, vez, que, estragar, tambem }));
}

const erroDaFerramenta = (texto: string): Json => ({
  resultType: 'complete',
  isError: true,
  content: [{ type: 'text', text: texto }],
});

const concluida = (estruturado: Json): Json => ({
  resultType: 'complete',
  content: [{ type: 'text', text: JSON.stringify(estruturado) }],
  structuredContent: estruturado,
});

const reserva = (sala: string, de: string, ate: string, responsavel: string): Json => ({
  reserva: 'res-9999',
  reservado: true,
  sala,
  inicio: `2026-11-03T${de}:00-03:00`,
  fim: `2026-11-03T${ate}:00-03:00`,
  responsavel,
  politica: '2026-11-01',
});

const semUltima = (lista: Json): Json => (lista as Json[]).slice(0, -1);
const invertida = (lista: Json): Json => [...(lista as Json[])].reverse();
const minusculas = (texto: Json): Json => String(texto).toLowerCase();
const comSufixo = (texto: Json): Json => `${texto} (sala-x)`;

const METADADOS = 'result.task.metadata';
const emTexto = (valor: Json): string => JSON.stringify(valor);
const emUrl = (texto: string): string => texto.replaceAll('.', '%2E').replaceAll('e', '%65');
const emUnicode = (texto: string): string =>
  [...texto].map((letra) => `\\u${letra.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Estragos que valem para qualquer verificação de -32602 com HTTP 400. */
const recusaDeEnvelope: readonly Linha[] = [
  ['outro código', trocar('error.code', -32022)],
  ['código em texto', trocar('error.code', '-32602')],
  ['HTTP 200', status(200)],
  ['atendido', comoResult(concluida({ salas: [] }))],
];

/** Estragos que valem para qualquer erro de execução com mensagem fixa. */
const mensagemExata: readonly Linha[] = [
  ['outro texto', trocar('result.content.0.text', minusculas)],
  ['texto com sobra', trocar('result.content.0.text', comSufixo)],
  ['sem texto', trocar('result.content', [])],
  ['sem isError', tirar('result.isError')],
  ['resultType errado', trocar('result.resultType', 'input_required')],
  ['erro de protocolo', comoErro(-32602)],
];

const PARAMS = 'result.inputRequests.*.params';
const SALA = `${PARAMS}.requestedSchema.properties.sala`;
const TEXTO_DA_PAUSA = 'result.task.status.message.parts.0.text';

// As respostas que a tabela estraga. Uma constante por resposta: é por ela que se sabe que dois casos estragam a mesma.
const TOOLS_LIST = mcp('tools/list');
const LISTAR = ferramenta('listar_salas', 'protocolVersion', 'clientCapabilities');
const LISTAR_SEM_VERSAO = ferramenta('listar_salas', '"_meta":{"io.modelcontextprotocol/clientCapabilities"');
const LISTAR_SEM_CAPABILITIES = ferramenta(
  'listar_salas',
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo"',
);
const TOOL_INEXISTENTE = ferramenta('tool_inexistente');
const POLITICA = mcp('resources/read', 'politica://uso');
const URI_INEXISTENTE = mcp('resources/read', 'politica://inexistente');
const RESERVAR_INEXISTENTE = ferramenta('reservar_sala', 'sala-inexistente');
const CONSULTAR_JANELA = ferramenta('consultar_disponibilidade', '"inicio":"2026-11-03T07:00');
const CONSULTAR_DURACAO = ferramenta('consultar_disponibilidade', '"fim":"2026-11-03T12:00');
const CONSULTAR_INVERTIDO = ferramenta('consultar_disponibilidade', '"inicio":"2026-11-03T10:00');
const CONFLITO = ferramenta('reservar_sala', '"inicio":"2026-11-03T14:00', '"form":{}', 'traceparent');
const SEM_ELICITATION = ferramenta('reservar_sala', '"io.modelcontextprotocol/clientCapabilities":{}');
const SO_URL = ferramenta('reservar_sala', '"elicitation":{"url":{}}');
const PAUSA_DA_16 = ferramenta('reservar_sala', '"Jennifer"');
const RETRY_DA_16 = ferramenta('reservar_sala', '"Jennifer"', 'inputResponses');
const CONSULTA_DA_16 = ferramenta('consultar_disponibilidade', 'T16:00');
const ADULTERADO = ferramenta('reservar_sala', '"inicio":"2026-11-03T14:00', '"accept"');
const LIVRE_DA_18 = ferramenta('reservar_sala', '"sala":"sala-garagem"', '"Doc"');
const PAUSA_DA_18 = ferramenta('reservar_sala', '"Lorraine"');
const RETRY_DA_18 = ferramenta('reservar_sala', '"Biff"');
const CONSULTA_FUSCA_DA_18 = ferramenta('consultar_disponibilidade', '"sala":"sala-fusca"', 'T18:00');
const CONSULTA_GARAGEM_DA_18 = ferramenta('consultar_disponibilidade', '"sala":"sala-garagem"', 'T18:00');
const DECLINE = ferramenta('reservar_sala', '"decline"');
const MIRANTE = ferramenta('reservar_sala', '"sala":"sala-mirante","inicio"');
const PORAO = envio('sala=sala-porao');
const PAUSAS_DO_PORAO: Qual = (pedido, resposta) =>
  PORAO(pedido, resposta) && resposta.corpo?.includes('alternativas') === true;
const GET_DO_PORAO = getTask('sala-porao');
const GARAGEM = envio('sala=sala-garagem inicio=2026-11-03T14:00');
const ESCOLHA_FORA = envio('escolha=sala-aquario');
const ESCOLHA_FUSCA = envio('escolha=sala-fusca');
const GET_DA_31 = getTask('escolha=sala-aquario');
const GARAGEM_E_MEIA = envio('sala=sala-garagem inicio=2026-11-03T14:30');
const RECUSAR = envio('escolha=recusar');
const CONSULTA_DA_32 = ferramenta('consultar_disponibilidade', 'T14:30');
const FUSCA = envio('sala=sala-fusca');
const GET_DA_FUSCA = getTask('Jennifer');
const GET_DA_GARAGEM = getTask('T14:00', 'INPUT_REQUIRED');
const ESCOLHA_MIRANTE = envio('escolha=sala-mirante');
const INEXISTENTE = envio('sala=sala-inexistente');
const GET_DA_INEXISTENTE = getTask('sala-inexistente');

/** Toda a tabela, na ordem das verificações. */
export const CASOS: readonly Caso[] = [
  ...verificacao(
    1,
    TOOLS_LIST,
    1,
    [
      'falta uma tool',
      trocar('result.tools', (tools) =>
        (tools as { name: string }[]).filter(({ name }) => name !== 'reservar_sala'),
      ),
    ],
    ['erro', comoErro(-32603), [2, 3]],
    ['HTTP 500', status(500), [2, 3]],
    ['corpo que não é JSON', corpo('<html>'), [2, 3]],
    ['corpo vazio', corpo(''), [2, 3]],
    ['conexão derrubada', corpo(undefined), [2, 3]],
    ['id de outro request', trocar('id', 999), [2, 3]],
    ['outro jsonrpc', trocar('jsonrpc', '1.0'), [2, 3]],
    ['result e error', trocar('error', { code: 1, message: 'x' }), [2, 3]],
    ['tools não é lista', trocar('result.tools', 'listar_salas'), [2, 3]],
  ),
  ...verificacao(
    2,
    TOOLS_LIST,
    1,
    ['inputSchema de lista', trocar('result.tools.1.inputSchema.type', 'array')],
    ['sem inputSchema', tirar('result.tools.2.inputSchema')],
    ['inputSchema em texto', trocar('result.tools.0.inputSchema', '{"type":"object"}')],
    ['properties em lista', trocar('result.tools.1.inputSchema.properties', ['sala'])],
    ['propriedade sem esquema', trocar('result.tools.1.inputSchema.properties.sala', 'string')],
    ['required de quem não existe', trocar('result.tools.1.inputSchema.required', ['andar'])],
  ),
  ...verificacao(
    3,
    LISTAR,
    1,
    ['texto com outro JSON', trocar('result.content.0.text', '{"salas":[]}')],
    ['texto que não é JSON', trocar('result.content.0.text', 'cinco salas')],
    ['sem bloco de texto', trocar('result.content', [])],
    ['sem structuredContent', tirar('result.structuredContent')],
    ['isError', trocar('result.isError', true)],
    ['sem resultType', tirar('result.resultType')],
    ['uma sala a menos', trocarEstruturado('salas', [])],
    ['fora do outputSchema', trocarEstruturado('salas.0.capacidade', 'quatro')],
    ['sem campo exigido no outputSchema', trocarEstruturado('salas.0.recursos', undefined)],
  ),
  ...verificacao(3, TOOLS_LIST, 1, ['sem outputSchema', tirar('result.tools.0.outputSchema')]),
  ...verificacao(4, LISTAR_SEM_VERSAO, 1, ...recusaDeEnvelope),
  ...verificacao(4, LISTAR_SEM_VERSAO, 2, [
    'outro código sem o header de versão',
    trocar('error.code', -32022),
  ]),
  ...verificacao(5, LISTAR_SEM_CAPABILITIES, 1, ...recusaDeEnvelope),
  ...verificacao(5, LISTAR_SEM_CAPABILITIES, 2, ['HTTP 200 sem o header de versão', status(200)]),
  ...verificacao(
    6,
    TOOL_INEXISTENTE,
    1,
    ['outro código', comoErro(-32603)],
    ['atendida', comoResult(concluida({}))],
    ['isError false', comoResult({ ...(erroDaFerramenta('x') as object), isError: false })],
  ),
  ...verificacao(
    7,
    POLITICA,
    1,
    ['outra versão', trocar('result.contents.0.text', (texto) => String(texto).replace('11-01', '11-02'))],
    [
      'regra faltando',
      trocar('result.contents.0.text', (texto) => String(texto).replace(/- Duracao.*\n/, '')),
    ],
    ['outro mimeType', trocar('result.contents.0.mimeType', 'text/plain')],
    ['outra uri', trocar('result.contents.0.uri', 'politica://outra')],
    ['sem conteúdo', trocar('result.contents', [])],
    ['erro', comoErro(-32602)],
  ),
  ...verificacao(
    8,
    URI_INEXISTENTE,
    1,
    ['contents vazio', comoResult({ resultType: 'complete', contents: [] })],
    ['outro código', trocar('error.code', -32002)],
  ),
  ...verificacao(9, RESERVAR_INEXISTENTE, 1, ...mensagemExata),
  ...verificacao(10, CONSULTAR_JANELA, 1, ...mensagemExata),
  ...verificacao(11, CONSULTAR_DURACAO, 1, ...mensagemExata),
  ...verificacao(12, CONSULTAR_INVERTIDO, 1, ...mensagemExata),
  ...verificacao(
    13,
    CONFLITO,
    1,
    ['resultType complete', trocar('result.resultType', 'complete'), [14, 17, 19]],
    [
      'reservado sem perguntar',
      comoResult(concluida(reserva('sala-garagem', '14:00', '15:00', 'Marty'))),
      [14, 17, 19],
    ],
    ['sem requestState', tirar('result.requestState'), [14, 17, 19]],
    ['requestState vazio', trocar('result.requestState', ''), [14, 17, 19]],
    ['requestState que não é texto', trocar('result.requestState', { sala: 'sala-garagem' }), [14, 17, 19]],
    ['nenhuma entrada', trocar('result.inputRequests', {}), [14, 17, 19]],
    ['duas entradas', trocar('result.inputRequests.outra', {}), [14, 17, 19]],
  ),
  ...verificacao(
    14,
    CONFLITO,
    1,
    ['mode url', trocar(`${PARAMS}.mode`, 'url')],
    ['sem mode', tirar(`${PARAMS}.mode`)],
    ['sem message', tirar(`${PARAMS}.message`)],
    ['outro método', trocar('result.inputRequests.*.method', 'sampling/createMessage')],
    ['ordem trocada', trocar(`${SALA}.enum`, invertida)],
    ['alternativa a menos', trocar(`${SALA}.enum`, semUltima)],
    ['alternativa a mais', trocar(`${SALA}.enum`, ['sala-fusca', 'sala-mirante', 'sala-porao'])],
    ['sem enum', tirar(`${SALA}.enum`)],
    ['sala que não é texto', trocar(`${SALA}.type`, 'array')],
    ['propriedade a mais', trocar(`${PARAMS}.requestedSchema.properties.andar`, { type: 'string' })],
    ['esquema que não é objeto', trocar(`${PARAMS}.requestedSchema.type`, 'string')],
  ),
  ...verificacao(
    15,
    SEM_ELICITATION,
    1,
    ['outro código', trocar('error.code', -32602)],
    ['HTTP 200', status(200)],
    ['sem data', tirar('error.data')],
    ['sem requiredCapabilities', tirar('error.data.requiredCapabilities')],
    ['elicitation sem form', trocar('error.data.requiredCapabilities', { elicitation: {} })],
    [
      'pergunta assim mesmo',
      comoResult({ resultType: 'input_required', inputRequests: {}, requestState: 'x' }),
    ],
  ),
  ...verificacao(15, SO_URL, 1, ['elicitation só em url conta como form', comoErro(-32602)]),
  ...verificacao(16, PAUSA_DA_16, 1, ['não pergunta', comoErro(-32603)]),
  ...verificacao(
    16,
    RETRY_DA_16,
    1,
    ['pergunta de novo', trocar('result.resultType', 'input_required')],
    ['isError', trocar('result.isError', true)],
    ['reservado false', trocarEstruturado('reservado', false)],
    ['sem reservado', trocarEstruturado('reservado', undefined)],
    ['outra sala', trocarEstruturado('sala', 'sala-fusca')],
    ['outro início', trocarEstruturado('inicio', '2026-11-03T14:00:00-03:00')],
    ['outro fim', trocarEstruturado('fim', '2026-11-03T18:00:00-03:00')],
    ['outro responsável', trocarEstruturado('responsavel', 'Biff')],
    ['sem id da reserva', trocarEstruturado('reserva', '')],
    ['outra política', trocarEstruturado('politica', '2025-01-01')],
    ['só no structuredContent', trocar('result.content.0.text', 'ok')],
  ),
  ...verificacao(16, CONSULTA_DA_16, 1, ['a consulta não vê a reserva', trocarEstruturado('livre', true)]),
  ...verificacao(
    17,
    ADULTERADO,
    1,
    ['aceito', comoResult(concluida(reserva('sala-fusca', '14:00', '15:00', 'Marty')))],
    ['isError', comoResult(erroDaFerramenta('estado invalido'))],
    ['erro interno', trocar('error.code', -32603)],
  ),
  ...verificacao(17, ADULTERADO, 2, [
    'um bit a mais no fim é aceito',
    comoResult(concluida(reserva('sala-fusca', '14:00', '15:00', 'Marty'))),
  ]),
  ...verificacao(18, LIVRE_DA_18, 1, ['a primeira reserva falha', comoErro(-32603)]),
  ...verificacao(18, PAUSA_DA_18, 1, ['não há conflito', comoErro(-32603)]),
  ...verificacao(
    18,
    RETRY_DA_18,
    1,
    ['início trocado vale', comoResult(concluida(reserva('sala-fusca', '18:00', '19:00', 'Lorraine')))],
    ['responsável trocado vale', comoResult(concluida(reserva('sala-fusca', '09:00', '10:00', 'Biff')))],
    ['pergunta de novo', comoResult({ resultType: 'input_required', inputRequests: {}, requestState: 'x' })],
  ),
  ...verificacao(18, CONSULTA_FUSCA_DA_18, 1, [
    'recusa, mas reserva a alternativa no horário trocado',
    trocarEstruturado('livre', false),
  ]),
  ...verificacao(18, CONSULTA_GARAGEM_DA_18, 1, [
    'recusa, mas reserva a sala no horário trocado',
    trocarEstruturado('livre', false),
  ]),
  ...verificacao(
    19,
    DECLINE,
    1,
    ['reservado true', trocarEstruturado('reservado', true)],
    ['sem reservado', trocarEstruturado('reservado', undefined)],
    ['sem motivo', trocarEstruturado('motivo', undefined)],
    ['isError', trocar('result.isError', true)],
    ['resultType errado', trocar('result.resultType', 'input_required')],
    ['erro', comoErro(-32602)],
  ),
  ...verificacao(20, MIRANTE, 1, ['a primeira reserva falha', comoErro(-32603)]),
  ...verificacao(
    20,
    MIRANTE,
    2,
    ...mensagemExata,
    [
      'pergunta sem alternativas',
      comoResult({ resultType: 'input_required', inputRequests: {}, requestState: 'x' }),
    ],
    ['reserva por cima', comoResult(concluida(reserva('sala-mirante', '11:00', '12:00', 'Doc')))],
  ),

  ...verificacao(
    21,
    card,
    1,
    ['404', status(404), [22, 23]],
    ['outro tipo', tipo('text/html'), [22, 23]],
    ['não é JSON', corpo('{'), [22, 23]],
    ['não é objeto', corpo('[]'), [22, 23]],
    ['sem name', tirar('name')],
    ['sem description', tirar('description')],
    ['sem version', tirar('version')],
    ['sem capabilities', tirar('capabilities')],
    ['sem supportedInterfaces', tirar('supportedInterfaces'), [22]],
    ['sem defaultInputModes', tirar('defaultInputModes')],
    ['defaultOutputModes vazio', trocar('defaultOutputModes', [])],
    ['sem skills', tirar('skills'), [23]],
  ),
  ...verificacao(
    22,
    card,
    1,
    ['outro binding', trocar('supportedInterfaces.0.protocolBinding', 'GRPC')],
    ['outra versão', trocar('supportedInterfaces.0.protocolVersion', '0.3')],
    ['URL relativa', trocar('supportedInterfaces.0.url', '/a2a')],
    ['URL de outro caminho', trocar('supportedInterfaces.0.url', 'http://localhost:7300/')],
    ['sem URL', tirar('supportedInterfaces.0.url')],
  ),
  ...verificacao(
    23,
    card,
    1,
    ['outro id', trocar('skills.0.id', 'reservar')],
    ['sem tags', trocar('skills.0.tags', [])],
    ['sem description', tirar('skills.0.description')],
  ),
  ...verificacao(
    24,
    PORAO,
    1,
    ['ainda trabalhando', trocar('result.task.status.state', 'TASK_STATE_WORKING')],
    ['falhou', trocar('result.task.status.state', 'TASK_STATE_FAILED')],
    ['estado da versão 0.3', trocar('result.task.status.state', 'completed')],
    ['sem id', tirar('result.task.id'), [25, 26]],
    ['sem contextId', tirar('result.task.contextId'), [25, 26]],
    ['sem status', tirar('result.task.status'), [25, 26]],
    ['erro', comoErro(-32603), [25, 26]],
    ['id de outro request', trocar('id', '1'), [25, 26]],
  ),
  ...verificacao(
    25,
    PORAO,
    1,
    ['outra política', trocarNoArtifact('result.task', 'politica', '2025-01-01'), [26]],
    ['outra sala', trocarNoArtifact('result.task', 'sala', 'sala-aquario'), [26]],
    ['outro início', trocarNoArtifact('result.task', 'inicio', '2026-11-03T10:00:00-03:00'), [26]],
    ['outro responsável', trocarNoArtifact('result.task', 'responsavel', 'Marty'), [26]],
    ['sem id da reserva', trocarNoArtifact('result.task', 'reserva', ''), [26]],
    ['outro nome', trocar('result.task.artifacts.0.name', 'resultado'), [26]],
    ['nenhum artifact', trocar('result.task.artifacts', []), [26]],
    ['texto que não é JSON', trocar('result.task.artifacts.0.parts.0.text', 'reservado!'), [26]],
  ),
  ...verificacao(
    26,
    GET_DO_PORAO,
    1,
    ['outro id', trocar('result.id', 'outra')],
    ['outro contextId', trocar('result.contextId', 'outro')],
    ['outro estado', trocar('result.status.state', 'TASK_STATE_WORKING')],
    ['sem artifact', tirar('result.artifacts')],
    ['outro artifact', trocarNoArtifact('result', 'reserva', 'res-9999')],
    ['erro', comoErro(-32001)],
  ),
  ...verificacao(
    27,
    GARAGEM,
    1,
    ['concluída sem perguntar', trocar('result.task.status.state', 'TASK_STATE_COMPLETED'), [28]],
    ['ainda trabalhando', trocar('result.task.status.state', 'TASK_STATE_WORKING'), [28]],
    ['erro', comoErro(-32603), [28, 29, 30, 31, 32]],
  ),
  ...verificacao(
    28,
    GARAGEM,
    1,
    ['ordem trocada', trocar(TEXTO_DA_PAUSA, 'alternativas: sala-mirante, sala-fusca')],
    ['com prefixo', trocar(TEXTO_DA_PAUSA, (linha) => `Ocupada. ${linha}`)],
    ['com espaço no fim', trocar(TEXTO_DA_PAUSA, (linha) => `${linha} `)],
    ['sem espaço depois da vírgula', trocar(TEXTO_DA_PAUSA, 'alternativas: sala-fusca,sala-mirante')],
    ['com parte de dados', trocar('result.task.status.message.parts.1', { data: { sala: 'sala-fusca' } })],
    ['mensagem do usuário', trocar('result.task.status.message.role', 'ROLE_USER')],
    ['sem mensagem', tirar('result.task.status.message')],
  ),
  ...verificacao(
    29,
    ESCOLHA_FORA,
    1,
    ['concluída', trocar('result.task.status.state', 'TASK_STATE_COMPLETED')],
    ['outra linha', trocar(TEXTO_DA_PAUSA, 'alternativas: sala-mirante')],
    ['sem a linha', trocar(TEXTO_DA_PAUSA, 'Escolha invalida')],
    ['outra Task', trocar('result.task.id', 'outra')],
    ['erro', comoErro(-32602)],
  ),
  ...verificacao(
    30,
    ESCOLHA_FUSCA,
    1,
    ['ainda pausada', trocar('result.task.status.state', 'TASK_STATE_INPUT_REQUIRED')],
    ['outra sala', trocarNoArtifact('result.task', 'sala', 'sala-mirante')],
    ['outro início', trocarNoArtifact('result.task', 'inicio', '2026-11-03T16:00:00-03:00')],
    ['sem artifact', tirar('result.task.artifacts')],
    ['outra Task', trocar('result.task.id', 'outra')],
    ['outro contexto', trocar('result.task.contextId', 'outro')],
    ['erro', comoErro(-32603)],
  ),
  ...verificacao(
    31,
    ESCOLHA_FUSCA,
    2,
    ['aceita', comoResult({ task: { id: 'x', contextId: 'x', status: { state: 'TASK_STATE_COMPLETED' } } })],
    ['error com code em texto', trocar('error.code', '-32004')],
    ['error sem code', tirar('error.code')],
    ['error sem message', tirar('error.message')],
  ),
  ...verificacao(31, GET_DA_31, 1, [
    'voltou a trabalhar',
    trocar('result.status.state', 'TASK_STATE_WORKING'),
  ]),
  ...verificacao(32, GARAGEM_E_MEIA, 1, [
    'não pausa',
    trocar('result.task.status.state', 'TASK_STATE_COMPLETED'),
  ]),
  ...verificacao(
    32,
    RECUSAR,
    1,
    ['concluída', trocar('result.task.status.state', 'TASK_STATE_COMPLETED')],
    ['rejeitada', trocar('result.task.status.state', 'TASK_STATE_REJECTED')],
    ['com artifact', trocar('result.task.artifacts', [{ name: 'reserva', parts: [{ text: '{}' }] }])],
    ['erro', comoErro(-32603)],
  ),
  ...verificacao(32, CONSULTA_DA_32, 1, ['reservou assim mesmo', trocarEstruturado('livre', false)]),
  ...verificacao(33, FUSCA, 1, [
    'a primeira não pausa',
    trocar('result.task.status.state', 'TASK_STATE_COMPLETED'),
  ]),
  ...verificacao(33, GARAGEM, 2, ['a segunda não pausa', comoErro(-32603)]),
  ...verificacao(33, GET_DA_FUSCA, 1, [
    'a primeira perde a pausa',
    trocar('result.status.state', 'TASK_STATE_FAILED'),
  ]),
  ...verificacao(33, GET_DA_GARAGEM, 1, [
    'a segunda com o texto de outra coisa',
    trocar('result.status.message.parts.0.text', 'oi'),
  ]),
  ...verificacao(
    33,
    ESCOLHA_MIRANTE,
    1,
    ['com o início da outra', trocarNoArtifact('result.task', 'inicio', '2026-11-03T14:00:00-03:00')],
    ['com o responsável da outra', trocarNoArtifact('result.task', 'responsavel', 'Marty')],
    ['falhou', trocar('result.task.status.state', 'TASK_STATE_FAILED')],
    ['resposta da outra Task', trocar('result.task.id', 'outra')],
  ),
  ...verificacao(33, ESCOLHA_MIRANTE, 'todas', [
    'a mesma reserva nas duas',
    trocarNoArtifact('result.task', 'reserva', 'res-0007'),
  ]),
  ...verificacao(33, ESCOLHA_MIRANTE, 2, [
    'a segunda falha',
    trocar('result.task.status.state', 'TASK_STATE_FAILED'),
  ]),
  ...verificacao(34, ferramenta('reservar_sala'), 'todas', [
    'nenhum requestState para procurar',
    (resposta) => {
      resposta.corpo = resposta.corpo?.replaceAll('requestState', 'outroNome');
    },
    [13, 14, 16, 17, 18, 19],
  ]),
  ...verificacao(34, ({ servico }) => servico === 'agente', 'todas', [
    'nenhuma pausa em que guardar um requestState',
    (resposta) => {
      resposta.corpo = resposta.corpo?.replaceAll('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING');
    },
    [27, 28, 29, 32, 33, 36],
  ]),
  ...verificacao(
    34,
    GARAGEM,
    1,
    ['nos metadados', vazar((token) => trocar(METADADOS, { token }))],
    ['em JSON dentro de texto', vazar((token) => trocar(METADADOS, { json: emTexto(emTexto({ token })) }))],
    ['em escapes de unicode', vazar((token) => acrescentarCru(`"${emUnicode(token)}"`))],
    [
      'em escapes de unicode dentro de texto',
      vazar((token) => acrescentarCru(emTexto(`"${emUnicode(token)}"`))),
    ],
    ['em escapes de URL', vazar((token) => trocar(METADADOS, { url: `http://x/?s=${emUrl(token)}` }))],
    ['em base64', vazar((token) => trocar(METADADOS, { raw: btoa(token) }))],
    ['pela metade', vazar((token) => trocar(METADADOS, { token: token.slice(0, token.length / 2) }))],
    ['o nome requestState, com outro valor', trocar(METADADOS, { requestState: 'x' })],
    ['o nome request_state', trocar(METADADOS, { request_state: null })],
    [
      'o nome requestState dentro de texto',
      trocar(METADADOS, { json: emTexto(emTexto({ requestState: 1 })) }),
    ],
  ),
  ...verificacao(34, card, 1, ['o nome requestState no card', trocar('capabilities.requestState', true)]),
  ...verificacao(34, ESCOLHA_FORA, 1, [
    'num header',
    vazar((token) => (resposta) => {
      resposta.headers['x-estado'] = token;
    }),
  ]),
  ...verificacao(
    34,
    ESCOLHA_FUSCA,
    1,
    ['no histórico', vazar((token) => trocar('result.task.history.0.metadata', { token }))],
    ['na mensagem', vazar((token) => trocar(TEXTO_DA_PAUSA, (texto) => `${texto} [${token}]`))],
    ['no artifact', vazar((token) => trocarNoArtifact('result.task', 'estado', token))],
  ),
  ...verificacao(34, ESCOLHA_FUSCA, 2, ['num erro', vazar((token) => trocar('error.data', [token]))]),
  ...verificacao(34, GET_DA_FUSCA, 1, [
    'só no GetTask',
    vazar((token) => trocar('result.metadata', { token })),
  ]),
  ...verificacao(
    35,
    INEXISTENTE,
    1,
    ['outro texto', trocar(TEXTO_DA_PAUSA, minusculas)],
    ['texto com sobra', trocar(TEXTO_DA_PAUSA, comSufixo)],
    ['concluída', trocar('result.task.status.state', 'TASK_STATE_COMPLETED')],
    ['rejeitada', trocar('result.task.status.state', 'TASK_STATE_REJECTED')],
    ['sem mensagem no status', tirar('result.task.status.message')],
    ['erro', comoErro(-32603)],
  ),
  ...verificacao(
    35,
    GET_DA_INEXISTENTE,
    1,
    ['sem o texto no histórico', trocar('result.history', semUltima)],
    ['sem histórico', tirar('result.history')],
  ),
  ...verificacao(
    36,
    PAUSAS_DO_PORAO,
    'todas',
    ['o mesmo começo errado nas duas', trocar(TEXTO_DA_PAUSA, (linha) => `Ocupada. ${linha}`)],
    ['nenhuma alternativa nas duas', trocar(TEXTO_DA_PAUSA, 'alternativas: ')],
    ['as duas concluídas', trocar('result.task.status.state', 'TASK_STATE_COMPLETED')],
  ),
  ...verificacao(
    36,
    PORAO,
    3,
    ['um espaço de diferença', trocar(TEXTO_DA_PAUSA, (linha) => `${linha} `)],
    [
      'outra ordem',
      trocar(
        TEXTO_DA_PAUSA,
        (linha) => `alternativas: ${String(linha).slice(14).split(', ').reverse().join(', ')}`,
      ),
    ],
    ['mesmo texto, mas concluída', trocar('result.task.status.state', 'TASK_STATE_COMPLETED')],
  ),
];

/**
 * Reparte os casos em rodadas do validador: a primeira de cada verificação estraga uma resposta só; as outras juntam
 * casos que não estragam a mesma resposta nem derrubam a mesma verificação. Rodar uma a uma levaria minutos.
 */
export function emRodadas(casos: readonly Caso[]): readonly (readonly Caso[])[] {
  const sozinhos = casos.filter((caso, indice) => casos.findIndex(({ v }) => v === caso.v) === indice);
  const juntos: Caso[][] = [];
  for (const caso of casos.filter((outro) => !sozinhos.includes(outro))) {
    const rodada = juntos.find((outros) => outros.every((outro) => independentes(outro, caso)));
    if (rodada) rodada.push(caso);
    else juntos.push([caso]);
  }
  return [...sozinhos.map((caso) => [caso]), ...juntos];
}

/** As verificações que um caso tem de derrubar, em ordem. */
export function derrubadas(...casos: readonly Caso[]): readonly number[] {
  return casos.flatMap(({ v, tambem }) => [v, ...tambem]).sort((a, b) => a - b);
}

function independentes(um: Caso, outro: Caso): boolean {
  // A 34 lê todas as respostas do agente: qualquer outro estrago pode impedir a que ela precisa.
  if (um.v === 34 || outro.v === 34) return false;
  const mesmaResposta = um.em === outro.em && um.vez === outro.vez;
  return !mesmaResposta && !derrubadas(um).some((numero) => derrubadas(outro).includes(numero));
}

/** O que muda mas continua certo: o validador não pode reprovar nada. */
export const ACEITOS: readonly (Estrago & { readonly que: string })[] = [
  {
    que: 'o servidor MCP responde em SSE',
    em: ({ servico }) => servico === 'mcp',
    vez: 'todas',
    estragar: emSse,
  },
  {
    que: 'SendMessage devolve a Task no próprio result',
    em: envio(''),
    vez: 'todas',
    estragar: (resposta, estado) => {
      if (resposta.corpo?.includes('"task":'))
        trocar('result', (result) => (result as { task: Json }).task)(resposta, estado);
    },
  },
  {
    que: 'GetTask devolve a Task em result.task',
    em: getTask(),
    vez: 'todas',
    estragar: trocar('result', (task) => ({ task })),
  },
  {
    que: 'o SDK põe um prefixo no erro da tool',
    em: RESERVAR_INEXISTENTE,
    estragar: trocar('result.content.0.text', (texto) => `Error executing tool reservar_sala: ${texto}`),
  },
  {
    que: 'tool inexistente é isError',
    em: TOOL_INEXISTENTE,
    estragar: comoResult(erroDaFerramenta('Unknown tool')),
  },
  {
    que: 'no retry com outros argumentos valem os selados',
    em: RETRY_DA_18,
    estragar: comoResult(concluida(reserva('sala-fusca', '09:00', '10:00', 'Lorraine'))),
  },
  {
    que: 'no retry com outros argumentos vem isError',
    em: RETRY_DA_18,
    estragar: comoResult(erroDaFerramenta('argumentos diferentes')),
  },
  {
    que: 'o erro de envelope vem com id null',
    em: LISTAR_SEM_VERSAO,
    estragar: trocar('id', null),
  },
];

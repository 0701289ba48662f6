/** A página que a lição pede de um agente novo: o card, as skills, os endpoints, os estados e a assinatura. */
import { type AgentCard, CAMINHO_DO_CARD } from '../../agente/a2a/card.ts';
import { type TaskState, terminal } from '../../agente/a2a/modelo.ts';
import { VERSAO_DA_A2A } from '../../agente/a2a/versao.ts';
import type { PlanoAceito } from './plano.ts';

/** O card do agente planejado, ainda sem `signatures`. */
export function cardDoPlano({
  nome,
  descricao,
  versao,
  url,
  bindings,
  streaming,
  skills,
}: PlanoAceito): AgentCard {
  const base = url.replace(/\/+$/, '');
  const juntos = (modos: readonly (readonly string[])[]): readonly string[] =>
    Array.from(new Set(modos.flat()));
  return {
    name: nome,
    description: descricao,
    version: versao,
    supportedInterfaces: bindings.map((protocolBinding) => ({
      url: protocolBinding === 'JSONRPC' ? `${base}/a2a` : base,
      protocolBinding,
      protocolVersion: VERSAO_DA_A2A,
    })),
    capabilities: { streaming, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: juntos(skills.map(({ entrada }) => entrada)),
    defaultOutputModes: juntos(skills.map(({ saida }) => saida)),
    skills: skills.map(({ id, nome: name, descricao: description, tags, entrada, saida }) => ({
      id,
      name,
      description,
      tags,
      inputModes: entrada,
      outputModes: saida,
    })),
  };
}

/** A especificação, em Markdown. */
export function especificar(plano: PlanoAceito): string {
  const card = cardDoPlano(plano);
  return `# ${plano.nome}: especificação do agente A2A

${plano.descricao}

## Card

Publicado em \`${new URL(plano.url).origin}${CAMINHO_DO_CARD}\`.

\`\`\`json
${JSON.stringify(card, null, 2)}
\`\`\`

## Skills

| id | o que faz | entrada | saída |
|---|---|---|---|
${plano.skills.map(({ id, descricao, entrada, saida }) => `| \`${id}\` | ${descricao} | ${entrada.join(', ')} | ${saida.join(', ')} |`).join('\n')}

## Endpoints

| binding | URL | operações |
|---|---|---|
${card.supportedInterfaces.map(({ protocolBinding, url }) => `| ${protocolBinding} ${VERSAO_DA_A2A} | ${url} | ${operacoes(protocolBinding, plano.streaming)} |`).join('\n')}

## Estados

| estado | quando |
|---|---|
${estadosDe(plano)
  .map(([estado, quando]) => `| \`${estado}\` | ${quando} |`)
  .join('\n')}

\`\`\`mermaid
stateDiagram-v2
${transicoes(estadosDe(plano).map(([estado]) => estado)).join('\n')}
\`\`\`

## Assinatura

1. Tirar \`signatures\` e os valores padrão do card, e escrever o resto na forma canônica (RFC 8785).
2. Assinar com a chave privada (${plano.assinatura.alg}): JWS (RFC 7515) com \`{"alg":"${plano.assinatura.alg}","kid":"${plano.assinatura.kid}","typ":"JOSE","jku":"${plano.assinatura.jku}"}\`.
3. Publicar a chave pública em ${plano.assinatura.jku}, e a nova ao lado da antiga quando trocar.
4. Quem lê o card confere com a chave publicada, só com ${plano.assinatura.alg}, e recusa o que não confere.
`;
}

/** O nome de cada operação no fio (spec §5.3). */
function operacoes(binding: string, streaming: boolean): string {
  const nomes =
    binding === 'JSONRPC'
      ? [
          'SendMessage',
          'GetTask',
          'ListTasks',
          'CancelTask',
          ...(streaming ? ['SendStreamingMessage', 'SubscribeToTask'] : []),
        ]
      : [
          'POST /message:send',
          'GET /tasks/{id}',
          'GET /tasks',
          'POST /tasks/{id}:cancel',
          ...(streaming ? ['POST /message:stream', 'GET /tasks/{id}:subscribe'] : []),
        ];
  return nomes.map((nome) => `\`${nome}\``).join(', ');
}

/** Os estados do plano e os dois por que toda Task passa, na ordem do ciclo. */
function estadosDe({ estados }: PlanoAceito): readonly (readonly [TaskState, string])[] {
  const { TASK_STATE_SUBMITTED, TASK_STATE_WORKING, ...outros } = estados;
  return [
    ['TASK_STATE_SUBMITTED', TASK_STATE_SUBMITTED ?? 'a Task foi aberta'],
    ['TASK_STATE_WORKING', TASK_STATE_WORKING ?? 'o agente trabalha'],
    ...(Object.entries(outros) as [TaskState, string][]),
  ];
}

function transicoes(estados: readonly TaskState[]): readonly string[] {
  const curto = (estado: TaskState): string => estado.replace('TASK_STATE_', '');
  return estados.flatMap((estado) => {
    if (estado === 'TASK_STATE_SUBMITTED') return ['  [*] --> SUBMITTED'];
    if (estado === 'TASK_STATE_WORKING') return ['  SUBMITTED --> WORKING'];
    if (estado === 'TASK_STATE_REJECTED') return ['  SUBMITTED --> REJECTED', '  REJECTED --> [*]'];
    if (terminal(estado)) return [`  WORKING --> ${curto(estado)}`, `  ${curto(estado)} --> [*]`];
    return [`  WORKING --> ${curto(estado)}`, `  ${curto(estado)} --> WORKING: outra mensagem na mesma Task`];
  });
}

/**
 * Um formulário de elicitation (MCP 2026-07-28, client/elicitation): como se lê, e se uma resposta cabe nele.
 * O esquema é sempre plano: um objeto de campos simples.
 */
import {
  type ElicitRequestFormParams,
  isSpecType,
  type JsonSchemaType,
  type LegacyTitledEnumSchema,
  type NumberSchema,
  type PrimitiveSchemaDefinition,
  type StringSchema,
} from '@modelcontextprotocol/client';
// O outro validador do SDK compila o esquema em código, o que nem todo runtime permite.
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';

export type Formulario = ElicitRequestFormParams;

/** O que impede uma resposta de servir. Sem `campo`, o problema é da resposta inteira. */
export interface Problema {
  readonly campo?: string;
  readonly motivo: string;
}

const validador = new CfWorkerJsonSchemaValidator();

/** Um `elicitation/create` em modo formulário, ou nada. */
export function lerFormulario(params: unknown): Formulario | undefined {
  return isSpecType.ElicitRequestFormParams(params) ? params : undefined;
}

/**
 * Se uma resposta a este formulário poderia ser conferida: descobre-se antes de perguntar, porque depois a pausa já
 * seria de quem respondeu.
 */
export function sabeConferir({ requestedSchema }: Formulario): boolean {
  const { properties, required = [] } = requestedSchema;
  // `__proto__` não atravessa os leitores de JSON como um campo comum.
  if (Object.hasOwn(properties, '__proto__') || !required.every((campo) => Object.hasOwn(properties, campo)))
    return false;
  try {
    // Um `pattern` que não compila, ou um `$ref` que não existe, só aparece ao conferir um valor.
    for (const esquema of Object.values(properties)) for (const valor of ['', ['']]) validar(esquema, valor);
    validar(requestedSchema, Object.create(null));
    return true;
  } catch {
    return false;
  }
}

/** Uma linha por campo, para uma pessoa ler. */
export function descreverCampos({ requestedSchema }: Formulario): readonly string[] {
  const obrigatorios = requestedSchema.required ?? [];
  return Object.entries(requestedSchema.properties).map(([campo, esquema]) => {
    const detalhes = [
      obrigatorios.includes(campo) ? 'obrigatório' : 'opcional',
      descreverTipo(esquema),
      esquema.default === undefined ? '' : `se faltar: ${JSON.stringify(esquema.default)}`,
    ];
    const titulo = [esquema.title, esquema.description].filter(Boolean).join(', ');
    return `${campo} (${detalhes.filter(Boolean).join('; ')})${titulo && `: ${titulo}`}`;
  });
}

/** Preenche com o `default` do esquema os campos que faltam. */
export function comPadroes(
  content: Readonly<Record<string, unknown>>,
  { requestedSchema }: Formulario,
): Record<string, unknown> {
  const padroes = Object.entries(requestedSchema.properties).flatMap(([campo, esquema]) =>
    esquema.default === undefined ? [] : [[campo, esquema.default]],
  );
  return { ...Object.fromEntries(padroes), ...content };
}

/**
 * Confere uma resposta contra o esquema inteiro, e só se ela não couber procura em que campos.
 * @returns nada, se ela serve.
 */
export function conferir(
  content: Readonly<Record<string, unknown>>,
  { requestedSchema }: Formulario,
): readonly Problema[] {
  // Um campo que não foi pedido é quase sempre o nome errado de um que foi.
  const esquemaFechado = { ...requestedSchema, additionalProperties: false };
  // Sem protótipo: um campo chamado `toString` só está na resposta se alguém o mandou.
  const geral = validar(esquemaFechado, Object.assign(Object.create(null), content));
  if (geral === undefined) return [];
  const campos = new Set([...Object.keys(requestedSchema.properties), ...Object.keys(content)]);
  const problemas = Array.from(campos).flatMap((campo): Problema[] => {
    const esquema = Object.hasOwn(requestedSchema.properties, campo)
      ? requestedSchema.properties[campo]
      : undefined;
    if (!esquema) return [{ campo, motivo: 'não foi pedido' }];
    if (!Object.hasOwn(content, campo) || content[campo] === undefined)
      return requestedSchema.required?.includes(campo) ? [{ campo, motivo: 'falta' }] : [];
    const motivo = validar(esquema, content[campo]);
    return motivo === undefined ? [] : [{ campo, motivo: `não cabe no esquema (${motivo})` }];
  });
  return problemas.length > 0 ? problemas : [{ motivo: `não cabe no esquema (${geral})` }];
}

function validar(esquema: object, valor: unknown): string | undefined {
  const { valid, errorMessage } = validador.getValidator(esquema as JsonSchemaType)(valor);
  return valid ? undefined : errorMessage.replace(/^#: /, '');
}

function descreverTipo(esquema: PrimitiveSchemaDefinition): string {
  const opcoes = listarOpcoes(esquema);
  if (esquema.type === 'array') {
    const quantos = limites(esquema.minItems, esquema.maxItems);
    return `lista${quantos && ` (${quantos})`} de: ${opcoes?.join(', ')}`;
  }
  if (opcoes) return `uma de: ${opcoes.join(', ')}`;
  if (esquema.type === 'boolean') return 'true ou false';
  if (esquema.type === 'string') {
    const { format, minLength, maxLength } = esquema as StringSchema;
    return ['texto', format, limites(minLength, maxLength, ' caracteres')].filter(Boolean).join(' ');
  }
  const { type, minimum, maximum } = esquema as NumberSchema;
  return [type === 'integer' ? 'número inteiro' : 'número', limites(minimum, maximum)]
    .filter(Boolean)
    .join(' ');
}

/** As escolhas possíveis, com o título entre parênteses se houver um. */
function listarOpcoes(esquema: PrimitiveSchemaDefinition): readonly string[] | undefined {
  const lista = esquema.type === 'array' ? esquema.items : esquema;
  const tituladas = 'oneOf' in lista ? lista.oneOf : 'anyOf' in lista ? lista.anyOf : undefined;
  if (tituladas) return tituladas.map(({ const: valor, title }) => `${valor} (${title})`);
  if (!('enum' in lista)) return undefined;
  const nomes = (lista as LegacyTitledEnumSchema).enumNames;
  return lista.enum.map((valor, i) => (nomes?.[i] ? `${valor} (${nomes[i]})` : valor));
}

function limites(minimo: number | undefined, maximo: number | undefined, unidade = ''): string {
  if (minimo !== undefined && maximo !== undefined) return `de ${minimo} a ${maximo}${unidade}`;
  if (minimo !== undefined) return `no mínimo ${minimo}${unidade}`;
  return maximo === undefined ? '' : `no máximo ${maximo}${unidade}`;
}

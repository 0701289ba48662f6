/**
 * O modelo de dados da A2A 1.0 (`specification/a2a.proto`, spec §4), como chega e como sai em JSON.
 *
 * Entrada segue as regras do ProtoJSON: aceita `snake_case` além de `camelCase`, ignora campos desconhecidos,
 * trata `null` e texto vazio como ausência, e lê enum e inteiro também na forma alternativa.
 * Saída é sempre `camelCase` com o nome do enum.
 */
import * as z from 'zod';

/** Os estados de uma Task, na ordem do proto (a posição é o número do enum). */
export const TASK_STATES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;
const ROLES = ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'] as const;

export type TaskState = (typeof TASK_STATES)[number];
export type Role = (typeof ROLES)[number];

/** Estado definitivo: a Task não aceita mais mensagens nem muda (spec §3.1.1). */
export function terminal(estado: TaskState): boolean {
  return (
    estado === 'TASK_STATE_COMPLETED' ||
    estado === 'TASK_STATE_FAILED' ||
    estado === 'TASK_STATE_CANCELED' ||
    estado === 'TASK_STATE_REJECTED'
  );
}

/** Estado interrompido: a Task espera o cliente (spec §3.2.2). */
export function interrompido(estado: TaskState): boolean {
  return estado === 'TASK_STATE_INPUT_REQUIRED' || estado === 'TASK_STATE_AUTH_REQUIRED';
}

/** Conteúdo livre em JSON: `metadata` e o `data` de uma Part. */
export type Struct = Readonly<Record<string, unknown>>;

/** Um pedaço de conteúdo: exatamente um entre `text`, `raw` (base64), `url` e `data` (spec §4.1.6). */
export interface Part {
  readonly text?: string | undefined;
  readonly raw?: string | undefined;
  readonly url?: string | undefined;
  readonly data?: unknown;
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
  readonly metadata?: Struct | undefined;
}

/** Uma mensagem entre cliente e agente (spec §4.1.4). */
export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  readonly metadata?: Struct | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
}

/** O estado corrente de uma Task; `timestamp` em ISO 8601 UTC com milissegundos (spec §4.1.2, §5.6.1). */
export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  readonly timestamp: string;
}

/** Um produto da Task (spec §4.1.7). */
export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
  readonly metadata?: Struct;
}

/** A unidade de trabalho (spec §4.1.1). Nunca é alterada: cada mudança cria outra. */
export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts: readonly Artifact[];
  readonly history: readonly Message[];
  readonly metadata?: Struct;
}

/** Um evento de stream (spec §3.2.3): exatamente um dos campos. */
export type StreamResponse =
  | { readonly task: Task }
  | { readonly message: Message }
  | {
      readonly statusUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly status: TaskStatus;
      };
    }
  | {
      readonly artifactUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly artifact: Artifact;
        readonly append?: boolean;
        readonly lastChunk?: boolean;
      };
    };

const textoOpcional = z
  .string()
  .optional()
  .transform((texto) => texto || undefined);
const textoObrigatorio = z.string().min(1, 'não pode faltar nem ser vazio');
// Qualquer objeto, como veio: o zod tiraria dele uma chave chamada `__proto__`.
const struct = z.custom<Struct>(
  (valor) => typeof valor === 'object' && valor !== null && !Array.isArray(valor),
  'deve ser um objeto',
);
const inteiro = z.preprocess(
  (valor) => (typeof valor === 'string' && /^-?\d{1,10}$/.test(valor) ? Number(valor) : valor),
  z.int32(),
);
const historyLength = inteiro.refine((n) => n >= 0, 'não pode ser negativo').optional();

const part = mensagemProto({
  text: z.string().optional(),
  raw: z
    .string()
    .regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'deve ser base64')
    .optional(),
  url: z.string().optional(),
  data: z.unknown().optional(),
  mediaType: textoOpcional,
  filename: textoOpcional,
  metadata: struct.optional(),
}).superRefine((valor, contexto) => {
  const conteudos = (['text', 'raw', 'url', 'data'] as const).filter((campo) => valor[campo] !== undefined);
  if (conteudos.length !== 1) {
    contexto.addIssue({ code: 'custom', message: 'deve ter exatamente um entre text, raw, url e data' });
  }
});

const message = mensagemProto({
  messageId: textoObrigatorio,
  role: enumProto(ROLES).refine(
    (role) => role === 'ROLE_USER',
    'deve ser ROLE_USER numa mensagem do cliente',
  ),
  parts: z.array(part).min(1, 'deve ter ao menos uma Part'),
  taskId: textoOpcional,
  contextId: textoOpcional,
  metadata: struct.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
});

/** `SendMessageRequest` (spec §3.2.1), dos dois métodos de envio. */
export const SendMessageRequest = mensagemProto({
  message,
  configuration: mensagemProto({
    acceptedOutputModes: z.array(z.string()).optional(),
    historyLength,
    returnImmediately: z.boolean().optional(),
    taskPushNotificationConfig: z.unknown().optional(),
  }).optional(),
  metadata: struct.optional(),
});
export type SendMessageRequest = z.output<typeof SendMessageRequest>;

/** `GetTaskRequest` (spec §3.1.3). */
export const GetTaskRequest = mensagemProto({ id: textoObrigatorio, historyLength });
/** `CancelTaskRequest` (spec §3.1.5). */
export const CancelTaskRequest = mensagemProto({ id: textoObrigatorio, metadata: struct.optional() });
/** `SubscribeToTaskRequest` (spec §3.1.6). */
export const SubscribeToTaskRequest = mensagemProto({ id: textoObrigatorio });

/** `ListTasksRequest` (spec §3.1.4). */
export const ListTasksRequest = mensagemProto({
  contextId: textoOpcional,
  status: enumProto(TASK_STATES)
    .optional()
    .transform((estado) => (estado === 'TASK_STATE_UNSPECIFIED' ? undefined : estado)),
  pageSize: inteiro.refine((n) => n >= 1 && n <= 100, 'deve ficar entre 1 e 100').default(50),
  pageToken: textoOpcional,
  historyLength,
  statusTimestampAfter: z.iso
    .datetime({ offset: true, error: 'deve ser um instante ISO 8601' })
    .optional()
    .transform((texto) => (texto === undefined ? undefined : emMilissegundos(texto))),
  includeArtifacts: z.boolean().default(false),
});
export type ListTasksRequest = z.output<typeof ListTasksRequest>;

/** Um objeto do proto: lê só os campos declarados, em qualquer das duas grafias, e descarta `null`. */
function mensagemProto<Campos extends z.ZodRawShape>(campos: Campos) {
  const grafias = Object.keys(campos).map((campo) => [campo, emSnakeCase(campo)] as const);
  return z.preprocess((valor) => {
    if (typeof valor !== 'object' || valor === null || Array.isArray(valor)) return valor;
    const lido: Record<string, unknown> = {};
    for (const [campo, alternativa] of grafias) {
      const chave = Object.hasOwn(valor, campo) ? campo : alternativa;
      const conteudo = Object.hasOwn(valor, chave) ? (valor as Record<string, unknown>)[chave] : undefined;
      // `data: null` é um valor de verdade (google.protobuf.Value); nos outros campos null é ausência.
      if (conteudo !== undefined && (conteudo !== null || campo === 'data')) lido[campo] = conteudo;
    }
    return lido;
  }, z.object(campos));
}

function enumProto<const Nomes extends readonly [string, ...string[]]>(nomes: Nomes) {
  return z.preprocess(
    (valor) => (typeof valor === 'number' ? (nomes[valor] ?? valor) : valor),
    z.enum(nomes),
  );
}

/** Arredonda para cima: um estado de antes da fração de milissegundo pedida não é posterior a ela. */
function emMilissegundos(instante: string): number {
  return Date.parse(instante) + (/\.\d{3}\d*[1-9]/.test(instante) ? 1 : 0);
}

function emSnakeCase(campo: string): string {
  return campo.replace(/[A-Z]/g, (letra) => `_${letra.toLowerCase()}`);
}

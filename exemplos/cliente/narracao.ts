/** Conta uma conversa A2A em linhas de texto: quem a lê vê o que foi pelo fio, e só isso. */
import type { Artifact, Part, StreamResponse, Task, TaskStatus } from '../../agente/a2a/modelo.ts';
import type { ClienteA2A } from './cliente-a2a.ts';

/** Para onde vai cada linha, sem quebra no fim. */
export type Narrar = (linha: string) => void;

const LARGURA = 10;

/** Uma linha com rótulo: `estado    TASK_STATE_WORKING`. Um texto de várias linhas fica alinhado. */
export function linha(rotulo: string, texto: string): string {
  return `${rotulo.padEnd(LARGURA)}${texto.trimEnd().replace(/\n(?!\n)/g, `\n${' '.repeat(LARGURA)}`)}`;
}

/** O tipo de uma Part é o nome do campo de conteúdo que ela traz; não há `kind` (spec §4.1.6). */
export function descreverPart({ text, raw, url, data, filename, mediaType }: Part): string {
  const midia = mediaType ? ` (${mediaType})` : '';
  if (text !== undefined) return `text${midia}: ${text}`;
  if (raw !== undefined) return `raw${midia}: ${filename ?? 'sem nome'}, ${atob(raw).length} bytes`;
  if (url !== undefined) return `url${midia}: ${url}`;
  return `data${midia}: ${JSON.stringify(data)}`;
}

/** Quem é o agente e o que ele sabe fazer, segundo o card. */
export function narrarCard(
  { card, interface: { url, protocolBinding, protocolVersion } }: ClienteA2A,
  narrar: Narrar,
): void {
  narrar(linha('card', `${card.name} ${card.version}, ${protocolBinding} ${protocolVersion} em ${url}`));
  for (const { id, description, inputModes, outputModes } of card.skills) {
    const entrada = inputModes ?? card.defaultInputModes;
    const saida = outputModes ?? card.defaultOutputModes;
    narrar(linha('skill', `${id}: ${description}\n${entrada.join(', ')} -> ${saida.join(', ')}`));
  }
}

/** O que se manda ao agente. */
export function narrarEnvio(parts: readonly Part[], narrar: Narrar): void {
  for (const part of parts) narrar(linha('envio', descreverPart(part)));
}

/** Um estado, e a mensagem do agente que o acompanha. */
export function narrarEstado({ state, message }: TaskStatus, narrar: Narrar): void {
  narrar(linha('estado', state));
  for (const part of message?.parts ?? []) narrar(linha('', descreverPart(part)));
}

/** Um produto, inteiro ou um pedaço dele. */
export function narrarArtifact(
  { name, parts }: Pick<Artifact, 'name' | 'parts'>,
  narrar: Narrar,
  nota = '',
): void {
  narrar(linha('artifact', `${name ?? 'sem nome'}${nota}`));
  for (const part of parts) narrar(linha('', descreverPart(part)));
}

/** Uma Task como está agora. */
export function narrarTask({ id, status, artifacts }: Task, narrar: Narrar): void {
  narrar(linha('task', id));
  narrarEstado(status, narrar);
  for (const artifact of artifacts ?? []) narrarArtifact(artifact, narrar);
}

/** Um evento de stream. */
export function narrarEvento(evento: StreamResponse, narrar: Narrar): void {
  if ('task' in evento) {
    narrar(linha('task', evento.task.id));
    narrarEstado(evento.task.status, narrar);
  } else if ('statusUpdate' in evento) narrarEstado(evento.statusUpdate.status, narrar);
  else if ('artifactUpdate' in evento) {
    const { artifact, append = false, lastChunk = false } = evento.artifactUpdate;
    narrarArtifact(artifact, narrar, `, append=${append} lastChunk=${lastChunk}`);
  }
}

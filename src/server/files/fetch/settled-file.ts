import { setTimeout as sleep } from 'node:timers/promises'

import { FileError } from '../file-error'
import type { FetchContext, FetchResources, FetchResponse } from './fetch-context'
import type { FileState } from './file-server'
import { openContent } from './open-content'

/** A file at a server that does not say whether somebody is still writing it. */
interface ServerFile {
  url: string
  fileName: string
  /** The name that was found by a pattern. */
  foundName?: string | undefined
  /** By which it was known when it was read last. */
  etag?: string | null | undefined
  /** Whether one that may still be written is waited for. */
  isAwaited: boolean
  /** Asks what the server says of it now. */
  look: () => Promise<FileState>
  /** Its bytes, from the start to the end. */
  read: (state: FileState) => AsyncGenerator<Buffer>
}

/**
 * Reads a file once nobody writes it any more, as far as its size and time tell: one that was changed less than a
 * minute ago has to stand for a while first, and both must be the same after the last byte.
 * @throws FileError `still-written`, or as `openContent`
 */
export async function openSettled(
  file: ServerFile,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchResponse> {
  const state = await waitUntilSettled(file, context, resources)
  const etag = toEtag(state, file)
  if (etag !== null && etag === file.etag) return { kind: 'unchanged' }
  const facts = {
    etag,
    lastModified: state.changedAt === null ? null : new Date(state.changedAt).toUTCString(),
    mediaType: '',
    charset: null,
    expectedBytes: state.bytes,
    finalUrl: file.url,
    fileName: file.fileName,
    ...(file.foundName !== undefined && { foundName: file.foundName }),
  }
  return openContent(readWhole(file, state), facts, context, resources)
}

async function waitUntilSettled(
  file: ServerFile,
  { timeouts, now }: FetchContext,
  { signal }: FetchResources,
): Promise<FileState> {
  const { look, isAwaited, etag } = file
  let state = await look()
  if (!isAwaited || toEtag(state, file) === etag) return state
  const { youngMs, settleMs, settleWithinMs } = timeouts
  const endsAt = now() + settleWithinMs
  // A time that lies ahead is of another clock: nothing is known then.
  const isYoung = ({ changedAt }: FileState) => changedAt === null || now() - changedAt < youngMs
  while (isYoung(state)) {
    if (now() > endsAt) throw stillWritten()
    await sleep(settleMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    const next = await look()
    if (isSame(next, state)) return next
    state = next
  }
  return state
}

async function* readWhole({ read, look }: ServerFile, state: FileState): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of read(state)) {
    bytes += chunk.length
    if (bytes > state.bytes) throw stillWritten()
    yield chunk
  }
  if (!isSame(await look(), state)) throw stillWritten()
  if (bytes < state.bytes) {
    throw new FileError('truncated', 'The connection was cut before the file was complete.')
  }
}

const isSame = (a: FileState, b: FileState) => a.bytes === b.bytes && a.changedAt === b.changedAt

/** null if its server does not say when it was changed: its size alone tells nothing. */
export function toEtag(
  { bytes, changedAt }: FileState,
  { foundName }: { foundName?: string | undefined },
): string | null {
  if (changedAt === null) return null
  const name = foundName === undefined ? '' : `-${encodeURIComponent(foundName.toWellFormed())}`
  return `"${bytes}-${changedAt}${name}"`
}

function stillWritten(): FileError {
  return new FileError(
    'still-written',
    'The file is still being written: its size or time keeps changing. It is read with the next sync.',
  )
}

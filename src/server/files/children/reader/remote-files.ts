import { createBlockPool, createWriteBehind, type ScratchFile } from '../../../storage/scratch-file'
import type { FetchedBody } from '../../fetch/fetched-content'
import type { OpenFile, TaskFiles } from '../../task-files'
import { takeBuffer } from '../../task-memory'
import { fromFailure } from '../failure'
import {
  type AnswerValue,
  type FileRequest,
  HEAD_BYTES,
  MESSAGE_LIMITS,
  type ToReader,
} from './messages'

/** How much is written with one message. */
const blocks = createBlockPool(256 * 1024)
/** How much of a file is read at a time. */
const READ_BYTES = 128 * 1024
const NO_BYTES = Buffer.alloc(0)

type Answer = { value: AnswerValue; bytes: readonly Buffer[] }
type Ask = (request: FileRequest, bytes?: Uint8Array) => Promise<Answer>

/** The files and the source of a task, for which a reader asks its parent. */
export interface RemoteFiles extends TaskFiles {
  body: FetchedBody
  /** Takes the parent's answers. */
  take(message: ToReader & { type: 'answer' | 'refusal' }, bytes: readonly Buffer[]): void
}

/** @param filled the scratch file to which the parent writes the source itself, if it does */
export function createRemoteFiles(
  send: (id: number, request: FileRequest, bytes: Uint8Array) => void,
  filled?: string,
): RemoteFiles {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  /** What the task has written is mostly at hand. */
  const written = new Map<string, OpenFile>()
  let lastId = 0
  const ask: Ask = (request, bytes = NO_BYTES) => {
    const answer = Promise.withResolvers<Answer>()
    waiting.set(++lastId, answer)
    send(lastId, request, bytes)
    return answer.promise
  }
  return {
    body: createBody(ask),
    open: async (path) => written.get(path) ?? openStored(ask, path),
    async openScratch(path) {
      const scratch = createScratch(ask, path, path === filled)
      written.set(path, scratch)
      return scratch
    },
    take(message, bytes) {
      const answer = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.type === 'answer') answer?.resolve({ value: message.value, bytes })
      else answer?.reject(fromFailure(message.failure) as Error)
    },
  }
}

function createBody(ask: Ask): FetchedBody {
  async function* read() {
    const isLast = ({ value }: Answer) => value.isEnd === true
    for await (const { bytes } of askAhead(() => ask({ kind: 'body' }), isLast)) yield bytes
  }
  // The parent ends the transfer when the task has ended.
  return Object.assign(read(), { destroy: () => undefined })
}

async function openStored(ask: Ask, path: string): Promise<OpenFile> {
  const { value, bytes } = await ask({ kind: 'open', path })
  const { file } = value
  const [whole = NO_BYTES] = bytes
  const head = bytes.length > 1 ? join(bytes) : whole
  return {
    async readAt(target, position) {
      const known = head.subarray(position, position + target.byteLength)
      target.set(known)
      if (file === undefined || known.length === target.byteLength) return known.length
      const rest = target.subarray(known.length)
      return known.length + (await readAt(ask, file, rest, position + known.length))
    },
    async *read(start = 0) {
      if (start < head.length) yield head.subarray(start)
      if (file !== undefined) yield* readFrom(ask, file, Math.max(start, head.length))
    },
    async close() {
      if (file !== undefined) await ask({ kind: 'close', file })
    },
  }
}

function join(pieces: readonly Buffer[]): Buffer {
  const whole = takeBuffer(pieces.reduce((sum, { length }) => sum + length, 0))
  let length = 0
  for (const piece of pieces) length += piece.copy(whole, length)
  return whole
}

/**
 * A scratch file whose first bytes stay here: small ones are sent with one request, and read again with none.
 * @param isFilled whether the parent writes the same bytes itself
 */
function createScratch(
  ask: Ask,
  path: string,
  isFilled: boolean,
): Omit<ScratchFile, 'read'> & OpenFile {
  const head = takeBuffer(HEAD_BYTES)
  const output = createWriteBehind((block) => {
    isKnown = true
    return ask({ kind: 'write', path }, block)
  }, blocks)
  let length = 0
  /** Whether the parent may have the file. */
  let isKnown = isFilled
  /** To be read beyond its first bytes. */
  let opened: Promise<OpenFile> | undefined
  let isDiscarded = false
  const open = async () => {
    await output.flush()
    // What unpacks a part of an archive ahead does not know that the task needs no more of it.
    if (isDiscarded) throw new Error('The file was discarded')
    opened ??= openStored(ask, path)
    return opened
  }
  const close = async () => {
    const file = await opened
    opened = undefined
    await file?.close()
  }
  return {
    path,
    async write(chunk) {
      if (length < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - length), length)
      length += chunk.byteLength
      if (!isFilled) await output.add(chunk)
    },
    async *read(start = 0) {
      if (length > HEAD_BYTES) yield* (await open()).read(start)
      else if (start < length) yield head.subarray(start, length)
    },
    async readAt(target, position) {
      const end = position + target.byteLength
      if (end > HEAD_BYTES && length > HEAD_BYTES) return (await open()).readAt(target, position)
      if (isDiscarded) throw new Error('The file was discarded')
      const known = head.subarray(position, Math.min(end, length))
      target.set(known)
      return known.length
    },
    async finish() {
      await close()
      const { value } = await output.end((rest) => ask({ kind: 'finish', path }, rest))
      return value.content!
    },
    async discard() {
      await output.abandon()
      isDiscarded = true
      if (isKnown) await ask({ kind: 'discard', path })
    },
    close,
  }
}

async function readAt(
  ask: Ask,
  file: number,
  target: Uint8Array,
  position: number,
): Promise<number> {
  let length = 0
  while (length < target.byteLength) {
    const some = Math.min(MESSAGE_LIMITS.payloadBytes, target.byteLength - length)
    const { bytes } = await ask({ kind: 'read', file, position: position + length, length: some })
    const end = length + some
    for (const piece of bytes) {
      target.set(piece, length)
      length += piece.length
    }
    if (length < end) break
  }
  return length
}

async function* readFrom(ask: Ask, file: number, start: number): AsyncGenerator<Buffer> {
  let position = start
  const next = () => {
    const answer = ask({ kind: 'read', file, position, length: READ_BYTES })
    position += READ_BYTES
    return answer
  }
  const isLast = ({ bytes }: Answer) =>
    bytes.reduce((sum, { length }) => sum + length, 0) < READ_BYTES
  for await (const { bytes } of askAhead(next, isLast)) yield* bytes
}

/** Asks for the next piece while one is used, as long as there is one. */
async function* askAhead(
  next: () => Promise<Answer>,
  isLast: (answer: Answer) => boolean,
): AsyncGenerator<Answer> {
  for (let coming = next(); ;) {
    const answer = await coming
    if (isLast(answer)) return yield answer
    coming = next()
    // It is not used if the reading ends here.
    coming.catch(() => undefined)
    yield answer
  }
}

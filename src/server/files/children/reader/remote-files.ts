import { createBlockPool, createWriteBehind, type ScratchFile } from '../../../storage/scratch-file'
import type { FetchedBody } from '../../fetch/fetched-content'
import type { OpenFile, TaskFiles } from '../../task-files'
import { fromFailure } from '../failure'
import { type AnswerValue, type FileRequest, MESSAGE_LIMITS, type ToReader } from './messages'

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

export function createRemoteFiles(
  send: (id: number, request: FileRequest, bytes: Uint8Array) => void,
): RemoteFiles {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0
  const ask: Ask = (request, bytes = NO_BYTES) => {
    const answer = Promise.withResolvers<Answer>()
    waiting.set(++lastId, answer)
    send(lastId, request, bytes)
    return answer.promise
  }
  return {
    body: createBody(ask),
    open: (path) => open(ask, path),
    openScratch: (path) => openScratch(ask, path),
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

async function open(ask: Ask, path: string): Promise<OpenFile> {
  const { value, bytes } = await ask({ kind: 'open', path })
  const { file } = value
  const [whole = NO_BYTES] = bytes
  const head = bytes.length > 1 ? Buffer.concat(bytes) : whole
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

async function openScratch(ask: Ask, path: string): Promise<ScratchFile> {
  const { value } = await ask({ kind: 'openScratch', path })
  const { file: number = 0, isFilled = false } = value
  const write = (bytes: Uint8Array) => ask({ kind: 'write', file: number }, bytes)
  const output = createWriteBehind(write, blocks)
  let isDiscarded = false
  return {
    path,
    write: isFilled ? async () => undefined : output.add,
    async *read() {
      await output.flush()
      yield* readFrom(ask, number, 0)
    },
    async readAt(target, position) {
      await output.flush()
      // What unpacks a part of an archive ahead does not know that the task needs no more of it.
      if (isDiscarded) throw new Error('The file was discarded')
      return readAt(ask, number, target, position)
    },
    async finish() {
      await output.end()
      return (await ask({ kind: 'finish', file: number })).value.content!
    },
    async discard() {
      await output.settle()
      isDiscarded = true
      await ask({ kind: 'discard', file: number })
    },
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

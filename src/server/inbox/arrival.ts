import { brokenOff, type TakeFile } from '../features/publication/received-files/arriving-file'

/** More has not been taken only if the inbox does not wait, as it should. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** A file that comes in pieces, and is named once it is complete. */
export interface Arrival {
  /** Resolves when the file may come; rejects when it may not. */
  begun: Promise<void>
  take: TakeFile
  /** Resolves when the bytes have been taken. */
  add(bytes: readonly Buffer[]): Promise<void>
  /** All has come; resolves when it is stored. */
  fill(): Promise<void>
  /** All has come, and it counts under this name. */
  name(name: string): void
  abandon(): void
  fail(error: unknown): void
  sizeBytes(): number
  /** What is stored, and has not been named; undefined if it is not. */
  unnamed(): { fileName: string; sizeBytes: number } | undefined
}

type Piece = { bytes: readonly Buffer[]; taken: PromiseWithResolvers<void> }

export function createArrival(fileName: string): Arrival {
  const begun = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const named = Promise.withResolvers<string>()
  const ending = new AbortController()
  const { signal } = ending
  for (const { promise } of [begun, stored, named]) promise.catch(() => undefined)
  const pieces: Piece[] = []
  /** What is being taken. */
  let current: Piece | undefined
  let state: 'coming' | 'filled' | 'stored' | 'named' = 'coming'
  let sizeBytes = 0
  let waitingBytes = 0
  let failure: unknown
  let wake = Promise.withResolvers<void>()

  async function* read(): AsyncGenerator<Buffer> {
    begun.resolve()
    for (;;) {
      current = pieces.shift()
      if (current) {
        for (const bytes of current.bytes) {
          waitingBytes -= bytes.length
          yield bytes
        }
        current.taken.resolve()
        continue
      }
      if (state !== 'coming') return
      wake = Promise.withResolvers()
      await wake.promise
    }
  }
  function fail(error: unknown): void {
    failure ??= error
    for (const { taken } of [...(current ? [current] : []), ...pieces.splice(0)]) {
      taken.reject(failure)
    }
    for (const one of [begun, stored, named]) one.reject(failure)
    wake.resolve()
  }
  signal.addEventListener('abort', () => fail(signal.reason), { once: true })

  return {
    begun: begun.promise,
    take: () => ({
      file: {
        fileName,
        sha256: null,
        body: read(),
        async namedLater() {
          if (state === 'filled') state = 'stored'
          stored.resolve()
          return named.promise
        },
      },
      signal,
    }),
    add(bytes) {
      if (failure) return Promise.reject(failure as Error)
      const length = bytes.reduce((sum, piece) => sum + piece.length, 0)
      sizeBytes += length
      waitingBytes += length
      if (state !== 'coming' || waitingBytes > MAX_WAITING_BYTES) {
        const error = brokenOff()
        ending.abort(error)
        return Promise.reject(error)
      }
      const taken = Promise.withResolvers<void>()
      pieces.push({ bytes, taken })
      wake.resolve()
      return taken.promise
    },
    async fill() {
      if (state === 'coming') state = 'filled'
      wake.resolve()
      await stored.promise
    },
    name(name) {
      state = 'named'
      named.resolve(name)
      wake.resolve()
    },
    // What is complete and named counts, whether or not its sender waits to be told.
    abandon() {
      if (state !== 'named') ending.abort(brokenOff())
    },
    fail,
    sizeBytes: () => sizeBytes,
    unnamed: () => (state === 'stored' && !failure ? { fileName, sizeBytes } : undefined),
  }
}

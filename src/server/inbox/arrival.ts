import { brokenOff, type TakeFile } from '../features/publication/received-files/arriving-file'
import { createArrivingBody } from './arriving-body'

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
  /** It is not received any more. */
  fail(error: Error): void
  sizeBytes(): number
  /** What is stored, and has not been named; undefined if it is not. */
  unnamed(): { fileName: string; sizeBytes: number } | undefined
}

export function createArrival(fileName: string): Arrival {
  const body = createArrivingBody()
  const begun = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const named = Promise.withResolvers<string>()
  const ending = new AbortController()
  const { signal } = ending
  for (const { promise } of [begun, stored, named]) promise.catch(() => undefined)
  let state: 'coming' | 'filled' | 'stored' | 'named' = 'coming'
  let sizeBytes = 0
  let failure: Error | undefined

  async function* read(): AsyncGenerator<Buffer> {
    begun.resolve()
    yield* body.read()
  }
  function breakOff(error: Error): void {
    failure ??= error
    body.fail(failure)
    for (const one of [begun, stored, named]) one.reject(failure)
  }
  signal.addEventListener('abort', () => breakOff(signal.reason as Error), { once: true })

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
    async add(bytes) {
      if (failure) throw failure
      for (const { length } of bytes) sizeBytes += length
      if (await body.add(bytes)) return
      ending.abort(failure ?? brokenOff())
      throw failure ?? brokenOff()
    },
    async fill() {
      if (state === 'coming') state = 'filled'
      body.end()
      await stored.promise
    },
    name(name) {
      state = 'named'
      named.resolve(name)
      body.end()
    },
    // What is complete and named counts, whether or not its sender waits to be told.
    abandon() {
      if (state !== 'named') ending.abort(brokenOff())
    },
    fail(error) {
      breakOff(error)
      body.stop()
    },
    sizeBytes: () => sizeBytes,
    unnamed: () => (state === 'stored' && !failure ? { fileName, sizeBytes } : undefined),
  }
}

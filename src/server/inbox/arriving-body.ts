/** More has not been taken only if the sender does not wait, as it should. */
const MAX_UNTAKEN_BYTES = 1024 * 1024

/** The bytes of something that another process sends piece by piece. */
export interface ArrivingBody {
  /** Can be read once. */
  read(): AsyncGenerator<Buffer>
  /** Resolves when the bytes have been taken: with false when no more are wanted. */
  add(bytes: readonly Buffer[]): Promise<boolean>
  /** All has come. */
  end(): void
  /** Nothing more comes. Returns whether it was incomplete. */
  fail(error: Error): boolean
  /** No more is wanted. */
  stop(): void
}

export function createArrivingBody(): ArrivingBody {
  const pieces: { bytes: readonly Buffer[]; taken: PromiseWithResolvers<boolean> }[] = []
  let state: 'coming' | 'complete' | 'stopped' = 'coming'
  let failure: Error | undefined
  let untakenBytes = 0
  let wake = Promise.withResolvers<void>()
  const stop = () => {
    state = 'stopped'
    for (const { taken } of pieces.splice(0)) taken.resolve(false)
    wake.resolve()
  }
  const fail = (error: Error) => {
    if (state !== 'coming') return false
    failure = error
    stop()
    return true
  }
  return {
    async *read() {
      for (;;) {
        if (failure) throw failure
        const piece = pieces[0]
        if (piece) {
          for (const bytes of piece.bytes) {
            untakenBytes -= bytes.length
            yield bytes
          }
          // Until here, it is answered when no more is wanted.
          if (pieces[0] === piece) pieces.shift()
          piece.taken.resolve(true)
        } else if (state === 'coming') {
          wake = Promise.withResolvers()
          await wake.promise
        } else return
      }
    },
    add(bytes) {
      for (const { length } of bytes) untakenBytes += length
      if (untakenBytes > MAX_UNTAKEN_BYTES) fail(new Error('More came than was asked for'))
      if (state !== 'coming') return Promise.resolve(false)
      const taken = Promise.withResolvers<boolean>()
      pieces.push({ bytes, taken })
      wake.resolve()
      return taken.promise
    },
    end() {
      if (state === 'coming') state = 'complete'
      wake.resolve()
    },
    fail,
    stop,
  }
}

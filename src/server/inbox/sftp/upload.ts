import type { SftpLimits } from '../limits'
import { PIECE_BYTES } from '../messages'
import { type Parent, Refused } from '../parent'

/** A file on its way to the parent. */
export interface Upload {
  receivedBytes(): number
  /** Resolves when the parent has taken these bytes. */
  write(at: number, bytes: Buffer): Promise<void>
  /** All has come; it counts once it is named. */
  fill(): Promise<void>
  /** All has come, and it counts; resolves when it is safe. */
  name(name: string): Promise<void>
  /** Nothing more comes. */
  abandon(): void
}

type Options = {
  parent: Parent
  session: number
  upload: number
  limits: SftpLimits
  /** Whoever sends is to wait while there are many bytes that the parent has not taken. */
  onUntaken(isMuch: boolean): void
}

/**
 * Begins to send a file to the parent. Bytes have to come in their order; programs that send several parts at once may
 * confuse it a little.
 * @throws Refused
 */
export async function beginUpload(
  name: string,
  { parent, session, upload, limits, onUntaken }: Options,
): Promise<Upload> {
  /** Parts that came too early, by where they begin. */
  const early = new Map<number, { bytes: Buffer; written: PromiseWithResolvers<void> }>()
  let earlyBytes = 0
  let receivedBytes = 0
  let untakenBytes = 0
  let failure: unknown

  await parent.ask({ type: 'put', session, upload, name })

  async function send(bytes: Buffer): Promise<void> {
    receivedBytes += bytes.length
    untakenBytes += bytes.length
    onUntaken(untakenBytes > limits.untakenBytes)
    try {
      const asked: Promise<unknown>[] = []
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        asked.push(parent.ask({ type: 'piece', upload }, [bytes.subarray(at, at + PIECE_BYTES)]))
      }
      await Promise.all(asked)
    } catch (error) {
      failure ??= error
      throw error
    } finally {
      untakenBytes -= bytes.length
      onUntaken(untakenBytes > limits.untakenBytes)
    }
  }
  function sendEarly(): void {
    for (;;) {
      const next = early.get(receivedBytes)
      if (!next) return
      early.delete(receivedBytes)
      earlyBytes -= next.bytes.length
      send(next.bytes).then(next.written.resolve, next.written.reject)
    }
  }
  const requireComplete = () => {
    if (failure) throw failure
    if (early.size === 0) return
    throw new Refused(
      'failed',
      `Some of the file is missing: nothing came for byte ${receivedBytes}.`,
    )
  }
  return {
    receivedBytes: () => receivedBytes,
    write(at, bytes) {
      if (failure) return Promise.reject(failure as Error)
      if (at === receivedBytes) {
        const sent = send(Buffer.from(bytes))
        sendEarly()
        return sent
      }
      if (at < receivedBytes) {
        return Promise.reject(
          new Refused('failed', 'A file is written from its start to its end, once. Send it anew.'),
        )
      }
      earlyBytes += bytes.length
      if (earlyBytes > limits.earlyBytes || early.has(at)) {
        return Promise.reject(
          new Refused(
            'failed',
            'The parts of the file came in the wrong order. Send one at a time.',
          ),
        )
      }
      const written = Promise.withResolvers<void>()
      early.set(at, { bytes: Buffer.from(bytes), written })
      return written.promise
    },
    async fill() {
      requireComplete()
      await parent.ask({ type: 'fill', upload })
    },
    async name(given) {
      requireComplete()
      await parent.ask({ type: 'name', upload, name: given })
    },
    abandon() {
      for (const { written } of early.values()) {
        written.reject(new Refused('failed', 'The file was broken off.'))
      }
      early.clear()
      parent.tell({ type: 'abandon', upload })
    },
  }
}

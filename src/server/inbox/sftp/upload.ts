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

type Part = { bytes: Buffer; written: PromiseWithResolvers<void> }

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
  const early = new Map<number, Part>()
  /** Those in their order, which wait until the parent has taken what went before. */
  const parts: Part[] = []
  let sending: Promise<void> | undefined
  let earlyBytes = 0
  let receivedBytes = 0
  let untakenBytes = 0
  let failure: unknown

  await parent.ask({ type: 'put', session, upload, name })

  function noteUntaken(bytes: number): void {
    untakenBytes += bytes
    onUntaken(untakenBytes > limits.untakenBytes)
  }
  function send(bytes: Buffer): Promise<void> {
    receivedBytes += bytes.length
    noteUntaken(bytes.length)
    const written = Promise.withResolvers<void>()
    parts.push({ bytes, written })
    sending ??= sendParts().finally(() => (sending = undefined))
    return written.promise
  }
  /** Sends one message after the other: however small parts are, the parent has as little to do as it can. */
  async function sendParts(): Promise<void> {
    while (parts.length > 0) {
      const sent = parts.splice(0, countFitting(parts))
      await passOn(sent.map(({ bytes }) => bytes)).catch((error: unknown) => (failure ??= error))
      for (const { bytes, written } of sent) {
        noteUntaken(-bytes.length)
        if (failure) written.reject(failure)
        else written.resolve()
      }
    }
  }
  async function passOn(bytes: Buffer[]): Promise<void> {
    if (failure) throw failure
    await parent.ask({ type: 'piece', upload }, bytes)
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
  const requireComplete = async () => {
    await sending
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
      await requireComplete()
      await parent.ask({ type: 'fill', upload })
    },
    async name(given) {
      await requireComplete()
      await parent.ask({ type: 'name', upload, name: given })
    },
    abandon() {
      failure ??= new Refused('failed', 'The file was broken off.')
      for (const { written } of early.values()) {
        written.reject(failure)
      }
      early.clear()
      parent.tell({ type: 'abandon', upload })
    },
  }
}

/** How many of some parts fit into one message; each does by itself, since requests of SFTP are as small. */
function countFitting(parts: readonly Part[]): number {
  let bytes = 0
  const tooMuch = parts.findIndex((part, index) => {
    bytes += part.bytes.length
    return index > 0 && bytes > PIECE_BYTES
  })
  return tooMuch === -1 ? parts.length : tooMuch
}

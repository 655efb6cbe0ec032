import { waitUnlessAborted } from '../../concurrency/deadline'

/** The bytes of a body in pieces of one length, the last of which may be shorter. */
export async function* inPieces(
  body: AsyncIterable<Buffer>,
  length: number,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  const take = () => {
    const [first] = held
    const piece = held.length === 1 && first ? first : Buffer.concat(held)
    held = []
    heldBytes = 0
    return piece
  }
  for await (const chunk of body) {
    for (let rest = chunk; rest.length > 0;) {
      const part = rest.subarray(0, length - heldBytes)
      held.push(part)
      heldBytes += part.length
      rest = rest.subarray(part.length)
      if (heldBytes === length) yield take()
    }
  }
  if (heldBytes > 0) yield take()
}

/**
 * Passes a body on as it is read.
 * @param onFailure called with an error of the body, which is not one of the other side
 * @param signal ends it even while it waits for the next bytes
 */
export async function* checked(
  body: AsyncIterable<Buffer>,
  sizeBytes: number,
  onFailure: (error: unknown) => void,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  const read = async (missing: number) => {
    const next = await chunks.next()
    const left = next.done ? missing : missing - next.value.length
    if (left < 0 || (next.done && left > 0)) throw wrongSize()
    return { chunk: next.done ? undefined : next.value, left }
  }
  try {
    for (let missing = sizeBytes; ;) {
      const reading = read(missing)
      reading.catch(onFailure)
      const { chunk, left } = await waitUnlessAborted(reading, signal)
      if (!chunk) return
      missing = left
      yield chunk
    }
  } finally {
    // Not awaited: a generator that waits for its next bytes does not return before these arrive.
    chunks.return?.()?.catch?.(() => undefined)
  }
}

const wrongSize = () => new Error('A file that is sent has not as many bytes as was said')

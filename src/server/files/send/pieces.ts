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
 */
export async function* checked(
  body: AsyncIterable<Buffer>,
  sizeBytes: number,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  let missing = sizeBytes
  let isReading = true
  try {
    for await (const chunk of body) {
      missing -= chunk.length
      if (missing < 0) throw wrongSize()
      isReading = false
      yield chunk
      isReading = true
    }
    if (missing > 0) throw wrongSize()
  } catch (error) {
    if (isReading) onFailure(error)
    throw error
  }
}

const wrongSize = () => new Error('A file that is sent has not as many bytes as was said')

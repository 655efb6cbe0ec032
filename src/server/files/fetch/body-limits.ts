import { FileError } from '../file-error'
import { createGrowableBuffer } from '../growable-buffer'

/** Reads ahead the first bytes, as many as a signature has, or all if there are fewer. */
export async function peek(
  source: AsyncIterable<Buffer>,
  bytes: number,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  let head: Buffer = first.done ? Buffer.alloc(0) : first.value
  if (head.length < bytes && !first.done) {
    const longer = createGrowableBuffer()
    longer.append(head)
    while (longer.length() < bytes) {
      const more = await chunks.next()
      if (more.done) break
      longer.append(more.value)
    }
    head = longer.bytes()
  }
  async function* all() {
    try {
      if (head.length > 0) yield head
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  return { head, all: all() }
}

export async function* limitBytes(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

export function tooLarge(maxBytes: number): FileError {
  const megabytes = Math.floor(maxBytes / (1024 * 1024))
  const limit = megabytes > 0 ? `${megabytes} MB` : `${maxBytes} bytes`
  return new FileError('too-large', `The file is larger than ${limit}, the maximum size.`)
}

import { pipeline, Readable, type Transform } from 'node:stream'

/** The bytes that a transform makes of a source, which is read no further when the consumer stops. */
export async function* transformed(
  source: AsyncIterable<Buffer>,
  transform: Transform,
): AsyncGenerator<Buffer> {
  const input = Readable.from(source, { objectMode: true, highWaterMark: 1 })
  // The loop below throws the error; without a callback it would also be thrown at the process.
  pipeline(input, transform, () => {})
  try {
    yield* transform as AsyncIterable<Buffer>
  } finally {
    transform.destroy()
    input.destroy()
  }
}

import { Readable } from 'node:stream'

import { UnreachableStoreError } from './store-errors'

/** How long a reader waits for the next bytes; the time that it takes itself does not count. */
const IDLE_MS = 30_000

/**
 * A stream of the same bytes that fails when they stop coming, or are fewer or more than announced.
 * @param length the announced number of bytes
 */
export function endWhenIdle(
  body: Readable,
  length: number | undefined,
  idleMs = IDLE_MS,
): Readable {
  return Readable.from(readInTime(body, length, idleMs), { objectMode: false })
}

async function* readInTime(body: Readable, length: number | undefined, idleMs: number) {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let received = 0
  try {
    for (;;) {
      const { value, done } = await inTime(chunks.next(), idleMs)
      if (done) break
      received += value.length
      yield value
    }
  } finally {
    body.destroy()
  }
  if (length !== undefined && received !== length) {
    throw new UnreachableStoreError(`The S3 server sent ${received} of ${length} bytes`)
  }
}

async function inTime<T>(next: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_, reject) => {
    const late = () => reject(new UnreachableStoreError('The S3 server sends no more bytes'))
    timer = setTimeout(late, idleMs)
  })
  try {
    return await Promise.race([next, isLate])
  } catch (cause) {
    if (cause instanceof UnreachableStoreError) throw cause
    throw new UnreachableStoreError('The connection to the S3 server broke', { cause })
  } finally {
    clearTimeout(timer)
  }
}

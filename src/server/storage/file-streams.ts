import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

import type { ByteRange } from './file-store'

/** Large reads send a file at the speed of the disk. */
const LARGE_READ = 256 * 1024
/** The first files that are sent at once get large buffers; thousands of slow readers must not. */
const MAX_LARGE_READERS = 64
const SMALL_READ = 32 * 1024

/**
 * Returns a function that turns an open file into a stream to be piped to a response; the file is closed
 * when the stream ends or either is destroyed. `pipe` reads and writes with two buffers in turn, one
 * being filled while the other is sent: several times faster than with new memory for each read, and
 * a reader takes the same memory however slow it is. So the destination must not keep a chunk that it
 * has written.
 */
export function createFileStreams(): (handle: FileHandle, range?: ByteRange) => Readable {
  let largeReaders = 0
  return (handle, range) => {
    const stream = handle.createReadStream({ highWaterMark: SMALL_READ, ...range })
    const takeReadSize = () => {
      if (largeReaders >= MAX_LARGE_READERS) return SMALL_READ
      largeReaders += 1
      stream.once('close', () => (largeReaders -= 1))
      return LARGE_READ
    }
    const pipe: Readable['pipe'] = (destination) => {
      stream.once('end', () => destination.end())
      destination.once('close', () => stream.destroy())
      send(handle, stream, destination, { readSize: takeReadSize(), ...range }).then(
        (isComplete) => (isComplete ? endUnread(stream) : stream.destroy()),
        (error: Error) => stream.destroy(error),
      )
      return destination
    }
    return Object.assign(stream, { pipe })
  }
}

function endUnread(stream: Readable): void {
  stream.push(null)
  stream.resume()
}

/** Returns false when the stream or the destination was closed before the end. */
async function send(
  handle: FileHandle,
  stream: Readable,
  destination: NodeJS.WritableStream,
  { readSize, start = 0, end }: Partial<ByteRange> & { readSize: number },
): Promise<boolean> {
  const last = end ?? (await handle.stat()).size - 1
  let [filled, sent] = [Buffer.allocUnsafeSlow(readSize), Buffer.allocUnsafeSlow(readSize)]
  let isWritten = Promise.resolve(true)
  for (let position = start; position <= last;) {
    const length = Math.min(readSize, last + 1 - position)
    const { bytesRead } = await handle.read(filled, 0, length, position)
    if (bytesRead === 0) throw new Error('A stored file is shorter than expected')
    if (!(await isWritten) || stream.destroyed) return false
    isWritten = write(destination, filled.subarray(0, bytesRead))
    position += bytesRead
    ;[filled, sent] = [sent, filled]
  }
  return isWritten
}

/** Resolves when the memory of `chunk` may be used again, with whether the chunk was written. */
function write(destination: NodeJS.WritableStream, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => destination.write(chunk, (error) => resolve(!error)))
}

import { Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { codeOf } from '../../process/error-code'
import { FileError } from '../file-error'

const CHUNK_BYTES = 64 * 1024
const MAX_RATIO = 200
/** Small files may compress better. */
const RATIO_FREE_BYTES = 1024 * 1024

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

/**
 * Decompresses gzip. Stops reading `source` when the consumer stops.
 * @throws FileError `truncated`, `gzip-damaged`, or `compression-bomb` when the output is more than
 * 200 times the input (checked after the first MiB, since small files may compress better than that)
 */
export async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytesIn = 0
  let bytesOut = 0
  async function* counted() {
    for await (const chunk of source) {
      bytesIn += chunk.length
      yield chunk
    }
  }
  const input = Readable.from(counted(), { objectMode: true, highWaterMark: 1 })
  const output = createGunzip({ chunkSize: CHUNK_BYTES })
  // The loop below throws the error; without a callback it would also be thrown at the process.
  pipeline(input, output, () => {})
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) {
      bytesOut += chunk.length
      checkRatio(bytesIn, bytesOut)
      yield chunk
    }
  } catch (error) {
    throw describeGzipFailure(error)
  } finally {
    output.destroy()
    input.destroy()
  }
}

/** @throws FileError `compression-bomb` */
export function checkRatio(bytesIn: number, bytesOut: number, maxRatio = MAX_RATIO): void {
  if (bytesOut <= RATIO_FREE_BYTES || bytesOut <= bytesIn * maxRatio) return
  throw new FileError(
    'compression-bomb',
    `The compressed file expands to more than ${maxRatio} times its size, which is not plausible for an inventory.`,
  )
}

function describeGzipFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'Z_BUF_ERROR') {
    return new FileError('truncated', 'The compressed file ends too early.', { cause: error })
  }
  if (code.startsWith('Z_')) {
    return new FileError('gzip-damaged', 'The compressed file is damaged.', { cause: error })
  }
  return error
}

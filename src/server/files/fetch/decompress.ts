import { constants, createGunzip, createZstdDecompress } from 'node:zlib'

import type { Compression } from '../../../shared/table-forms'
import { codeOf } from '../../process/error-code'
import { FileError } from '../file-error'
import { transformed } from './transformed'

const CHUNK_BYTES = 64 * 1024
const MAX_RATIO = 200
const RATIO_FREE_BYTES = 1024 * 1024
/** zstd needs a window of 8 MB at its highest ordinary level, and of 128 MB at its `--ultra` ones. */
const ZSTD_WINDOW_LOG = 25

/** The bytes that `compressionOf` needs. */
export const SIGNATURE_BYTES = 4
const ZSTD_SIGNATURE = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

const decompressors = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

/** How a file that begins with these bytes is compressed as a whole. */
export function compressionOf(head: Uint8Array): Compression {
  if (isGzip(head)) return 'gzip'
  return ZSTD_SIGNATURE.equals(head.subarray(0, SIGNATURE_BYTES)) ? 'zstd' : 'none'
}

/**
 * Decompresses a file. Stops reading `source` when the consumer stops.
 * @throws FileError `truncated`, `gzip-damaged`, `compression-window`, or `compression-bomb` when the output is more than
 * 200 times the input (checked after the first MiB, since small files may compress better than that)
 */
export async function* decompress(
  source: AsyncIterable<Buffer>,
  compression: keyof typeof decompressors,
): AsyncGenerator<Buffer> {
  let bytesIn = 0
  let bytesOut = 0
  async function* counted() {
    for await (const chunk of source) {
      bytesIn += chunk.length
      yield chunk
    }
  }
  try {
    for await (const chunk of transformed(counted(), decompressors[compression]())) {
      bytesOut += chunk.length
      checkRatio(bytesIn, bytesOut)
      yield chunk
    }
  } catch (error) {
    throw describeFailure(error)
  }
}

/** @throws FileError `compression-bomb`; small files may compress better than that */
export function checkRatio(bytesIn: number, bytesOut: number, maxRatio = MAX_RATIO): void {
  if (bytesOut <= RATIO_FREE_BYTES || bytesOut <= bytesIn * maxRatio) return
  throw new FileError(
    'compression-bomb',
    `The compressed file expands to more than ${maxRatio} times its size, which is not plausible for an inventory.`,
  )
}

function describeFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'Z_BUF_ERROR') {
    return new FileError('truncated', 'The compressed file ends too early.', { cause: error })
  }
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') {
    return new FileError(
      'compression-window',
      'The file is compressed with a zstd window of more than 32 MB. Compress it without --ultra and --long.',
      { cause: error },
    )
  }
  if (
    code.startsWith('Z_') ||
    code.startsWith('ZSTD_') ||
    code === 'ERR_ZSTD_DECOMPRESSION_FAILED'
  ) {
    return new FileError('gzip-damaged', 'The compressed file is damaged.', { cause: error })
  }
  return error
}

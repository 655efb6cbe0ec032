import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

import type { Coding } from '../../shared/content-codings'

/** Beyond this, brotli takes several times longer for a few percent. */
const BROTLI_QUALITY = 5

/** Compresses a file with constant memory. */
export async function compressBytes(
  source: AsyncIterable<Buffer>,
  { coding, signal }: { coding: Coding; signal: AbortSignal },
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const encoder = coding === 'gzip' ? createGzip() : createBrotli()
  await pipeline(
    source,
    encoder,
    async (compressed: AsyncIterable<Uint8Array>) => {
      for await (const chunk of compressed) await write(chunk)
    },
    { signal },
  )
}

const createBrotli = () =>
  createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })

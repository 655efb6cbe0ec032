import { FileError } from '../file-error'
import { limitBytes, peek } from './body-limits'
import { compressionOf, decompress, SIGNATURE_BYTES } from './decompress'
import type { FetchedContent } from './fetched-content'

/**
 * The bytes of a file, decompressed.
 * @param maxBytes their maximum number
 * @throws FileError while it is read: `too-large`, `unknown-compression` or as `decompress`
 */
export async function* decodeBody(
  { body, compression }: Pick<FetchedContent, 'body' | 'compression'>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const bytes = joined(body)
  if (compression === 'none') return yield* bytes
  const { head, all } = await peek(decompress(bytes, compression), SIGNATURE_BYTES)
  if (compressionOf(head) !== 'none')
    throw new FileError('unknown-compression', 'The file is compressed twice.')
  yield* limitBytes(all, maxBytes)
}

async function* joined(body: FetchedContent['body']): AsyncGenerator<Buffer> {
  for await (const pieces of body) yield* pieces
}

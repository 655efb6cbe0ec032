import { FileError } from '../file-error'
import { limitBytes, peek } from './body-limits'
import type { FetchedBody, FetchedContent } from './fetched-content'
import { gunzip, isGzip } from './gunzip'

/**
 * Decompresses the body of a file.
 * @param maxBytes the maximum size of the file, decompressed
 * @throws FileError while it is read: `too-large`, `unknown-compression` or as `gunzip`
 */
export function decodeBody(
  { body, compression }: Pick<FetchedContent, 'body' | 'compression'>,
  maxBytes: number,
): FetchedBody {
  if (compression === 'none') return body
  const decoded = limitBytes(decompress(body), maxBytes)
  return { [Symbol.asyncIterator]: () => decoded, destroy: () => body.destroy() }
}

async function* decompress(body: FetchedBody): AsyncGenerator<Buffer> {
  const { head, all } = await peek(gunzip(body))
  if (isGzip(head)) throw new FileError('unknown-compression', 'The file is compressed twice.')
  yield* all
}

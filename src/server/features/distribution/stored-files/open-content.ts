import type { Readable } from 'node:stream'

import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { ByteRange, StoredFile } from '../../../storage/file-store'

/**
 * Opens the content of a stored file, or its bytes from `start` to `end` inclusive: small files as a
 * whole from memory, others as a stream to be piped to the response.
 * @throws DomainError UNAVAILABLE when it was deleted since it was looked up; a retry rebuilds it
 */
export async function openContent(
  { files, smallFiles }: Deps,
  { sha256, sizeBytes }: StoredFile,
  range: ByteRange,
): Promise<Buffer | Readable> {
  try {
    const content = await smallFiles.read(sha256, sizeBytes)
    return content?.subarray(range.start, range.end + 1) ?? (await files.openToSend(sha256, range))
  } catch (error) {
    if (await files.has(sha256)) throw error
    throw new DomainError('UNAVAILABLE', 'The file is being prepared. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
}

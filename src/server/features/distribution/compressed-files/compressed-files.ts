import type { Coding } from '../../../../shared/content-codings'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import type { ReadableFile } from '../../catalogue/versions/connection-files'
import { deleteCopies } from '../stored-files/storage-cleaning'
import { deleteCompressedFiles, insertCompression } from './compressed-files.queries'
import { RETRY_AFTER_MS } from './find-copies'

/** Smaller files gain nothing. */
const MIN_COMPRESSED_BYTES = 1_024

/** Whether a file would be smaller compressed. */
export const mayHaveCopies = ({ sizeBytes, form }: Pick<ReadableFile, 'sizeBytes' | 'form'>) =>
  sizeBytes >= MIN_COMPRESSED_BYTES && !form.isCompressed

/** Requests the copy of a file that a reader could have used; it is made in the background. */
export async function requestCopy(deps: Deps, sha256: string, asked: Coding): Promise<void> {
  const requestedAt = deps.clock.now()
  try {
    await inTransaction(deps.db, (trx) =>
      insertCompression(trx, { sha256, asked, requestedAt }, requestedAt - RETRY_AFTER_MS),
    )
    await deps.queue.add({ job: 'compress-files', key: 'waiting', payload: {} })
  } catch (error) {
    // The reader gets its file all the same.
    deps.logger.warn({ err: error }, 'A compressed file could not be requested')
  }
}

/** Forgets the copies of a file, of which one was found missing; the next reader requests them again. */
export async function forgetCopies(deps: Deps, sha256: string): Promise<void> {
  try {
    const forgotten = await inTransaction(deps.db, (trx) => deleteCompressedFiles(trx, [sha256]))
    await deleteCopies(deps, forgotten)
  } catch (error) {
    deps.logger.warn({ err: error }, 'A missing compressed file could not be forgotten')
  }
}

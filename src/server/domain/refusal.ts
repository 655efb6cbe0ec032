import { isUnwritable, UnreachableDatabaseError } from '../db/open'
import { isStoreUnwritable } from '../storage/file-store'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { DomainError } from './errors'

const RETRY_AFTER_SECONDS = 30

/** Files cannot be written or reached: a temporary fault of neither the caller nor a source. */
export class DiskError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNAVAILABLE', message, { ...options, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}

/**
 * The refusal to send for an error: the error itself if it is one, or a DiskError when the disk is
 * full, read-only or broken (writes fail, reads work) or the store of the files does not answer, or one
 * that says that the database does not answer. undefined for a bug.
 */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (error instanceof UnreachableDatabaseError) {
    const message = 'The database cannot be reached at the moment. Try again in a minute.'
    const retryAfterSeconds = RETRY_AFTER_SECONDS
    return new DomainError('UNAVAILABLE', message, { cause: error, retryAfterSeconds })
  }
  if (error instanceof UnreachableStoreError) {
    const message = 'The files cannot be reached at the moment. Try again in a minute.'
    return new DiskError(message, { cause: error })
  }
  if (!isUnwritable(error) && !isStoreUnwritable(error)) return undefined
  return new DiskError('The server cannot write at the moment. Try again in a minute.', {
    cause: error,
  })
}

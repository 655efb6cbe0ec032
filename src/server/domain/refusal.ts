import { isUnwritable } from '../db/open'
import { isStoreUnwritable } from '../storage/file-store'
import { DomainError } from './errors'

const RETRY_AFTER_SECONDS = 30

/** The server's disk cannot be written: a temporary fault of neither the caller nor a source. */
export class DiskError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNAVAILABLE', message, { ...options, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}

/**
 * The refusal to send for an error: the error itself if it is one, or a DiskError when the disk is
 * full, read-only or broken (writes fail, reads work). undefined for a bug.
 */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (!isUnwritable(error) && !isStoreUnwritable(error)) return undefined
  return new DiskError('The server cannot write at the moment. Try again in a minute.', {
    cause: error,
  })
}

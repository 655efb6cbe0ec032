import { isUnwritable } from '../db/open'
import { isStoreUnwritable } from '../storage/file-store'
import { DomainError } from './errors'

const RETRY_AFTER_SECONDS = 30

/** Our own disk takes nothing: the fault is neither the caller's nor a source's, and it passes. */
export class DiskError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNAVAILABLE', message, { ...options, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}

/**
 * What a client may be told of an error: the refusal that it is, or that the disk is full, read-only
 * or broken, which stops writing and not reading. undefined for a fault of the product.
 */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (!isUnwritable(error) && !isStoreUnwritable(error)) return undefined
  return new DiskError('The server cannot write at the moment. Try again in a minute.', {
    cause: error,
  })
}

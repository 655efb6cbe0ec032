import { formatFileSize } from '../../shared/format'
import { isUnwritable } from '../db/open'
import { isStoreUnwritable } from '../storage/file-store'
import type { Deps } from './deps'
import { DomainError } from './errors'

const MIN_FREE_BYTES = 512 * 1024 * 1024
const MIN_FREE_SHARE = 0.05

const RETRY_AFTER_SECONDS = 30

/** Our own disk takes nothing: the fault is neither the caller's nor a source's, and it passes. */
export class DiskError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNAVAILABLE', message, { ...options, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}

/**
 * What the rules say of an error: the refusal that it is, or that the disk is full, read-only or
 * broken, which stops writing and not reading. undefined for a fault of the product.
 */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (!isUnwritable(error) && !isStoreUnwritable(error)) return undefined
  return new DiskError('The server cannot write at the moment. Try again in a minute.', {
    cause: error,
  })
}

/**
 * Says for the administrator when the disk has less room left than is kept free for everything but
 * syncs; undefined while there is enough.
 */
export async function findShortage(deps: Deps): Promise<string | undefined> {
  const { freeBytes, totalBytes } = await deps.files.measureSpace()
  const minFreeBytes =
    deps.config.minFreeBytes ?? Math.max(MIN_FREE_BYTES, totalBytes * MIN_FREE_SHARE)
  if (freeBytes >= minFreeBytes) return undefined
  const [free, total] = [formatFileSize(freeBytes), formatFileSize(totalBytes)]
  return `The disk has ${free} of ${total} left; syncs wait until there are ${formatFileSize(minFreeBytes)}`
}

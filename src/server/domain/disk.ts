import { formatFileSize } from '../../shared/format'
import { reservedBytesOf } from '../storage/reserved-space'
import type { Deps } from './deps'

/**
 * A message for the administrator when the disk has less free space than is reserved for everything
 * but syncs; undefined otherwise.
 */
export async function findShortage(deps: Deps): Promise<string | undefined> {
  const { freeBytes, totalBytes } = await deps.files.measureSpace()
  const minFreeBytes = reservedBytesOf(totalBytes, deps.config.minFreeBytes)
  if (freeBytes >= minFreeBytes) return undefined
  const [free, total] = [formatFileSize(freeBytes), formatFileSize(totalBytes)]
  return `The disk has ${free} of ${total} left; syncs wait until there are ${formatFileSize(minFreeBytes)}`
}

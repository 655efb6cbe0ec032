import { formatFileSize } from '../../shared/format'
import type { Deps } from './deps'

const MIN_FREE_BYTES = 512 * 1024 * 1024
const MIN_FREE_SHARE = 0.05

/**
 * A message for the administrator when the disk has less free space than is reserved for everything
 * but syncs (MIN_FREE_BYTES; by default 5 % of the disk, at least 512 MB); undefined otherwise.
 */
export async function findShortage(deps: Deps): Promise<string | undefined> {
  const { freeBytes, totalBytes } = await deps.files.measureSpace()
  const minFreeBytes =
    deps.config.minFreeBytes ?? Math.max(MIN_FREE_BYTES, totalBytes * MIN_FREE_SHARE)
  if (freeBytes >= minFreeBytes) return undefined
  const [free, total] = [formatFileSize(freeBytes), formatFileSize(totalBytes)]
  return `The disk has ${free} of ${total} left; syncs wait until there are ${formatFileSize(minFreeBytes)}`
}

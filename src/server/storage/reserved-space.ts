const MIN_FREE_BYTES = 512 * 1024 * 1024
const MIN_FREE_SHARE = 0.05

/**
 * The space of a disk that is reserved for everything but inventory files.
 * @param configured MIN_FREE_BYTES; without it, 5 % of the disk, and at least 512 MB
 */
export const reservedBytesOf = (totalBytes: number, configured: number | undefined): number =>
  configured ?? Math.max(MIN_FREE_BYTES, totalBytes * MIN_FREE_SHARE)

import type { Coding } from '../../../shared/content-codings'

/** Compressed copies of a stored file, which are stored files themselves. */
export type CompressedFilesTable = {
  /** The hash of the file that is compressed. */
  sha256: string
  /** A file is `failed` also when there was no room for its copies. */
  status: 'waiting' | 'ready' | 'failed'
  /** Which copy is to be made, or was made last; null for both, which versions before have asked for. */
  asked: Coding | null
  gzipSha256: string | null
  gzipBytes: number | null
  brSha256: string | null
  brBytes: number | null
  /** When a reader first missed the copy, or it failed. */
  requestedAt: number
  leaseToken: string | null
  leaseUntil: number | null
}

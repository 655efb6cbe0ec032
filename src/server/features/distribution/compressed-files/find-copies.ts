import { HOUR_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import { rememberUnchanged } from '../../../db/queries-kit/remember-unchanged'
import { findCompressedFile, listCopies, type CompressedCopy } from './compressed-files.queries'

/** A file that could not be compressed, or whose copies had no room, is not tried again before. */
export const RETRY_AFTER_MS = HOUR_MS
const REMEMBERED = { max: 10_000, maxAgeMs: 10_000 }

/** What is known of a file's copies; `isWanted` when they have to be requested. */
type Copies = { copies: CompressedCopy[]; isWanted: boolean }

/** The compressed copies of stored files, as requests see them. */
export type CompressedFiles = { find(sha256: string): Promise<Copies> }

export function createCompressedFiles(db: Db, clock: { now(): number }): CompressedFiles {
  const find = rememberUnchanged({ db, clock }, REMEMBERED, async (sha256) => {
    const row = await findCompressedFile(db, sha256)
    const retryBefore = clock.now() - RETRY_AFTER_MS
    const isWanted = !row || (row.status === 'failed' && row.requestedAt < retryBefore)
    return { copies: row ? listCopies(row) : [], isWanted }
  })
  return { find }
}

import { HOUR_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import { rememberReads } from '../../../db/queries-kit/remember'
import { findCompressedFile, listCopies, type CompressedCopy } from './compressed-files.queries'

/** A file that could not be compressed, or whose copies had no room, is not tried again before. */
export const RETRY_AFTER_MS = HOUR_MS
const REMEMBERED = { max: 20_000 }

/** What is known of a file's copies; `isWanted` when they have to be requested. */
type Copies = { copies: CompressedCopy[]; isWanted: boolean }

/** The compressed copies of stored files, as requests see them. */
export type CompressedFiles = {
  find(sha256: string): Promise<Copies>
  /** The same, if it can be told at once. */
  recall(sha256: string): Copies | undefined
}

export function createCompressedFiles(db: Db, clock: { now(): number }): CompressedFiles {
  const remembered = rememberReads<Copies>({ db, clock }, REMEMBERED)
  const read = async (sha256: string) => {
    const row = await findCompressedFile(db, sha256)
    const retryAt = row?.status === 'failed' ? row.requestedAt + RETRY_AFTER_MS : Infinity
    const isWanted = !row || retryAt < clock.now()
    const value = { copies: row ? listCopies(row) : [], isWanted }
    // Requested at once, so that it is another one soon.
    return { value, topics: isWanted ? undefined : [`copies ${sha256}`], until: retryAt }
  }
  return {
    find: (sha256) => remembered.get(sha256, () => read(sha256)),
    recall: (sha256) => remembered.recall(sha256),
  }
}

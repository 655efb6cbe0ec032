import { CODINGS, type Coding } from '../../../../shared/content-codings'
import { HOUR_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import { rememberReads } from '../../../db/queries-kit/remember'
import { findCompressedFile, listCopies, type CompressedCopy } from './compressed-files.queries'

/** A file that could not be compressed, or whose copies had no room, is not tried again before. */
export const RETRY_AFTER_MS = HOUR_MS
const REMEMBERED = { max: 20_000 }

/** The copies that a file has, smallest first, and those that its readers have to request. */
type Copies = { copies: CompressedCopy[]; missing: Coding[] }

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
    const isRetried = retryAt < clock.now()
    const copies = row ? listCopies(row) : []
    const has = (coding: Coding) => copies.some((copy) => copy.coding === coding)
    const mayRequest = !row || row.status === 'ready' || isRetried
    const missing = mayRequest ? CODINGS.filter((coding) => !has(coding)) : []
    // Of one that has no copy, one is requested at once, so that it is another one soon.
    const topics = !row || isRetried ? undefined : [`copies ${sha256}`]
    return { value: { copies, missing }, topics, until: retryAt }
  }
  return {
    find: (sha256) => remembered.get(sha256, () => read(sha256)),
    recall: (sha256) => remembered.recall(sha256),
  }
}

import { mapLimited } from '../../../concurrency/map-limited'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findRecords } from '../../../files/history/find-records'
import { hashKey } from '../../../files/history/hash-text'
import type { ItemRecords } from '../../../files/history/item-steps'
import { codeOf } from '../../../process/error-code'
import { findHistory, listHistoryFiles } from './item-histories.queries'
import { ofKind } from './kept-files'

/** Reads of one look-up at a time, where each is a request to a bucket. */
const READS_AT_ONCE = 8

/**
 * Finds what a history has of an item, by a read or two of each of its files.
 * @returns the history as it was while it was read; undefined without one
 * @throws DomainError UNAVAILABLE while its files are replaced
 */
export async function lookUpItem(deps: Deps, connectionId: number, key: string) {
  for (let attempt = 0; attempt < 2; attempt++) {
    const history = await findHistory(deps.db, connectionId)
    if (!history) return undefined
    try {
      return { history, records: await readRecords(deps, connectionId, key) }
    } catch (error) {
      // Its files have been replaced meanwhile.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  throw beingPrepared()
}

async function readRecords(deps: Deps, connectionId: number, key: string): Promise<ItemRecords> {
  const files = await listHistoryFiles(deps.db, connectionId)
  const hashed = hashKey(key)
  const found = await mapLimited(files, READS_AT_ONCE, async ({ kind, sha256, records }) => ({
    kind,
    records: await findRecords((range) => deps.files.readRange(sha256, range), records, hashed),
  }))
  const all = (kind: (typeof found)[number]['kind']) =>
    ofKind(found, kind).flatMap(({ records }) => records)
  return { state: all('state')[0], changes: all('changes'), past: all('past') }
}

export function beingPrepared(): DomainError {
  const message = 'The history of items is being prepared. Try again in a moment.'
  return new DomainError('UNAVAILABLE', message, { retryAfterSeconds: 5 })
}

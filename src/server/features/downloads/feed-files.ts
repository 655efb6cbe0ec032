import { LRUCache } from 'lru-cache'

import { readChangeFingerprint } from '../../db/change-fingerprint'
import type { Deps } from '../../domain/deps'
import { hashFeedToken } from '../feed-addresses/feed-token'
import { openFeedFile, type FeedFile } from './feed-file'

/** What depends on the time alone, such as the end of an address, takes effect this late. */
const MAX_AGE_MS = 1_000
/** In some ten megabytes. */
const MAX_REMEMBERED = 10_000

type Remembered = { file: FeedFile; openedAt: number; fingerprint: string }

/**
 * Returns a function that opens files as `openFeedFile` does, and remembers them as long as nothing in
 * the database has changed: shops that ask again and again are answered without reading a table.
 */
export function createFeedFiles(
  deps: Deps,
): (token: string, isNdjson: boolean) => Promise<FeedFile> {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED })
  return async (token, isNdjson) => {
    const tokenHash = hashFeedToken(token)
    const key = isNdjson ? `${tokenHash} JSON` : tokenHash
    const now = deps.clock.now()
    // Read before the file, so that a change meanwhile is not missed.
    const fingerprint = await readChangeFingerprint(deps.db)
    const known = remembered.get(key)
    const isFresh =
      known?.fingerprint === fingerprint &&
      now >= known.openedAt &&
      now < known.openedAt + MAX_AGE_MS
    if (known && isFresh) return known.file
    remembered.delete(key)
    const file = await openFeedFile(deps, tokenHash, isNdjson)
    remembered.set(key, { file, openedAt: now, fingerprint })
    return file
  }
}

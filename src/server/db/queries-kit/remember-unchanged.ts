import { LRUCache } from 'lru-cache'

import { readChangeFingerprint } from '../change-fingerprint'
import type { Db } from '../open'

type Remembered<Value> = { value: Value; readAt: number; fingerprint: string }

/**
 * Returns a function that reads a value, and remembers it as long as nothing in the database has
 * changed, by any process. Values that take much work to read, or are asked for again and again, then
 * cost only the fingerprint. Failures are not remembered.
 * @param maxAgeMs what depends on the time alone takes effect this late
 */
export function rememberUnchanged<Value>(
  { db, clock }: { db: Db; clock: { now(): number } },
  { max, maxAgeMs }: { max: number; maxAgeMs: number },
  read: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  const remembered = new LRUCache<string, Remembered<Value>>({ max })
  return async (key) => {
    const now = clock.now()
    // Read before the value, so that a change meanwhile is not missed.
    const fingerprint = await readChangeFingerprint(db)
    const known = remembered.get(key)
    const isFresh =
      known?.fingerprint === fingerprint && now >= known.readAt && now < known.readAt + maxAgeMs
    if (known && isFresh) return known.value
    remembered.delete(key)
    const value = await read(key)
    remembered.set(key, { value, readAt: now, fingerprint })
    return value
  }
}

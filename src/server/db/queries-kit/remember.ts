import { LRUCache } from 'lru-cache'

import { engineOf, type ChangedTopics } from '../engine'
import type { Db } from '../open'

/** What was read, and until when it is true. */
export type Reading<Value> = {
  value: Value
  /** The topics (`db/change-topics.ts`) of all rows that it was read from; without them, it is not remembered. */
  topics: readonly string[] | undefined
  /** Unix milliseconds from which it may differ without any change; by default never. */
  until?: number | undefined
}

export type RememberedReads<Value> = {
  /** Reads a value unless it is remembered. Failures are not remembered. */
  get<Read extends Value | undefined>(
    key: string,
    read: () => Promise<Reading<Read>>,
  ): Promise<Value | Read>
  /** Returns a value if it is remembered, and at this moment certainly true. */
  recall(key: string): Value | undefined
}

type Remembered<Value> = { value: Value; topics: readonly string[]; readAt: number; until: number }

/**
 * Remembers at most `max` values, each until something that it was read from changes, by whichever process.
 * @param options.isCurrent where others' changes are not told of at once, asks the database for them at each `get`,
 *   and recalls nothing; otherwise what others have changed may be remembered for two seconds
 */
export function rememberReads<Value extends object>(
  { db, clock }: { db: Db; clock: { now(): number } },
  { max, isCurrent = false }: { max: number; isCurrent?: boolean },
): RememberedReads<Value> {
  const { follower } = engineOf(db)
  const isTold = () => (follower.isImmediate || !isCurrent) && follower.isCaughtUp()
  const index = createTopicIndex()
  const remembered = new LRUCache<string, Remembered<Value>>({
    // With `max`, memory for all would be taken at once.
    maxSize: max,
    sizeCalculation: () => 1,
    dispose: ({ topics }, key) => index.remove(topics, key),
  })
  /** The topics of what has changed since each read that is not over yet. */
  const running = new Set<Set<string>>()

  follower.listen((changed) => {
    for (const seen of running) for (const topic of toList(changed)) seen.add(topic)
    if (changed === 'all') return remembered.clear()
    for (const topic of changed) for (const key of index.list(topic)) remembered.delete(key)
  })

  function findFresh(key: string): Value | undefined {
    const known = remembered.get(key)
    if (!known) return undefined
    const now = clock.now()
    // The clock may have been set back.
    return known.readAt <= now && now < known.until ? known.value : undefined
  }

  return {
    async get(key, read) {
      if (!isTold()) await follower.catchUp()
      const known = findFresh(key)
      if (known) return known
      const readAt = clock.now()
      const seen = new Set<string>()
      running.add(seen)
      try {
        const { value, topics, until = Infinity } = await read()
        if (!value || !topics || seen.has('all') || topics.some((topic) => seen.has(topic))) {
          return value
        }
        remembered.set(key, { value, topics, readAt, until })
        index.add(topics, key)
        return value
      } finally {
        running.delete(seen)
      }
    },
    recall: (key) => (isTold() ? findFresh(key) : undefined),
  }
}

const toList = (changed: ChangedTopics) => (changed === 'all' ? ['all'] : changed)

/** The keys of what is remembered, by topic. */
function createTopicIndex() {
  const keys = new Map<string, Set<string>>()
  return {
    add(topics: readonly string[], key: string): void {
      for (const topic of topics) {
        const known = keys.get(topic)
        if (known) known.add(key)
        else keys.set(topic, new Set([key]))
      }
    },
    remove(topics: readonly string[], key: string): void {
      for (const topic of topics) {
        const known = keys.get(topic)
        known?.delete(key)
        if (known?.size === 0) keys.delete(topic)
      }
    },
    list: (topic: string): string[] => [...(keys.get(topic) ?? [])],
  }
}

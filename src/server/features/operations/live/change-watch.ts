import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

import { MINUTE_MS } from '../../../../shared/durations'
import { createKeyedSemaphore, type KeyedSemaphore } from '../../../concurrency/keyed-semaphore'
import type { Changes } from '../../../db/engine'
import { createWatchers, type Topics, type Wakeable, type Watchers } from './watchers'

const CHECK_EVERY_MS = 1_000
/** Every watcher wakes after this long at the latest: some things change with time alone. */
const QUIET_MS = MINUTE_MS
/** Watchers that wake before other work of the process has its turn. */
const WOKEN_IN_A_TURN = 10
/** States read at a time, so that many windows leave the database to requests. */
const MAX_READS = 4
/** Bounds the streams that a user can leave open. */
export const MAX_WATCHERS_PER_USER = 20

/** Wakes watchers when something that concerns them has changed, whichever process changed it. */
export type ChangeWatch = {
  /** Adds a watcher for a user; undefined when the user has too many, or after `close`. */
  watch(userId: number): Watcher | undefined
  /** Ends every watcher and accepts no more. */
  close(): void
}

export type Watcher = ReturnType<typeof createWatcher>

/** The error of what is read for a watcher that has ended, and of a stream that ends. */
export const streamEnded = () => new DOMException('The stream has ended', 'AbortError')

/**
 * Looks once a second for all watchers together, and only while there are any.
 * @param readChanges as that of `db/change-topics.ts`
 */
export function createChangeWatch(
  readChanges: (since: string | undefined) => Promise<Changes>,
  { checkEveryMs = CHECK_EVERY_MS, quietMs = QUIET_MS } = {},
): ChangeWatch {
  const watchers = createWatchers()
  const reads = createKeyedSemaphore<'reads'>(() => MAX_READS)
  let isClosed = false
  let stop = new AbortController()

  const follow = async ({ signal }: AbortController) => {
    let last: { mark: string | undefined; readAt: number } = { mark: undefined, readAt: 0 }
    for (;;) {
      await sleep(checkEveryMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // After an error, the next look is in a second.
      const changes = await readChanges(last.mark).catch(() => undefined)
      if (!changes) continue
      const now = performance.now()
      // Changes are not kept for long.
      const isLate = last.mark === undefined || now - last.readAt > quietMs
      last = { mark: changes.mark, readAt: now }
      const all = watchers.list()
      // A share at each look, because all may have begun at once.
      const quiet = watchers.listQuiet(now - quietMs, (all.length * checkEveryMs) / quietMs - 1)
      const concerned =
        isLate || changes.topics === 'all' ? all : watchers.listConcerned(changes.topics)
      await wakeInTurns(new Set([...concerned, ...quiet]))
    }
  }
  return {
    watch(userId) {
      if (isClosed || watchers.countOf(userId) >= MAX_WATCHERS_PER_USER) return undefined
      if (watchers.isEmpty()) void follow((stop = new AbortController()))
      return createWatcher(userId, watchers, reads, () => {
        if (watchers.isEmpty()) stop.abort()
      })
    },
    close() {
      isClosed = true
      for (const watcher of watchers.list()) watcher.end()
    },
  }
}

async function wakeInTurns(woken: Iterable<Wakeable>): Promise<void> {
  let count = 0
  for (const watcher of woken) {
    watcher.wake()
    count += 1
    if (count % WOKEN_IN_A_TURN === 0) await nextTurn()
  }
}

function createWatcher(
  userId: number,
  watchers: Watchers,
  reads: KeyedSemaphore<'reads'>,
  onEnd: () => void,
) {
  const life = new AbortController()
  const { signal } = life
  let hasNews = false
  let resume = () => {}
  const watcher: Wakeable = {
    userId,
    wake() {
      watchers.noteWoken(watcher, performance.now())
      hasNews = true
      resume()
    },
    end() {
      watchers.remove(watcher)
      life.abort(streamEnded())
      resume()
      onEnd()
    },
  }
  watchers.add(watcher, performance.now())
  return {
    /**
     * Resolves to true once something of `topics` has changed, or after a minute; at once if anything
     * has changed since the last call resolved. Resolves to false when the watcher has ended.
     */
    async next(topics: Topics): Promise<boolean> {
      watchers.setTopics(watcher, topics)
      if (!hasNews && !signal.aborted) await new Promise<void>((resolve) => (resume = resolve))
      hasNews = false
      // Until its state has been read, anything might concern it.
      watchers.setTopics(watcher, 'all')
      return !signal.aborted
    },
    /**
     * Runs `work`, which reads what the watcher shows, once few others do.
     * @throws AbortError when the watcher ends before that
     */
    async read<State>(work: () => Promise<State>): Promise<State> {
      const release = await reads.acquire('reads', signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
    end: watcher.end,
  }
}

const CHECK_EVERY_MS = 1_000
/** All watchers wake after this many checks without a change: some things change with time alone. */
const MAX_QUIET_CHECKS = 10
/** Bounds the streams that a user can leave open. */
export const MAX_WATCHERS_PER_USER = 20

/** Wakes watchers when the database has changed, whichever process changed it. */
export type ChangeWatch = {
  /** Adds a watcher for a user; undefined when the user has too many, or after `close`. */
  watch(userId: number): Watcher | undefined
  /** Ends every watcher and accepts no more. */
  close(): void
}

export type Watcher = {
  /**
   * Resolves to true once the database has changed since the last call, or after about ten seconds.
   * Resolves to false when the watcher has ended.
   */
  next(): Promise<boolean>
  end(): void
}

/**
 * Checks once a second for all watchers together, and only while there are any.
 * @param readFingerprint returns a text that differs whenever the database has changed
 */
export function createChangeWatch(readFingerprint: () => Promise<string>): ChangeWatch {
  const watchers = new Map<Wakeable, number>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let fingerprint: string | undefined
  let quietChecks = 0

  const check = async () => {
    const found = await readFingerprint()
    quietChecks += 1
    if (found === fingerprint && quietChecks < MAX_QUIET_CHECKS) return
    fingerprint = found
    quietChecks = 0
    for (const watcher of watchers.keys()) watcher.wake()
  }
  const leave = (watcher: Wakeable) => {
    watchers.delete(watcher)
    if (watchers.size === 0) clearInterval(timer)
  }
  return {
    watch(userId) {
      const count = [...watchers.values()].filter((ownerId) => ownerId === userId).length
      if (isClosed || count >= MAX_WATCHERS_PER_USER) return undefined
      // An error is ignored: the next check is in a second.
      if (watchers.size === 0)
        timer = setInterval(() => void check().catch(() => {}), CHECK_EVERY_MS)
      const watcher = createWatcher(leave)
      watchers.set(watcher, userId)
      return watcher
    },
    close() {
      isClosed = true
      for (const watcher of watchers.keys()) watcher.end()
    },
  }
}

type Wakeable = Watcher & { wake(): void }

function createWatcher(onEnd: (watcher: Wakeable) => void): Wakeable {
  let hasNews = false
  let hasEnded = false
  let resume = () => {}
  const watcher: Wakeable = {
    async next() {
      if (!hasNews && !hasEnded) await new Promise<void>((resolve) => (resume = resolve))
      hasNews = false
      return !hasEnded
    },
    wake() {
      hasNews = true
      resume()
    },
    end() {
      hasEnded = true
      onEnd(watcher)
      resume()
    },
  }
  return watcher
}

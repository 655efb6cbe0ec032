const LOOK_EVERY_MS = 1_000
/** After so many looks without a change all are woken: some things change with the time alone. */
const QUIET_LOOKS = 10
/** So that nobody holds up the server with streams that were forgotten. */
export const MAX_WATCHERS_PER_USER = 20

/** Tells those who wait that the database has changed, whichever process has changed it. */
export type ChangeWatch = {
  /** Begins to watch for a user; undefined when it has too many watchers already. */
  watch(userId: number): Watcher | undefined
  /** Ends every watcher, and takes no more. */
  close(): void
}

export type Watcher = {
  /** Resolves once something has changed since the last time, or after ten seconds; false at the end. */
  next(): Promise<boolean>
  end(): void
}

/**
 * Looks once a second, for all watchers together and only while there is one.
 * @param readMark what differs as soon as the database has changed
 */
export function createChangeWatch(readMark: () => Promise<string>): ChangeWatch {
  const watchers = new Map<Wakeable, number>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let mark: string | undefined
  let quietLooks = 0

  const look = async () => {
    const found = await readMark()
    quietLooks += 1
    if (found === mark && quietLooks < QUIET_LOOKS) return
    mark = found
    quietLooks = 0
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
      // A database that cannot be read just now is looked at again in a second.
      if (watchers.size === 0) timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS)
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
  let isOver = false
  let goOn = () => {}
  const watcher: Wakeable = {
    async next() {
      if (!hasNews && !isOver) await new Promise<void>((resolve) => (goOn = resolve))
      hasNews = false
      return !isOver
    },
    wake() {
      hasNews = true
      goOn()
    },
    end() {
      isOver = true
      onEnd(watcher)
      goOn()
    },
  }
  return watcher
}

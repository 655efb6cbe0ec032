import { shareRuns } from '../../concurrency/share-runs'
import type { ChangedTopics, ChangeFollower, Changes } from '../engine'

const LOOK_EVERY_MS = 1_000
/** How old what has been told of may be. */
const MAX_AGE_MS = 2_000
/** Changes are not kept for long. */
const MAX_PAUSE_MS = 60_000

/** Looks once a second, while anybody asks, and after a transaction of this process. */
export function createPostgresFollower(
  readChanges: (since: string | undefined) => Promise<Changes>,
): ChangeFollower {
  const listeners: ((changed: ChangedTopics) => void)[] = []
  let mark: string | undefined
  /** When the last look began, and the number of commits that it saw. */
  let last = { beganAt: -Infinity, commits: 0 }
  let commits = 0
  let timer: NodeJS.Timeout | undefined
  let isAsked = false

  async function look(): Promise<void> {
    const began = { beganAt: performance.now(), commits }
    const isLate = mark === undefined || began.beganAt - last.beganAt > MAX_PAUSE_MS
    const { topics, mark: newest } = await readChanges(mark)
    mark = newest
    last = began
    for (const listener of listeners) listener(isLate ? 'all' : topics)
  }

  const lookAnew = shareRuns(look)

  function keepLooking(): void {
    isAsked = true
    timer ??= setInterval(() => {
      if (isAsked) {
        void lookAnew().catch(() => undefined)
      } else {
        clearInterval(timer)
        timer = undefined
      }
      isAsked = false
    }, LOOK_EVERY_MS).unref()
  }

  function isCaughtUp(): boolean {
    keepLooking()
    return last.commits === commits && performance.now() - last.beganAt < MAX_AGE_MS
  }

  return {
    isImmediate: false,
    isCaughtUp,
    catchUp: lookAnew,
    listen: (listener) => void listeners.push(listener),
    noteCommit() {
      commits += 1
    },
  }
}

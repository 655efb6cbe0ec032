import type { FeedReader, TaskKind } from '../feed-reader'
import type { ChildCommand, ChildEnd } from './child-link'
import { createLanes } from './lanes'
import { createOrphanGuard } from './orphan-guard'
import { type ReadingProcess, startReadingProcess } from './reading-process'
import { type TaskLimits, defaultTaskLimits } from './task-limits'

/** One process stays for the next task; the others end after so long without one. */
const IDLE_MS = 60_000

export interface ChildReaderOptions {
  command: ChildCommand
  /** How many tasks of each kind run at once. */
  concurrency: Record<TaskKind, number>
  limits?: Partial<TaskLimits>
  /** Is told of each process that ends by itself, or is ended over a task. */
  onDeath: (end: ChildEnd) => void
}

/** Reads feeds in processes of their own, each of which has one task at a time. */
export function createChildReader(options: ChildReaderOptions): FeedReader {
  const limits = { ...defaultTaskLimits, ...options.limits }
  const lanes = createLanes(options.concurrency)
  const pool = createPool(() => startReadingProcess(options.command, limits), options.onDeath)
  const closing = new AbortController()
  return {
    run: (kind, task, { signal, ...rest }) =>
      lanes.enter(kind, signal, async () => {
        const child = await pool.take()
        try {
          const either = AbortSignal.any([signal, closing.signal])
          return await child.run(kind, task, { ...rest, signal: either })
        } finally {
          pool.giveBack(child)
        }
      }),
    async close() {
      closing.abort(new Error('The program is stopping'))
      await lanes.idle()
      await pool.close()
    },
  }
}

/** The processes that there are, and those of them that have nothing to do. */
function createPool(start: () => Promise<ReadingProcess>, onDeath: (end: ChildEnd) => void) {
  const all = new Set<ReadingProcess>()
  const idle = new Map<ReadingProcess, NodeJS.Timeout>()
  const ending = new Set<ReadingProcess>()
  const orphanGuard = createOrphanGuard()

  const end = (child: ReadingProcess) => {
    clearTimeout(idle.get(child))
    idle.delete(child)
    ending.add(child)
    return child.end()
  }
  const endUnlessLast = (child: ReadingProcess) => {
    if (idle.size > 1) void end(child)
  }
  const forget = async (child: ReadingProcess) => {
    const how = await child.gone
    clearTimeout(idle.get(child))
    idle.delete(child)
    all.delete(child)
    orphanGuard.remove(child.pid)
    if (!ending.delete(child)) onDeath(how)
  }
  const startOne = async () => {
    const child = await start()
    all.add(child)
    orphanGuard.add(child.pid)
    void forget(child)
    return child
  }
  return {
    async take(): Promise<ReadingProcess> {
      // The one that was used last: the others come to their end.
      const child = [...idle.keys()].findLast((candidate) => candidate.isReusable())
      if (!child) return startOne()
      clearTimeout(idle.get(child))
      idle.delete(child)
      return child
    },
    giveBack(child: ReadingProcess): void {
      if (!child.isReusable()) return void end(child)
      const timer = setTimeout(endUnlessLast, IDLE_MS, child)
      timer.unref()
      idle.set(child, timer)
    },
    async close(): Promise<void> {
      await Promise.all([...all].map(end))
      orphanGuard.close()
    },
  }
}

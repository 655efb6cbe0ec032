import type { FeedReader, TaskKind } from '../feed-reader'
import { createKeyedSemaphore } from '../fetch/keyed-semaphore'
import type { ChildCommand, ChildExit } from './child-link'
import { createOrphanGuard } from './orphan-guard'
import { type ReaderProcess, startReaderProcess } from './reader-process'
import { type TaskLimits, defaultTaskLimits } from './task-limits'

/** One process stays for the next task; the others end after so long without one. */
const IDLE_MS = 60_000

export interface ChildReaderOptions {
  command: ChildCommand
  /** How many tasks of each kind run at once. */
  concurrency: Record<TaskKind, number>
  limits?: Partial<TaskLimits>
  /** Is told of each process that ends by itself, or is ended over a task. */
  onUnexpectedExit: (end: ChildExit) => void
}

/** Reads feeds in processes of their own, each of which has one task at a time. */
export function createChildReader(options: ChildReaderOptions): FeedReader {
  const limits = { ...defaultTaskLimits, ...options.limits }
  const lanes = createKeyedSemaphore<TaskKind>((kind) => options.concurrency[kind])
  const pool = createPool(
    () => startReaderProcess(options.command, limits),
    options.onUnexpectedExit,
  )
  const closing = new AbortController()
  const working = new Set<Promise<unknown>>()

  const run: FeedReader['run'] = async (kind, task, taskOptions) => {
    const signal = AbortSignal.any([taskOptions.signal, closing.signal])
    const leave = await lanes.enter(kind, signal)
    try {
      const child = await pool.take()
      try {
        return await child.run(kind, task, { ...taskOptions, signal })
      } finally {
        pool.giveBack(child)
      }
    } finally {
      leave()
    }
  }
  return {
    async run(...task) {
      const work = run(...task)
      working.add(work)
      try {
        return await work
      } finally {
        working.delete(work)
      }
    },
    async close() {
      closing.abort(new Error('The program is stopping'))
      await Promise.allSettled(working)
      await pool.close()
    },
  }
}

/** The processes that there are, and those of them that have nothing to do. */
function createPool(
  start: () => Promise<ReaderProcess>,
  onUnexpectedExit: (end: ChildExit) => void,
) {
  const all = new Set<ReaderProcess>()
  const idle = new Map<ReaderProcess, NodeJS.Timeout>()
  const orphanGuard = createOrphanGuard()

  const takeFromIdle = (child: ReaderProcess) => {
    clearTimeout(idle.get(child))
    idle.delete(child)
  }
  const end = (child: ReaderProcess) => {
    takeFromIdle(child)
    return child.end()
  }
  const endUnlessLast = (child: ReaderProcess) => {
    if (idle.size > 1) void end(child)
  }
  const forget = async (child: ReaderProcess) => {
    const how = await child.exited
    takeFromIdle(child)
    all.delete(child)
    orphanGuard.remove(child.pid)
    // One that was asked to end says that all went well.
    if (how.code !== 0) onUnexpectedExit(how)
  }
  const startOne = async () => {
    const child = await start()
    all.add(child)
    orphanGuard.add(child.pid)
    void forget(child)
    return child
  }
  return {
    async take(): Promise<ReaderProcess> {
      // The one that was used last: the others come to their end.
      const child = [...idle.keys()].findLast((candidate) => candidate.isReusable())
      if (!child) return startOne()
      takeFromIdle(child)
      return child
    },
    giveBack(child: ReaderProcess): void {
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

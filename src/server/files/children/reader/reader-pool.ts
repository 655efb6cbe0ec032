import { MINUTE_MS } from '../../../../shared/durations'
import type { TaskRunner } from '../../tasks/task-context'
import { type ChildCommand, type ChildWatch, watchChild } from '../child-link'
import { type ReaderProcess, startReaderProcess } from './reader-process'
import { type TaskLimits, defaultTaskLimits } from './task-limits'

/** One idle process is kept; the others are ended after being idle for this long. */
const IDLE_MS = MINUTE_MS

export interface ReaderPoolOptions {
  command: ChildCommand
  limits?: Partial<TaskLimits> | undefined
  watch: ChildWatch
}

/** Runs tasks in child processes, each of which runs one task at a time. */
export function createReaderPool(
  options: ReaderPoolOptions,
): TaskRunner & { close(): Promise<void> } {
  const { command, watch } = options
  const limits = { ...defaultTaskLimits, ...options.limits }
  const pool = createPool(() => startReaderProcess(command, limits), watch)
  return {
    async run(kind, task, taskOptions) {
      const child = await pool.take()
      try {
        return await child.run(kind, task, taskOptions)
      } finally {
        pool.release(child)
      }
    },
    close: pool.close,
  }
}

/** All child processes, and which of them are idle. */
function createPool(start: () => Promise<ReaderProcess>, watch: ChildWatch) {
  const all = new Set<ReaderProcess>()
  const idle = new Map<ReaderProcess, NodeJS.Timeout>()

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
  const removeOnExit = async (child: ReaderProcess) => {
    await watchChild(child, watch)
    takeFromIdle(child)
    all.delete(child)
  }
  const startOne = async () => {
    const child = await start()
    all.add(child)
    void removeOnExit(child)
    return child
  }
  return {
    async take(): Promise<ReaderProcess> {
      // Reuses the most recently used one, so that the others stay idle until they are ended.
      const child = [...idle.keys()].findLast((candidate) => candidate.isReusable())
      if (!child) return startOne()
      takeFromIdle(child)
      return child
    },
    release(child: ReaderProcess): void {
      if (!child.isReusable()) return void end(child)
      const timer = setTimeout(endUnlessLast, IDLE_MS, child)
      timer.unref()
      idle.set(child, timer)
    },
    async close(): Promise<void> {
      await Promise.all([...all].map(end))
    },
  }
}

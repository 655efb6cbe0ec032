import { MINUTE_MS } from '../../../shared/durations'
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore'
import type { FileReaders, TaskKind } from '../file-readers'
import type { ChildCommand, ChildExit } from './child-link'
import { createOrphanGuard } from './orphan-guard'
import { type ReaderProcess, startReaderProcess } from './reader-process'
import { type TaskLimits, defaultTaskLimits } from './task-limits'

/** One idle process is kept; the others are ended after being idle for this long. */
const IDLE_MS = MINUTE_MS

export interface ChildReaderOptions {
  command: ChildCommand
  /** How many tasks of each kind run at once; the others wait. */
  concurrency: Record<TaskKind, number>
  limits?: Partial<TaskLimits>
  /** Called for each process that crashed, exited with an error or was killed. */
  onUnexpectedExit: (exit: ChildExit) => void
}

/** A file reader that runs its tasks in child processes, each of which runs one task at a time. */
export function createChildReader(options: ChildReaderOptions): FileReaders {
  const limits = { ...defaultTaskLimits, ...options.limits }
  const slots = createKeyedSemaphore<TaskKind>((kind) => options.concurrency[kind])
  const pool = createPool(
    () => startReaderProcess(options.command, limits),
    options.onUnexpectedExit,
  )
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const run: FileReaders['run'] = async (kind, task, taskOptions) => {
    const signal = AbortSignal.any([taskOptions.signal, closing.signal])
    const releaseSlot = await slots.acquire(kind, signal)
    try {
      const child = await pool.take()
      try {
        return await child.run(kind, task, { ...taskOptions, signal })
      } finally {
        pool.release(child)
      }
    } finally {
      releaseSlot()
    }
  }
  return {
    async run(...task) {
      const work = run(...task)
      running.add(work)
      try {
        return await work
      } finally {
        running.delete(work)
      }
    },
    async close() {
      closing.abort(new Error('The program is stopping'))
      await Promise.allSettled(running)
      await pool.close()
    },
  }
}

/** All child processes, and which of them are idle. */
function createPool(
  start: () => Promise<ReaderProcess>,
  onUnexpectedExit: (exit: ChildExit) => void,
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
  const removeOnExit = async (child: ReaderProcess) => {
    const exit = await child.exited
    takeFromIdle(child)
    all.delete(child)
    orphanGuard.remove(child.pid)
    // A process that was asked to end exits with 0.
    if (exit.code !== 0) onUnexpectedExit(exit)
  }
  const startOne = async () => {
    const child = await start()
    all.add(child)
    orphanGuard.add(child.pid)
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
      orphanGuard.close()
    },
  }
}

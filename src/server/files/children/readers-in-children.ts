import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore'
import { fetchAndRun } from '../fetch-and-run'
import type { FileReaders, TaskKind } from '../file-readers'
import type { ChildCommand, ChildExit } from './child-link'
import { createFetcherProcess } from './fetcher/fetcher-process'
import { createOrphanGuard } from './orphan-guard'
import { createReaderPool } from './reader/reader-pool'
import type { TaskLimits } from './reader/task-limits'

export interface ChildReadersOptions {
  commands: { fetcher: ChildCommand; reader: ChildCommand }
  /** How many tasks of each kind run at once; the others wait. */
  concurrency: Record<TaskKind, number>
  limits?: Partial<TaskLimits>
  /** Called for each process that crashed, exited with an error or was killed. */
  onUnexpectedExit: (exit: ChildExit) => void
}

/** Fetches in one child process, and reads in others that have no network and no files of their own. */
export function createChildReaders(options: ChildReadersOptions): FileReaders {
  const { commands, concurrency, limits, onUnexpectedExit } = options
  const slots = createKeyedSemaphore<TaskKind>((kind) => concurrency[kind])
  const orphanGuard = createOrphanGuard()
  const watch = { orphanGuard, onUnexpectedExit }
  const fetcher = createFetcherProcess(commands.fetcher, watch)
  const tasks = createReaderPool({ command: commands.reader, limits, watch })
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const run: FileReaders['run'] = async (kind, task, taskOptions) => {
    const signal = AbortSignal.any([taskOptions.signal, closing.signal])
    const releaseSlot = await slots.acquire(kind, signal)
    try {
      return await fetchAndRun(kind, task, { ...taskOptions, signal }, { fetcher, tasks })
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
      await Promise.all([tasks.close(), fetcher.close()])
      orphanGuard.close()
    },
  }
}

import { DomainError } from '../domain/errors'
import { runInThread } from '../process/run-in-thread'
import { RUN_SOURCES } from '../process/source-options'
import { notUsable } from './restore-trust'

export type PrepareTask = { path: string; now: number }
/** What went wrong; undefined when nothing did. */
export type Prepared = { message: string; isUnwritable: boolean } | undefined

/**
 * As `prepareDatabase`, in a thread of its own: a migration may take minutes.
 * @throws DomainError when the database cannot be brought to the newest schema; the reason of `signal`
 */
export async function prepareInThread(
  path: string,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const isBuilt = import.meta.url.endsWith('.js')
  const program = new URL(isBuilt ? './prepare-worker.js' : './prepare-worker.ts', import.meta.url)
  const task: PrepareTask = { path, now }
  const options = { workerData: task, execArgv: isBuilt ? [] : RUN_SOURCES }
  const what = 'The thread that prepares a database'
  const problem = await runInThread<Prepared>(what, program, options, signal)
  if (problem?.isUnwritable) {
    throw new DomainError('UNAVAILABLE', 'The disk is full or cannot be written')
  }
  if (problem) throw notUsable(`its database cannot be prepared: ${problem.message}`)
}

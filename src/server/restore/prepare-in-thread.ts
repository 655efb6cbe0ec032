import { Worker } from 'node:worker_threads'

import { DomainError } from '../domain/errors'
import { RUN_SOURCES } from '../files/children/child-command'
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
  signal.throwIfAborted()
  const isBuilt = import.meta.url.endsWith('.js')
  const program = new URL(isBuilt ? './prepare-worker.js' : './prepare-worker.ts', import.meta.url)
  const task: PrepareTask = { path, now }
  const worker = new Worker(program, { workerData: task, execArgv: isBuilt ? [] : RUN_SOURCES })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    const problem = await new Promise<Prepared>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      // After a message or an error, this has no effect.
      worker.once('exit', () =>
        reject(
          signal.reason ?? new Error('The thread that prepares a database exited unexpectedly'),
        ),
      )
    })
    if (problem?.isUnwritable) {
      throw new DomainError('UNAVAILABLE', 'The disk is full or cannot be written')
    }
    if (problem) throw notUsable(`its database cannot be prepared: ${problem.message}`)
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

import { Worker } from 'node:worker_threads'

import { DRIVER, SQL_PROGRAM, toRows, type RunSql, type SqlResponse } from './sql-program'

/**
 * Runs statements on a read-only connection of their own, in a thread: what reads a whole database
 * would hold up every request otherwise.
 * @throws what SQLite says, or the reason of `signal`. SQLite finishes its statement first: when this
 * rejects, nothing reads or writes any more.
 */
export const runSqlInThread: RunSql = async (file, statements, signal) => {
  signal.throwIfAborted()
  const worker = new Worker(SQL_PROGRAM, {
    eval: true,
    workerData: { driver: DRIVER, file, statements },
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    const answer = await new Promise<SqlResponse>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      // After an answer or an error, this changes nothing.
      worker.once('exit', () =>
        reject(signal.reason ?? new Error('The SQL thread exited unexpectedly')),
      )
    })
    return toRows(answer)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

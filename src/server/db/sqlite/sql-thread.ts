import { Worker } from 'node:worker_threads'

import { SQL_WORKER, toRows, type RunSql, type SqlResponse } from './run-sql'

/**
 * Runs statements on a separate read-only connection in a thread: reading a whole database in the main
 * thread would block every request.
 * @throws SQLite's error, or the reason of `signal`. SQLite finishes the current statement first, so
 * that nothing reads or writes after this has rejected.
 */
export const runSqlInThread: RunSql = async (file, statements, signal) => {
  signal.throwIfAborted()
  const worker = new Worker(SQL_WORKER, { workerData: { file, statements } })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    const response = await new Promise<SqlResponse>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      // After a message or an error, this has no effect.
      worker.once('exit', () =>
        reject(signal.reason ?? new Error('The SQL thread exited unexpectedly')),
      )
    })
    return toRows(response)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

import { runInThread } from '../../process/run-in-thread'
import { SQL_WORKER, toRows, type RunSql, type SqlResponse } from './run-sql'

/**
 * Runs statements on a separate read-only connection in a thread: reading a whole database in the main
 * thread would block every request.
 * @throws SQLite's error, or the reason of `signal`. SQLite finishes the current statement first, so
 * that nothing reads or writes after this has rejected.
 */
export const runSqlInThread: RunSql = async (file, statements, signal) => {
  const workerData = { file, statements }
  return toRows(
    await runInThread<SqlResponse>('The SQL thread', SQL_WORKER, { workerData }, signal),
  )
}

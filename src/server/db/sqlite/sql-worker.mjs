// Runs statements on a read-only connection: as a thread, or as a process that starts such a thread.
// In JavaScript, because Node starts it from the sources as well: compiling it would take longer than
// most statements.
import '../../process/without-debugger.mjs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import BetterSqlite3 from 'better-sqlite3'

/** @import { SqlResponse, SqlRow, SqlTask } from './run-sql' */

if (isMainThread) serveParent()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
else parentPort?.postMessage(runStatements(workerData))

/** Leaves the main thread of a process free to notice that its parent has disconnected. */
function serveParent() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.once('message', (task) => {
    const worker = new Worker(import.meta.filename, { workerData: task })
    worker.once('message', (response) => process.send?.(response))
  })
}

/**
 * The schema of the file is not trusted: its views and triggers may call only functions without side
 * effects, and no extension is ever loaded.
 * @param {SqlTask} task
 * @returns {SqlResponse}
 */
function runStatements({ file, statements }) {
  /** @type {BetterSqlite3.Database | undefined} */
  let sqlite
  try {
    const database = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
    sqlite = database
    database.pragma('trusted_schema = OFF')
    database.pragma('cell_size_check = ON')
    return { results: statements.map((statement) => run(database, statement)) }
  } catch (error) {
    // The driver's error objects lose their message when they are posted between threads.
    const { message, code } = /** @type {Error & { code: string }} */ (error)
    return { problem: { message, code } }
  } finally {
    sqlite?.close()
  }
}

/**
 * @param {BetterSqlite3.Database} sqlite
 * @param {SqlTask['statements'][0]} statement
 * @returns {SqlRow[]}
 */
function run(sqlite, { sql, parameters = [] }) {
  const statement = sqlite.prepare(sql)
  if (statement.reader) return /** @type {SqlRow[]} */ (statement.all(...parameters))
  statement.run(...parameters)
  return []
}

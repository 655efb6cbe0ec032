// Runs statements on a read-only connection: as a thread, or as a process that starts such a thread.
// Node runs this file without a compiler: it imports no other module of the product.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import BetterSqlite3 from 'better-sqlite3'

import type { SqlResponse, SqlRow, SqlTask } from './run-sql'

if (isMainThread) serveParent()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
else parentPort?.postMessage(runStatements(workerData as SqlTask))

/** Leaves the main thread of a process free to notice that its parent has disconnected. */
function serveParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.once('message', (task) => {
    const worker = new Worker(import.meta.filename, { workerData: task })
    worker.once('message', (response) => process.send?.(response))
  })
}

/**
 * The schema of the file is not trusted: its views and triggers may call only functions without side
 * effects, and no extension is ever loaded.
 */
function runStatements({ file, statements }: SqlTask): SqlResponse {
  let sqlite: BetterSqlite3.Database | undefined
  try {
    sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
    sqlite.pragma('trusted_schema = OFF')
    sqlite.pragma('cell_size_check = ON')
    return { results: statements.map((statement) => run(sqlite!, statement)) }
  } catch (error) {
    // The driver's error objects lose their message when they are posted between threads.
    const { message, code } = error as { message: string; code?: string }
    return { problem: { message, ...(code !== undefined && { code }) } }
  } finally {
    sqlite?.close()
  }
}

function run(sqlite: BetterSqlite3.Database, { sql, parameters = [] }: SqlTask['statements'][0]) {
  const statement = sqlite.prepare(sql)
  if (statement.reader) return statement.all(...parameters) as SqlRow[]
  statement.run(...parameters)
  return []
}

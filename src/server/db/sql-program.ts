import { createRequire } from 'node:module'

type SqlStatement = { sql: string; parameters?: unknown[] }
export type SqlRow = Record<string, unknown>

/**
 * Runs statements on a separate read-only connection, without blocking the event loop.
 * @returns the rows of each statement
 */
export type RunSql = (
  file: string,
  statements: SqlStatement[],
  signal: AbortSignal,
) => Promise<SqlRow[][]>

export const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3')

/**
 * The program of a thread that runs statements, as text, so that the sources and the build need no
 * separate file for it. The schema of the database file is not trusted: its views and triggers may call
 * only functions without side effects, and no extension is ever loaded.
 */
export const SQL_PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Database = require(workerData.driver)
  let sqlite
  const run = ({ sql, parameters = [] }) => {
    const statement = sqlite.prepare(sql)
    return statement.reader ? statement.all(...parameters) : (statement.run(...parameters), [])
  }
  try {
    sqlite = new Database(workerData.file, { readonly: true, fileMustExist: true })
    sqlite.pragma('trusted_schema = OFF')
    sqlite.pragma('cell_size_check = ON')
    parentPort.postMessage({ results: workerData.statements.map(run) })
  } catch ({ message, code }) {
    // The driver's error objects lose their message when they are posted between threads.
    parentPort.postMessage({ problem: { message, code } })
  } finally {
    sqlite?.close()
  }
`

/** The message that the program posts, once. */
export type SqlResponse = { results: SqlRow[][] } | { problem: { message: string; code?: string } }

/** @throws SQLite's error, with its code */
export function toRows(response: SqlResponse): SqlRow[][] {
  if ('results' in response) return response.results
  throw Object.assign(new Error(response.problem.message), { code: response.problem.code })
}

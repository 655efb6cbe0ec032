import { createRequire } from 'node:module'

type SqlStatement = { sql: string; parameters?: unknown[] }
export type SqlRow = Record<string, unknown>

/**
 * Runs statements on a read-only connection of their own, outside of the event loop.
 * @returns the rows of each statement
 */
export type RunSql = (
  file: string,
  statements: SqlStatement[],
  signal: AbortSignal,
) => Promise<SqlRow[][]>

export const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3')

/**
 * What a thread does to run statements, as text, so that it is the same from the sources and from the
 * build, without a file of its own. The schema of the file is not trusted: nothing in it may call a
 * function that does more than reckon, and no extension is ever loaded.
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
    // The driver's errors lose their text on the way between threads.
    parentPort.postMessage({ problem: { message, code } })
  } finally {
    sqlite?.close()
  }
`

/** What the program answers, once. */
export type SqlResponse = { results: SqlRow[][] } | { problem: { message: string; code?: string } }

/** @throws what SQLite said */
export function toRows(answer: SqlResponse): SqlRow[][] {
  if ('results' in answer) return answer.results
  throw Object.assign(new Error(answer.problem.message), { code: answer.problem.code })
}

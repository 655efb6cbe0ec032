import { fileURLToPath } from 'node:url'

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

/** What `sql-worker` is given. */
export type SqlTask = { file: string; statements: SqlStatement[] }

/** The message that `sql-worker` posts, once. */
export type SqlResponse = { results: SqlRow[][] } | { problem: { message: string; code?: string } }

const isBuilt = import.meta.url.endsWith('.js')
/** Path of the program that runs statements in a thread or process. */
export const SQL_WORKER = fileURLToPath(
  new URL(isBuilt ? './sql-worker.js' : './sql-worker.mjs', import.meta.url),
)

/** @throws SQLite's error, with its code */
export function toRows(response: SqlResponse): SqlRow[][] {
  if ('results' in response) return response.results
  throw Object.assign(new Error(response.problem.message), { code: response.problem.code })
}

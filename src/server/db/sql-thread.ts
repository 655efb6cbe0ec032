import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

export type SqlStatement = { sql: string; parameters?: unknown[] }
export type SqlRow = Record<string, unknown>

const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3')

/** As text, so that it is the same from the sources and from the build, without a file of its own. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Database = require(workerData.driver)
  let sqlite
  const run = ({ sql, parameters = [] }) => {
    const statement = sqlite.prepare(sql)
    return statement.reader ? statement.all(...parameters) : (statement.run(...parameters), [])
  }
  try {
    sqlite = new Database(workerData.file, { readonly: true, fileMustExist: true })
    parentPort.postMessage({ results: workerData.statements.map(run) })
  } catch ({ message, code }) {
    // The driver's errors lose their text on the way between threads.
    parentPort.postMessage({ problem: { message, code } })
  } finally {
    sqlite?.close()
  }
`

type Answer = { results: SqlRow[][] } | { problem: { message: string; code?: string } }

/**
 * Runs statements on a read-only connection of their own, in a thread: what reads a whole database
 * would hold up every request otherwise.
 * @returns the rows of each statement
 * @throws what SQLite says, or the reason of `signal`. SQLite finishes its statement first: when this
 * rejects, nothing reads or writes any more.
 */
export async function runSqlInThread(
  file: string,
  statements: SqlStatement[],
  signal: AbortSignal,
): Promise<SqlRow[][]> {
  signal.throwIfAborted()
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { driver: DRIVER, file, statements },
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<SqlRow[][]>((resolve, reject) => {
      worker.once('message', (answer: Answer) => {
        if ('results' in answer) resolve(answer.results)
        else reject(Object.assign(new Error(answer.problem.message), { code: answer.problem.code }))
      })
      worker.once('error', reject)
      // After an answer or an error, this changes nothing.
      worker.once('exit', () => reject(signal.reason ?? new Error('The SQL thread has ended')))
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

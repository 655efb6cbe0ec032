import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { DRIVER, SQL_PROGRAM, toRows, type RunSql, type SqlResponse } from './sql-program'

/** Statements that could not be brought to an end, and why. */
export class SqlProcessError extends Error {}

/** The statements run in a thread of the process, so that it sees when nobody waits any more. */
const PROCESS_PROGRAM = `
  const { Worker } = require('node:worker_threads')
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.once('message', ({ program, workerData }) => {
    const worker = new Worker(program, { eval: true, workerData })
    worker.once('message', (answer) => process.send(answer))
  })
`

/**
 * Runs statements on a file that may be hostile, in a process of their own without our environment. A
 * few kilobytes can keep SQLite busy for ever as soon as it reads the schema, and a thread cannot be
 * stopped inside a statement; a process can.
 * @param limitMs how long the statements of one call may take
 * @throws what SQLite says, SqlProcessError, or the reason of `signal`; nothing reads any more then
 */
export function limitSql(limitMs: number): RunSql {
  return async (file, statements, signal) => {
    signal.throwIfAborted()
    const expiry = new AbortController()
    const timer = setTimeout(() => expiry.abort(new SqlProcessError('it takes too long')), limitMs)
    const child = spawn(process.execPath, ['--eval', PROCESS_PROGRAM], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    try {
      const workerData = { driver: DRIVER, file, statements }
      const task = { program: SQL_PROGRAM, workerData }
      return toRows(await ask(child, task, AbortSignal.any([signal, expiry.signal])))
    } finally {
      clearTimeout(timer)
      await end(child)
    }
  }
}

function ask(child: ChildProcess, task: object, signal: AbortSignal): Promise<SqlResponse> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
    child.once('message', (answer) => resolve(answer as SqlResponse))
    child.once('error', reject)
    child.once('disconnect', () => reject(new SqlProcessError('its process exited unexpectedly')))
    child.send(task, (error) => error && reject(error))
  })
}

async function end(child: ChildProcess): Promise<void> {
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null
  if (!isRunning) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

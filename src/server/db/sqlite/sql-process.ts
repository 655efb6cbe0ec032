import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { startDeadline } from '../../concurrency/deadline'
import { WITHOUT_DEBUGGER } from '../../process/without-debugger.mjs'
import { SQL_WORKER, toRows, type RunSql, type SqlResponse, type SqlTask } from './run-sql'

/** Why statements did not finish. */
export class SqlProcessError extends Error {}

/**
 * Runs statements on a possibly hostile file, in a separate process without our environment. A file of
 * a few kilobytes can keep SQLite busy forever as soon as it reads the schema, and unlike a process, a
 * thread cannot be stopped in the middle of a statement.
 * @param limitMs the time limit for all statements of one call together
 * @throws SQLite's error, SqlProcessError, or the reason of `signal`; nothing reads the file after that
 */
export function limitSql(limitMs: number): RunSql {
  return async (file, statements, signal) => {
    signal.throwIfAborted()
    const tooLong = () => new SqlProcessError('it takes too long')
    const deadline = startDeadline(limitMs, tooLong, signal)
    const child = spawn(process.execPath, [...WITHOUT_DEBUGGER, SQL_WORKER], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    try {
      const task = { file, statements }
      return toRows(await ask(child, task, deadline.signal))
    } finally {
      deadline.clear()
      await end(child)
    }
  }
}

function ask(child: ChildProcess, task: SqlTask, signal: AbortSignal): Promise<SqlResponse> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
    child.once('message', (response) => resolve(response as SqlResponse))
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

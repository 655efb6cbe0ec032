import { codeOf } from '../../process/error-code'
import { FileError } from '../file-error'
import type { FileTasks, TaskKind, TaskOptions, TaskProgress } from '../file-readers'
import { receiveMessages, sendMessage } from './lines'
import {
  CATEGORIES_PER_MESSAGE,
  type Failure,
  type FromChild,
  MAX_MESSAGE_BYTES,
  type ToChild,
} from './messages'
import { createRemoteHostGate } from './remote-host-gate'

const PROGRESS_EVERY_MS = 200

type RunTask = (
  kind: TaskKind,
  task: FileTasks[TaskKind]['task'],
  options: TaskOptions,
) => Promise<FileTasks[TaskKind]['result']>

/**
 * Makes this process run tasks for its parent, one at a time. It receives messages on standard input
 * and sends them on standard output, one line of JSON each; standard error has other errors.
 */
export function serveTasks(runTask: RunTask): void {
  let running: AbortController | undefined
  const hosts = createRemoteHostGate(send)

  async function start({ kind, task }: ToChild & { type: 'start' }): Promise<void> {
    running = new AbortController()
    const { signal } = running
    const progress = createProgressSender()
    try {
      const result = await runTask(kind, task, { signal, hosts, onProgress: progress.update })
      progress.end()
      send({ type: 'done', result: sendCategories(result) })
    } catch (error) {
      progress.end()
      send({ type: 'failed', failure: describe(error, signal) })
    } finally {
      running = undefined
    }
  }

  // A terminal also sends these signals to the parent, which ends this process when its work is done.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)
  receiveMessages(
    process.stdin,
    MAX_MESSAGE_BYTES,
    (line) => {
      const message = line as ToChild
      if (message.type === 'start') void start(message)
      else if (message.type === 'entered') hosts.admit(message.slot)
      else running?.abort(new Error('The task was aborted'))
    },
    () => process.exit(1),
  )
  process.stdin.once('end', () => process.exit(0))
  send({ type: 'ready' })
}

function send(message: FromChild): void {
  sendMessage(process.stdout, message)
}

/** Throttles progress, which is updated with every chunk, to five messages per second. */
function createProgressSender() {
  let latest: TaskProgress | undefined
  let timer: NodeJS.Timeout | undefined
  const sendLatest = () => {
    timer = undefined
    if (!latest) return
    send({ type: 'progress', progress: latest })
    latest = undefined
    timer = setTimeout(sendLatest, PROGRESS_EVERY_MS)
  }
  return {
    update(progress: TaskProgress): void {
      latest = progress
      if (!timer) sendLatest()
    },
    end(): void {
      clearTimeout(timer)
      if (latest) send({ type: 'progress', progress: latest })
      latest = undefined
    },
  }
}

/** Sends the category counts, which may exceed one message, and returns the rest of the result. */
function sendCategories(result: FileTasks[TaskKind]['result']): unknown {
  if (!('report' in result)) return result
  const { categoryCounts, ...report } = result.report
  for (let at = 0; at < categoryCounts.length; at += CATEGORIES_PER_MESSAGE) {
    const some = categoryCounts.slice(at, at + CATEGORIES_PER_MESSAGE)
    send({ type: 'categories', counts: some.map(({ cell, rows }) => [cell, rows]) })
  }
  return { ...result, report }
}

function describe(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof FileError) {
    const { code, message, line, retryAfterMs } = error
    return {
      kind: 'file',
      code,
      message,
      ...(line !== undefined && { line }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
  if (signal.aborted) return { kind: 'aborted' }
  const code = codeOf(error)
  if (error instanceof Error && code !== '') {
    return { kind: 'system', code, message: error.message.slice(0, 2_000) }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'fault', message: text.slice(0, 20_000) }
}

import type { FileTasks, TaskKind, TaskProgress } from '../../file-readers'
import { forgetTaskMemory, freeTaskMemory, keepTaskMemory } from '../../task-memory'
import type { TaskContext } from '../../tasks/task-context'
import { toFailure } from '../failure'
import { serveParent } from '../serve-parent'
import { CATEGORIES_PER_MESSAGE, type FromReader, MESSAGE_LIMITS, type ToReader } from './messages'
import { createRemoteFiles, type RemoteFiles } from './remote-files'

const PROGRESS_EVERY_MS = 200

type RunTask = (
  kind: TaskKind,
  task: FileTasks[TaskKind]['task'],
  context: Omit<TaskContext, 'maxBytes'>,
) => Promise<FileTasks[TaskKind]['result']>

/** Makes this process run tasks for its parent, one at a time. */
export function serveTasks(runTask: RunTask): void {
  keepTaskMemory()
  let running: { files: RemoteFiles; abort: () => void } | undefined

  async function start({ kind, task, content, filled }: ToReader & { type: 'start' }) {
    const aborting = new AbortController()
    const { signal } = aborting
    const files = createRemoteFiles(
      (id, request, bytes) => send({ type: 'ask', id, request }, [bytes]),
      filled,
    )
    running = { files, abort: () => aborting.abort(new Error('The task was aborted')) }
    const progress = createProgressSender()
    try {
      const context = {
        files,
        content: content && { ...content, body: files.body },
        signal,
        onProgress: progress.update,
      }
      const result = await runTask(kind, task, context)
      progress.end()
      send({ type: 'done', result: sendCategories(result) })
      freeTaskMemory()
    } catch (error) {
      progress.end()
      send({ type: 'failed', failure: toFailure(error, signal) })
      // A part of the task may end later.
      forgetTaskMemory()
    }
  }

  const send: (message: FromReader, bytes?: readonly Uint8Array[]) => void = serveParent(
    MESSAGE_LIMITS,
    (line, bytes) => {
      const message = line as ToReader
      if (message.type === 'start') void start(message)
      else if (message.type === 'abort') running?.abort()
      else running?.files.take(message, bytes)
    },
  )

  /** Throttles progress, which is updated with every chunk, to five messages per second; a short task has one. */
  function createProgressSender() {
    let latest: TaskProgress | undefined
    let timer: NodeJS.Timeout | undefined
    const sendLatest = () => {
      timer = undefined
      if (latest) send({ type: 'progress', progress: latest })
      latest = undefined
    }
    return {
      update(progress: TaskProgress): void {
        latest = progress
        timer ??= setTimeout(sendLatest, PROGRESS_EVERY_MS)
      },
      end(): void {
        clearTimeout(timer)
        sendLatest()
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
}

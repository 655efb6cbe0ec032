import { Worker } from 'node:worker_threads'

import { RUN_SOURCES } from '../../process/source-options'
import type { FileReaders, FileTasks, TaskKind, TaskOptions, TaskOrMaker } from '../file-readers'
import { fromFailure } from './failure'
import { createHostSlots, type HostSlots } from './fetcher/host-slots'
import type { ChildReadersOptions } from './readers-in-children'
import type { FromThread, ToThread } from './thread-messages'

/** A task that the thread has not ended. */
interface Running {
  task: TaskOrMaker<TaskKind>
  options: TaskOptions
  slots: HostSlots
  ended: PromiseWithResolvers<unknown>
}

/**
 * As `createChildReaders`, in a thread of its own: bytes on their way between fetchers, readers and files take no
 * time of those who serve requests. The thread is started by the first task.
 */
export function createThreadedReaders(options: ChildReadersOptions): FileReaders {
  const { onUnexpectedExit, ...settings } = options
  const running = new Map<number, Running>()
  let thread: Worker | undefined
  let lastId = 0

  const take = (message: FromThread) => {
    if (message.type === 'exit') return onUnexpectedExit(message.exit)
    const task = running.get(message.id)
    if (!task) return
    switch (message.type) {
      case 'progress':
        return task.options.onProgress?.(message.progress)
      case 'make':
        return void make(message.id, task)
      case 'enter':
        return task.slots.enter(message.slot, message.host)
      case 'leave':
        return task.slots.leave(message.slot)
      case 'done':
        return task.ended.resolve(message.result)
      case 'failed':
        return task.ended.reject(fromFailure(message.failure, task.options.signal))
    }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: ToThread) => thread?.postMessage(message)
  const make = async (id: number, { task, ended }: Running) => {
    try {
      if (typeof task === 'function') send({ type: 'task', id, task: await task() })
    } catch (error) {
      ended.reject(error)
      send({ type: 'abort', id })
    }
  }
  const start = () => {
    const started = startThread(settings)
    started.on('message', take)
    const end = (reason: Error) => {
      thread = undefined
      for (const { ended } of running.values()) ended.reject(reason)
    }
    started.once('error', end)
    started.once('exit', () => end(new Error('The thread of the files has ended')))
    return started
  }

  return {
    async run<Kind extends TaskKind>(
      kind: Kind,
      task: TaskOrMaker<Kind>,
      taskOptions: TaskOptions,
    ): Promise<FileTasks[Kind]['result']> {
      const { source, signal, hosts } = taskOptions
      signal.throwIfAborted()
      thread ??= start()
      const id = ++lastId
      const ended = Promise.withResolvers<unknown>()
      const slots = createHostSlots(hosts, (slot) => send({ type: 'entered', id, slot }))
      const abort = () => send({ type: 'abort', id })
      running.set(id, { task, options: taskOptions, slots, ended })
      signal.addEventListener('abort', abort, { once: true })
      const sent = typeof task === 'function' ? null : task
      send({ type: 'run', id, kind, task: sent, source, isGated: hosts !== undefined })
      try {
        return (await ended.promise) as FileTasks[Kind]['result']
      } finally {
        running.delete(id)
        slots.end()
        signal.removeEventListener('abort', abort)
      }
    },
    async close() {
      if (!thread) return
      const closing = thread
      const exited = new Promise((resolve) => closing.once('exit', resolve))
      send({ type: 'close' })
      await exited
      thread = undefined
    },
  }
}

/** The heap holds messages only; a small one is collected in little time. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

function startThread(settings: Omit<ChildReadersOptions, 'onUnexpectedExit'>): Worker {
  const isBuilt = import.meta.url.endsWith('.js')
  const program = new URL(isBuilt ? './readers-thread.js' : './readers-thread.ts', import.meta.url)
  return new Worker(program, {
    workerData: settings,
    resourceLimits: HEAP,
    execArgv: isBuilt ? [] : RUN_SOURCES,
  })
}

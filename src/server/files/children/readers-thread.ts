import { parentPort, workerData } from 'node:worker_threads'

import { waitUnlessAborted } from '../../concurrency/deadline'
import type { FileTasks, TaskKind } from '../file-readers'
import { toFailure } from './failure'
import { createRemoteHostGate, type RemoteHostGate } from './fetcher/remote-host-gate'
import { createChildReaders, type ChildReadersOptions } from './readers-in-children'
import type { FromThread, ToThread } from './thread-messages'

// The program of the thread that `createThreadedReaders` starts.
const port = parentPort!
const send = (message: FromThread) => port.postMessage(message)
const readers = createChildReaders({
  ...(workerData as Omit<ChildReadersOptions, 'onUnexpectedExit'>),
  onUnexpectedExit: (exit) => send({ type: 'exit', exit }),
})
const running = new Map<number, Running>()

interface Running {
  aborting: AbortController
  gate: RemoteHostGate
  made: PromiseWithResolvers<FileTasks[TaskKind]['task']>
}

async function run({ id, kind, ...sent }: ToThread & { type: 'run' }): Promise<void> {
  const aborting = new AbortController()
  const { signal } = aborting
  const gate = createRemoteHostGate((message) => send({ ...message, id }))
  const made = Promise.withResolvers<FileTasks[TaskKind]['task']>()
  running.set(id, { aborting, gate, made })
  const make = () => {
    send({ type: 'make', id })
    return waitUnlessAborted(made.promise, signal)
  }
  try {
    const result = await readers.run(kind, sent.task ?? make, {
      source: sent.source,
      signal,
      hosts: sent.isGated ? gate : undefined,
      onProgress: (progress) => send({ type: 'progress', id, progress }),
    })
    send({ type: 'done', id, result })
  } catch (error) {
    send({ type: 'failed', id, failure: toFailure(error, signal) })
  } finally {
    running.delete(id)
  }
}

port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'run':
      return void run(message)
    case 'abort':
      return running.get(message.id)?.aborting.abort(new Error('The task was aborted'))
    case 'task':
      return running.get(message.id)?.made.resolve(message.task)
    case 'entered':
      return running.get(message.id)?.gate.admit(message.slot)
    case 'close':
      return void readers.close().finally(() => port.close())
  }
})

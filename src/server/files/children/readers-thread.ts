import { parentPort, workerData } from 'node:worker_threads'

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
const running = new Map<number, { aborting: AbortController; gate: RemoteHostGate }>()

async function run({ id, kind, task, isGated }: ToThread & { type: 'run' }): Promise<void> {
  const aborting = new AbortController()
  const { signal } = aborting
  const gate = createRemoteHostGate((message) => send({ ...message, id }))
  running.set(id, { aborting, gate })
  try {
    const result = await readers.run(kind, task, {
      signal,
      hosts: isGated ? gate : undefined,
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
    case 'entered':
      return running.get(message.id)?.gate.admit(message.slot)
    case 'close':
      return void readers.close().finally(() => port.close())
  }
})

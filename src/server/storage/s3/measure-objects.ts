import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { RUN_SOURCES } from '../../process/source-options'
import type { StoredFile } from '../file-store'
import type { BucketPlace } from './bucket'
import { UnreachableStoreError } from './store-errors'

/** One reads some 400 MB in a second, and keeps a processor busy with it. */
export const MAX_THREADS = 4

/** What a thread is asked, and what it answers; an object that does not exist has no content. */
export type MeasureTask = { id: number; name: string }
export type Measured = { id: number } & ({ content: StoredFile | undefined } | { problem: string })

type Waiting = { resolve(content: StoredFile | undefined): void; reject(error: unknown): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

export type ObjectMeasurer = ReturnType<typeof createObjectMeasurer>

/**
 * Reads objects of a bucket to compute their hashes and sizes, in threads that are started when they are needed: one
 * cannot read as fast as a network sends.
 */
export function createObjectMeasurer(place: BucketPlace) {
  const threads: Thread[] = []
  let count = 0
  const choose = () => {
    const [idlest] = threads.toSorted((one, other) => one.waiting.size - other.waiting.size)
    const hasRoom = threads.length < Math.min(MAX_THREADS, availableParallelism())
    return !idlest || (idlest.waiting.size > 0 && hasRoom) ? startThread(place, threads) : idlest
  }
  return {
    /**
     * @returns undefined when there is no such object
     * @throws UnreachableStoreError; the reason of `signal`, while the object may still be read
     */
    async measure(name: string, signal: AbortSignal): Promise<StoredFile | undefined> {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<StoredFile | undefined>()
      const stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop)
      const { worker, waiting } = choose()
      const task: MeasureTask = { id: count++, name }
      waiting.set(task.id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
      worker.postMessage(task)
      try {
        return await promise
      } finally {
        waiting.delete(task.id)
        signal.removeEventListener('abort', stop)
      }
    },
    async close() {
      await Promise.all(threads.splice(0).map(({ worker }) => worker.terminate()))
    },
  }
}

function startThread(place: BucketPlace, threads: Thread[]): Thread {
  const isBuilt = import.meta.url.endsWith('.js')
  const program = new URL(isBuilt ? './measure-worker.js' : './measure-worker.ts', import.meta.url)
  const options = { workerData: place, execArgv: isBuilt ? [] : RUN_SOURCES }
  const thread: Thread = { worker: new Worker(program, options), waiting: new Map() }
  threads.push(thread)
  const fail = (error: unknown) => {
    threads.splice(threads.indexOf(thread), 1)
    for (const { reject } of thread.waiting.values()) reject(error)
  }
  thread.worker.on('message', (answer: Measured) => {
    const asked = thread.waiting.get(answer.id)
    if ('content' in answer) asked?.resolve(answer.content)
    else asked?.reject(new UnreachableStoreError(answer.problem))
  })
  thread.worker.once('error', fail)
  return thread
}

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** Some thousand rows: as much as SQLite by itself lets the log become, which would block the event loop then. */
const COMMITS = 100

/** Keeps the log of a database short. */
export type Checkpoints = { noteCommit(): void; close(): Promise<void> }

/** It has hardly any objects. */
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

const isBuilt = import.meta.url.endsWith('.js')
const PROGRAM = fileURLToPath(
  new URL(isBuilt ? './checkpoint-worker.js' : './checkpoint-worker.mjs', import.meta.url),
)

/**
 * Has the log of a database copied into its file after some commits of this process, in a thread with a connection of
 * its own, which is started for the first of them: flushing the file to the disk takes as long as twenty requests.
 */
export function createCheckpoints(file: string): Checkpoints {
  let thread: Worker | undefined
  let commits = 0
  let isBusy = false

  function start(): Worker {
    const started = new Worker(PROGRAM, { workerData: file, execArgv: [], resourceLimits: HEAP })
    // Nothing waits for it.
    started.unref()
    started.on('message', () => (isBusy = false))
    // Without it, SQLite itself copies a log that has become long.
    started.on('error', () => undefined)
    return started
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: 'checkpoint' | 'close') => thread?.postMessage(message)
  return {
    noteCommit() {
      commits += 1
      if (commits < COMMITS || isBusy) return
      commits = 0
      isBusy = true
      thread ??= start()
      send('checkpoint')
    },
    async close() {
      if (!thread) return
      const closing = thread
      const exited = closing.threadId === -1 ? undefined : once(closing, 'exit')
      closing.ref()
      send('close')
      await exited
    },
  }
}

import '../process/without-debugger.mjs'
import { parentPort, workerData } from 'node:worker_threads'

import { isUnwritable } from '../db/open'
import { prepareDatabase } from './prepare-database'
import type { Prepared, PrepareTask } from './prepare-in-thread'

const { path, now } = workerData as PrepareTask

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
parentPort?.postMessage(await prepare())

/** The driver's error objects lose what they are when they are posted between threads. */
async function prepare(): Promise<Prepared> {
  try {
    await prepareDatabase(path, now)
    return undefined
  } catch (error) {
    return { message: (error as Error).message, isUnwritable: isUnwritable(error) }
  }
}

import '../../process/without-debugger.mjs'
import { parentPort, workerData } from 'node:worker_threads'

import { codeOf } from '../../process/error-code'
import { measure } from '../backup-parts'
import { openBucket, type BucketPlace } from './bucket'
import type { Measured, MeasureTask } from './measure-objects'

const bucket = await openBucket(workerData as BucketPlace)
const { signal } = new AbortController()

async function answer({ id, name }: MeasureTask): Promise<Measured> {
  try {
    return { id, content: await measure(await bucket.read(name), signal) }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { id, content: undefined }
    return { id, problem: (error as Error).message }
  }
}

async function post(task: MeasureTask): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage(await answer(task))
}

parentPort?.on('message', (task: MeasureTask) => void post(task))

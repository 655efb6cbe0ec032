import type { Logger } from 'pino'

import { currentRequestId, withRequestId } from '../observability/log-context'
import type { Queue, QueuedWork, WorkHandler } from './queue'

/** A queue in the memory of this process, which needs no other service. */
export function createEmbeddedQueue(logger: Logger): Queue {
  const jobQueues = new Map<string, JobQueue>()
  const stop = new AbortController()
  const idleWaiters: (() => void)[] = []
  let isClosed = false

  const isIdle = () =>
    [...jobQueues.values()].every(
      (jobQueue) => jobQueue.running.size === 0 && jobQueue.waiting.length === 0,
    )
  const settle = async (jobQueue: JobQueue, running: Promise<void>) => {
    await running
    jobQueue.running.delete(running)
    pump(jobQueue)
    if (isIdle()) for (const resolve of idleWaiters.splice(0)) resolve()
  }
  const pump = (jobQueue: JobQueue) => {
    while (jobQueue.running.size < jobQueue.handler.concurrency) {
      const work = jobQueue.waiting.shift()
      if (!work) return
      const run = () => runLogged(jobQueue.handler, work, stop.signal, logger)
      const running = withRequestId(work.requestId, run)
      jobQueue.running.add(running)
      void settle(jobQueue, running)
    }
  }

  return {
    async add(work) {
      const jobQueue = jobQueues.get(work.job)
      // A process without a handler drops the work; a worker finds it in the database.
      if (isClosed || !jobQueue) return
      if (work.key && jobQueue.waiting.some((waiting) => waiting.key === work.key)) return
      jobQueue.waiting.push({ ...work, requestId: currentRequestId() })
      queueMicrotask(() => pump(jobQueue))
    },
    start(handlers) {
      for (const handler of handlers) {
        jobQueues.set(handler.job, { handler, waiting: [], running: new Set() })
      }
    },
    check: async () => undefined,
    // Each process has a queue of its own, and none knows of the others.
    countProcesses: async () => null,
    async idle() {
      if (!isIdle()) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    },
    async close(graceMs) {
      isClosed = true
      for (const jobQueue of jobQueues.values()) jobQueue.waiting.length = 0
      const grace = setTimeout(() => stop.abort(new Error('The process is stopping')), graceMs)
      await Promise.all([...jobQueues.values()].flatMap((jobQueue) => [...jobQueue.running]))
      clearTimeout(grace)
    },
  }
}

type WaitingWork = QueuedWork & { requestId: string | undefined }
type JobQueue = { handler: WorkHandler; waiting: WaitingWork[]; running: Set<Promise<void>> }

/** Jobs record expected failures themselves; an error that they throw is a bug, and is logged. */
async function runLogged(
  handler: WorkHandler,
  work: QueuedWork,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  try {
    await handler.run(work.payload, signal)
  } catch (error) {
    logger.error({ err: error, job: work.job }, 'A job failed unexpectedly')
  }
}

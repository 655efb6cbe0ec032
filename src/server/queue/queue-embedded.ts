import type { Logger } from 'pino'

import { currentRequestId, withRequestId } from '../observability/log-context'
import type { Queue, QueuedWork, WorkHandler } from './queue'

/** A queue inside this process, for running with no service installed. */
export function createEmbeddedQueue(logger: Logger): Queue {
  const lanes = new Map<string, Lane>()
  const stop = new AbortController()
  const idleWaiters: (() => void)[] = []
  let isClosed = false

  const isIdle = () =>
    [...lanes.values()].every((lane) => lane.running.size === 0 && lane.waiting.length === 0)
  const settle = async (lane: Lane, running: Promise<void>) => {
    await running
    lane.running.delete(running)
    pump(lane)
    if (isIdle()) for (const resolve of idleWaiters.splice(0)) resolve()
  }
  const pump = (lane: Lane) => {
    while (lane.running.size < lane.handler.concurrency) {
      const work = lane.waiting.shift()
      if (!work) return
      const run = () => runLogged(lane.handler, work, stop.signal, logger)
      const running = withRequestId(work.requestId, run)
      lane.running.add(running)
      void settle(lane, running)
    }
  }

  return {
    async add(work) {
      const lane = lanes.get(work.job)
      // A process that does no work leaves it to the worker, which finds it in the database.
      if (isClosed || !lane) return
      if (work.key && lane.waiting.some((waiting) => waiting.key === work.key)) return
      lane.waiting.push({ ...work, requestId: currentRequestId() })
      queueMicrotask(() => pump(lane))
    },
    start(handlers) {
      for (const handler of handlers) {
        lanes.set(handler.job, { handler, waiting: [], running: new Set() })
      }
    },
    check: async () => undefined,
    async idle() {
      if (!isIdle()) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    },
    async close(graceMs) {
      isClosed = true
      for (const lane of lanes.values()) lane.waiting.length = 0
      const grace = setTimeout(() => stop.abort(new Error('The process is stopping')), graceMs)
      await Promise.all([...lanes.values()].flatMap((lane) => [...lane.running]))
      clearTimeout(grace)
    },
  }
}

type WaitingWork = QueuedWork & { requestId: string | undefined }
type Lane = { handler: WorkHandler; waiting: WaitingWork[]; running: Set<Promise<void>> }

/** Jobs record their own failures; what escapes them is a fault of the product, and is logged. */
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

import { Queue as BullQueue, Worker, type ConnectionOptions } from 'bullmq'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

import { waitUnlessAborted } from '../concurrency/deadline'
import { currentRequestId, withRequestId } from '../observability/log-context'
import type { Queue, QueuedWork, WorkHandler } from './queue'
import { judgeRedisVersion, OLDEST_REDIS, readRedisVersion } from './redis-version'

/**
 * How long a caller waits for Redis before the work is done without it. Short enough for a whole
 * request to take at most two seconds.
 */
const ADD_TIMEOUT_MS = 1_500
/** How long closing waits for a Redis that does not respond. */
const CLOSE_TIMEOUT_MS = 3_000
const IDLE_POLL_MS = 10

type Options = {
  redisUrl: string
  logger: Logger
  /** Gets the work that must stay in this process, and the work that Redis does not accept. */
  fallback: Queue
  /** Prefix of all keys, which separates installations that share a Redis. */
  prefix?: string
}

/**
 * A queue on Redis, which distributes the work over any number of processes. Work that Redis loses, by
 * a flush or a crash, is found again in the database by the next tick of the scheduler. While Redis is
 * unavailable, each worker does the work that it finds itself.
 */
export function createBullmqQueue(options: Options): Queue {
  const { redisUrl, logger, fallback, prefix = 'stockbridge' } = options
  let isClosed = false
  // After closing, a lost connection is not restored, so that commands waiting for it fail.
  const retryStrategy = (attempt: number) => (isClosed ? null : Math.min(attempt * 100, 2_000))
  // Fails at once while Redis is unavailable, instead of keeping callers and their work in memory.
  const producer = connect(redisUrl, logger, { enableOfflineQueue: false, retryStrategy })
  const consumer = connect(redisUrl, logger, { maxRetriesPerRequest: null, retryStrategy })
  const queues = new Map<string, BullQueue>()
  const workers: Worker[] = []
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  void warnOfOldServer(consumer, logger)
  void warnOfEviction(consumer, logger)

  const queueOf = (job: string) => {
    const known = queues.get(job)
    if (known) return known
    const queue = new BullQueue(job, { connection: producer, prefix })
    queue.on('error', ignore) // The connection logs its own errors.
    queues.set(job, queue)
    return queue
  }

  return {
    async add(work) {
      if (work.isLocal) return fallback.add(work)
      try {
        if (producer.status === 'reconnecting') throw new Error('Redis is unavailable')
        await within(ADD_TIMEOUT_MS, addTo(queueOf(work.job), work))
      } catch (error) {
        logger.warn(
          { err: error, job: work.job },
          'Redis did not accept work; a worker will find it in the database',
        )
        await fallback.add(work)
      }
    },
    start(handlers) {
      fallback.start(handlers)
      for (const handler of handlers) {
        const run = (payload: unknown) => {
          const work = handler.run(payload, stop.signal)
          const settled = work.then(ignore, ignore).finally(() => running.delete(settled))
          running.add(settled)
          return work
        }
        workers.push(startWorker({ ...handler, run }, { consumer, prefix, logger }))
      }
    },
    async check() {
      await within(ADD_TIMEOUT_MS, producer.ping())
    },
    countProcesses: (job) =>
      within(ADD_TIMEOUT_MS, queueOf(job).getWorkersCount()).catch(() => null),
    async idle() {
      await fallback.idle()
      while ((await Promise.all([...queues.values()].map(countWork))).some((count) => count > 0)) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS))
      }
    },
    async close(graceMs) {
      if (isClosed) return
      // The workers take no more work; closing them completes only when Redis responds.
      const closing = Promise.allSettled(workers.map((worker) => worker.close()))
      const grace = setTimeout(() => stop.abort(new Error('The process is stopping')), graceMs)
      await Promise.all([...running, fallback.close(graceMs)])
      clearTimeout(grace)
      await within(CLOSE_TIMEOUT_MS, closing).catch(ignore)
      isClosed = true
      producer.disconnect()
      consumer.disconnect()
    },
  }
}

/** The data of a job in Redis. */
type Message = { payload: unknown; requestId?: string | undefined }

function ignore(): void {}

function connect(redisUrl: string, logger: Logger, options: object): Redis {
  const redis = new Redis(redisUrl, { ...options, connectTimeout: ADD_TIMEOUT_MS })
  let isReported = false
  redis.on('error', (error: Error) => {
    if (!isReported) logger.warn({ err: error }, 'Redis cannot be reached')
    isReported = true
  })
  redis.on('ready', () => {
    isReported = false
  })
  return redis
}

function addTo(queue: BullQueue, { job, key, payload }: QueuedWork): Promise<unknown> {
  return queue.add(job, { payload, requestId: currentRequestId() } satisfies Message, {
    removeOnComplete: true,
    removeOnFail: true,
    ...(key !== undefined && { deduplication: { id: key } }),
  })
}

function startWorker(
  handler: Omit<WorkHandler, 'run'> & { run(payload: unknown): Promise<void> },
  options: { consumer: ConnectionOptions; prefix: string; logger: Logger },
): Worker {
  const { consumer, prefix, logger } = options
  const worker = new Worker(
    handler.job,
    async (job) => {
      // From here on the same work may be queued again, since this run may miss later changes.
      await job.removeDeduplicationKey()
      const { payload, requestId } = job.data as Message
      await withRequestId(requestId, () => handler.run(payload))
    },
    // Stalled work is not delivered again: the scheduler finds it in the database.
    { connection: consumer, prefix, concurrency: handler.concurrency, maxStalledCount: 0 },
  )
  worker.on('error', ignore) // The connection logs its own errors.
  worker.on('failed', (failed, error) => {
    const requestId = (failed?.data as Message | undefined)?.requestId
    const log = () => logger.error({ err: error, job: handler.job }, 'A job failed unexpectedly')
    withRequestId(requestId, log)
  })
  return worker
}

async function countWork(queue: BullQueue): Promise<number> {
  const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'prioritized')
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

async function warnOfOldServer(redis: Redis, logger: Logger): Promise<void> {
  try {
    const old = judgeRedisVersion(readRedisVersion(await redis.info('server')))
    if (old) logger.warn(`${old.text}. Use Redis ${OLDEST_REDIS} or newer.`)
  } catch (error) {
    logger.warn({ err: error }, 'The version of Redis could not be read')
  }
}

/** A Redis that evicts keys when it is full would silently drop work. */
async function warnOfEviction(redis: Redis, logger: Logger): Promise<void> {
  try {
    const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as string[]
    if (policy !== undefined && policy !== 'noeviction') {
      logger.warn({ policy }, 'REDIS MAY LOSE WORK: set its maxmemory-policy to noeviction')
    }
  } catch (error) {
    logger.warn({ err: error }, 'The maxmemory-policy of Redis could not be read')
  }
}

/** @throws DOMException TimeoutError when `work` takes longer than `ms` */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return waitUnlessAborted(work, AbortSignal.timeout(ms))
}

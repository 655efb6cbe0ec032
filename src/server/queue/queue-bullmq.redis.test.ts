import { pino, type Logger } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { recordLog } from '../testing/fixtures/log-lines'
import { openOlderRedis } from '../testing/servers/older-redis'
import { startRedisServer, type RedisServer } from '../testing/servers/redis-server'
import type { Queue } from './queue'
import { createBullmqQueue } from './queue-bullmq'
import { createEmbeddedQueue } from './queue-embedded'
import { describeQueue } from './queue.contract'

let redis: RedisServer
let count = 0

beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis.close())

/** A queue with its own prefix on the shared Redis, and the warnings it has logged. */
function openQueue(url = redis.url): { queue: Queue; warnings: string[]; prefix: string } {
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const prefix = `test-${(count += 1)}`
  return {
    queue: createBullmqQueue({ ...toOptions(logger, prefix), redisUrl: url }),
    warnings,
    prefix,
  }
}

function toOptions(logger: Logger, prefix: string) {
  return { redisUrl: redis.url, logger, prefix, fallback: createEmbeddedQueue(logger) }
}

describeQueue('the Redis queue', async () => {
  const { queue } = openQueue()
  return { queue, close: () => queue.close(0) }
})

it.each([
  ['4.0.9', 'Redis 4.0.9', 'does its work without it'],
  ['6.0.9', 'Redis 6.0.9', 'uses it'],
])('with Redis %s it says %j once, and %s', async (version, text) => {
  const older = await openOlderRedis(redis.url, version)
  const { queue, warnings } = openQueue(older.url)
  const ran: unknown[] = []
  queue.start([{ job: 'test', concurrency: 1, run: async (payload) => void ran.push(payload) }])
  await queue.add({ job: 'test', payload: 1 })
  await expect.poll(() => ran).toEqual([1])
  const told = () =>
    warnings.filter((line) => line.includes(text) && line.includes('Use Redis 6.2'))
  // The work may be done before the server has answered.
  await expect.poll(told).toHaveLength(1)
  await queue.close(0)
  older.close()
  expect(told()).toHaveLength(1)
})

describe('the number of processes that take a job', { timeout: 20_000 }, () => {
  it('counts each process once, and not those that only add work', async () => {
    const handler = { job: 'test', concurrency: 4, run: async () => undefined }
    const { queue: web, prefix } = openQueue()
    const workers = [1, 2].map(() =>
      createBullmqQueue(toOptions(pino({ level: 'silent' }), prefix)),
    )
    expect(await web.countProcesses('test')).toBe(0)
    for (const worker of workers) worker.start([handler])
    await expect.poll(() => web.countProcesses('test'), { timeout: 10_000 }).toBe(2)
    await Promise.all(workers.map((worker) => worker.close(0)))
    await web.close(0)
  })

  it('is unknown while Redis is down', async () => {
    const own = await startRedisServer()
    const { queue } = openQueue(own.url)
    await own.kill()
    expect(await queue.countProcesses('test')).toBeNull()
    await queue.close(0)
    await own.close()
  })
})

describe('the Redis queue while Redis is down', { timeout: 20_000 }, () => {
  it('accepts work without an error', async () => {
    const own = await startRedisServer()
    const { queue, warnings } = openQueue(own.url)
    await own.kill()
    await expect(queue.add({ job: 'test', payload: 1 })).resolves.toBeUndefined()
    expect(warnings.join('')).toMatch('a worker will find it')
    await expect(queue.check()).rejects.toThrow(/writeable|closed/)
    await queue.close(0)
    await own.close()
  })

  it('does the work in this process', async () => {
    const own = await startRedisServer()
    const { queue } = openQueue(own.url)
    const seen: unknown[] = []
    queue.start([{ job: 'test', concurrency: 1, run: async (payload) => void seen.push(payload) }])
    await own.kill()
    await queue.add({ job: 'test', payload: 'alone' })
    await expect.poll(() => seen).toEqual(['alone'])
    await queue.close(0)
    await own.close()
  })

  it('does not log the password of Redis', async () => {
    const own = await startRedisServer(['--requirepass', 'right'])
    const log = recordLog()
    const redisUrl = own.url.replace('//', '//:top-secret@')
    const queue = createBullmqQueue({ ...toOptions(log.logger, 'test'), redisUrl })
    await expect.poll(log.text).toMatch('WRONGPASS')
    expect(log.text()).not.toMatch('top-secret')
    await queue.close(0)
    await own.close()
  })

  it('can be closed while work is running', async () => {
    const own = await startRedisServer()
    const { queue } = openQueue(own.url)
    let wasAsked = false
    const started = new Promise<void>((resolve) => {
      queue.start([
        {
          job: 'test',
          concurrency: 1,
          async run(_payload, signal) {
            resolve()
            await new Promise((stop) => signal.addEventListener('abort', stop))
            wasAsked = true
          },
        },
      ])
    })
    await queue.add({ job: 'test', payload: 1 })
    await started
    await own.kill()
    await queue.close(100)
    expect(wasAsked).toBe(true)
    await own.close()
  })

  it('does work again after Redis was restarted, empty', async () => {
    const own = await startRedisServer()
    const { queue } = openQueue(own.url)
    const seen: unknown[] = []
    queue.start([{ job: 'test', concurrency: 1, run: async (payload) => void seen.push(payload) }])
    await own.restart()
    while (seen.length === 0) {
      await queue.add({ job: 'test', payload: 'again' })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(seen[0]).toBe('again')
    await queue.close(0)
    await own.close()
  })
})

it('logs a warning when Redis is configured to evict keys', async () => {
  const own = await startRedisServer(['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'])
  const { queue, warnings } = openQueue(own.url)
  await expect.poll(() => warnings.join('')).toMatch('REDIS MAY LOSE WORK')
  await queue.close(0)
  await own.close()
})

it('distributes the work over several processes', async () => {
  const { queue: first, prefix } = openQueue()
  const second = createBullmqQueue(toOptions(pino({ level: 'silent' }), prefix))
  const seen = { first: 0, second: 0 }
  const bothWork = Promise.withResolvers<void>()
  const handler = (name: 'first' | 'second') => ({
    job: 'test',
    concurrency: 1,
    async run() {
      seen[name] += 1
      if (seen.first > 0 && seen.second > 0) bothWork.resolve()
      await bothWork.promise
    },
  })
  first.start([handler('first')])
  second.start([handler('second')])
  for (let index = 0; index < 20; index++) await first.add({ job: 'test', payload: index })
  await first.idle()
  expect(seen.first + seen.second).toBe(20)
  await Promise.all([first.close(0), second.close(0)])
})

it('keeps local work in the process that added it', async () => {
  const { queue: first, prefix } = openQueue()
  const second = createBullmqQueue(toOptions(pino({ level: 'silent' }), prefix))
  const seen: string[] = []
  const handler = (name: string) => ({
    job: 'test',
    concurrency: 1,
    run: async () => void seen.push(name),
  })
  first.start([handler('first')])
  second.start([handler('second')])
  for (let index = 0; index < 20; index++) {
    await first.add({ job: 'test', payload: index, isLocal: true })
  }
  await first.idle()
  expect(seen).toEqual(Array(20).fill('first'))
  await Promise.all([first.close(0), second.close(0)])
})

import { Redis } from 'ioredis'

import { readRedisVersion } from './redis-version'

/**
 * Asks a Redis server what matters to a queue. `now` is its time in Unix milliseconds.
 * @throws when it does not answer within `timeoutMs`
 */
export async function inspectRedis(url: string, timeoutMs: number) {
  const redis = new Redis(url, {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  })
  let problem: Error | undefined
  redis.on('error', (error: Error) => (problem = error))
  try {
    await redis.connect()
    const version = readRedisVersion(await redis.info('server'))
    const [, evictionPolicy = '?'] = (await redis.config('GET', 'maxmemory-policy')) as string[]
    const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number)
    return { version, evictionPolicy, now: seconds * 1_000 + microseconds / 1_000 }
  } catch (error) {
    // The reason that the connection was closed for says more.
    throw problem ?? error
  } finally {
    redis.disconnect()
  }
}

import { expect, it } from 'vitest'

import { startRedisServer } from '../testing/redis-server'
import { inspectRedis } from './inspect-redis'

it('tells the version, the time and what a Redis server does when it is full', async () => {
  const redis = await startRedisServer(['--maxmemory-policy', 'allkeys-lru'])
  const found = await inspectRedis(redis.url, 5_000)
  await redis.close()
  expect(found.version).toMatch(/^\d+\.\d+/)
  expect(found.evictionPolicy).toBe('allkeys-lru')
  expect(Math.abs(found.now - Date.now())).toBeLessThan(60_000)
})

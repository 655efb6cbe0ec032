import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Deps } from '../domain/deps'
import { openOlderRedis } from '../testing/servers/older-redis'
import { startRedisServer, type RedisServer } from '../testing/servers/redis-server'
import { checkRedis } from './check-services'

let redis: RedisServer

beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis.close())

const find = (redisUrl: string) =>
  checkRedis({ config: { redisUrl }, clock: { now: () => Date.now() } } as Deps)

it('the doctor is content with the Redis of this machine', async () => {
  expect(await find(redis.url)).toMatchObject([{ part: 'queue', state: 'ok' }])
})

it.each([
  ['5.0.7', 'warning', 'older than 6.2'],
  ['3.2.1', 'problem', 'not used'],
])('the doctor finds Redis %s, which is a %s', async (version, state, text) => {
  const older = await openOlderRedis(redis.url, version)
  const found = await find(older.url)
  older.close()
  expect(found).toEqual([
    {
      part: 'queue',
      state,
      text: expect.stringContaining(text) as string,
      advice: 'Use Redis 6.2 or newer.',
    },
  ])
})

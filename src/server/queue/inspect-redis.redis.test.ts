import { expect, it } from 'vitest'

import { startRedisServer } from '../testing/servers/redis-server'
import { inspectRedis } from './inspect-redis'

it.each([
  ['', []],
  [' before version 6, without RESP3', ['--rename-command', 'HELLO', '']],
  [' with a password', ['--requirepass', 'secret']],
  [
    ' before version 6 with a password',
    ['--rename-command', 'HELLO', '', '--requirepass', 'secret'],
  ],
])(
  'tells the version, the time and what a Redis server%s does when it is full',
  async (_, options) => {
    const redis = await startRedisServer(['--maxmemory-policy', 'allkeys-lru', ...options])
    const found = await inspectRedis(redis.url.replace('//', '//:secret@'), 5_000)
    await redis.close()
    expect(found.version).toMatch(/^\d+\.\d+/)
    expect(found.evictionPolicy).toBe('allkeys-lru')
    expect(Math.abs(found.now - Date.now())).toBeLessThan(60_000)
  },
)

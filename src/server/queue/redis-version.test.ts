import { expect, it } from 'vitest'

import { judgeRedisVersion } from './redis-version'

it.each(['6.2.0', '6.2', '6.10.3', '7.0.15', '8.0.0-rc1', '10.0.0', '255.255.255', '?', '', 'x.y'])(
  'has nothing to say about Redis %j',
  (version) => {
    expect(judgeRedisVersion(version)).toBeUndefined()
  },
)

it.each(['5.0.0', '5.9.9', '6.0.16', '6.1.240'])('uses Redis %s, and warns of it', (version) => {
  const old = judgeRedisVersion(version)
  expect(old).toMatchObject({ isUsed: true, text: expect.stringContaining(`Redis ${version} is`) })
  expect(old?.text).toContain('older than 6.2')
})

it.each(['4.0.9', '3.0.504', '2.8.24', '0.1.0'])('does not use Redis %s', (version) => {
  expect(judgeRedisVersion(version)).toMatchObject({
    isUsed: false,
    text: expect.stringContaining(`Redis ${version} is not used`),
  })
})

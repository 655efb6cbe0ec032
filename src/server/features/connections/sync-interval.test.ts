import { expect, it } from 'vitest'

import { toSyncIntervalMs } from './sync-interval'

it('syncs as often as the frequency says, and once a minute for real-time', () => {
  expect(toSyncIntervalMs(60)).toBe(3_600_000)
  expect(toSyncIntervalMs(0)).toBe(60_000)
})

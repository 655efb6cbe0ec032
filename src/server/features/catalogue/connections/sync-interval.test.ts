import { expect, it } from 'vitest'

import { toSyncIntervalMs } from './sync-interval'

it('converts minutes to milliseconds, and real-time (0) to one minute', () => {
  expect(toSyncIntervalMs(60)).toBe(3_600_000)
  expect(toSyncIntervalMs(0)).toBe(60_000)
})

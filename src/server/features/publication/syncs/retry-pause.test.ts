import { describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { toRetryPauseMs } from './retry-pause'

describe('toRetryPauseMs', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [9, 256],
    [10, 360],
    [1_000, 360],
  ])('returns for %i consecutive failures %i minutes', (failures, minutes) => {
    expect(toRetryPauseMs(failures, 0, 0.5)).toBe(minutes * MINUTE_MS)
  })

  it('varies by a tenth, and is never shorter than a minute', () => {
    expect(toRetryPauseMs(3, 0, 0)).toBeCloseTo(3.6 * MINUTE_MS)
    expect(toRetryPauseMs(3, 0, 1)).toBeCloseTo(4.4 * MINUTE_MS)
    expect(toRetryPauseMs(1, 0, 0)).toBe(MINUTE_MS)
  })

  it('respects a longer Retry-After, up to a day', () => {
    expect(toRetryPauseMs(1, 10 * MINUTE_MS, 0.5)).toBe(10 * MINUTE_MS)
    expect(toRetryPauseMs(1, 1e12, 0.5)).toBe(DAY_MS)
    expect(toRetryPauseMs(6, 1_000, 0.5)).toBe(32 * MINUTE_MS)
  })
})

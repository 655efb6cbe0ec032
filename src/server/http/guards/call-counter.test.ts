import { describe, expect, it } from 'vitest'

import { createCallCounter } from './call-counter'

const limit = { max: 10, windowMs: 60_000 }

describe('the call counter', () => {
  it('allows each subject the cost of the limit per window', () => {
    const count = createCallCounter()
    expect(count('ann', { cost: 6, now: 1_000, limit })).toBe(0)
    expect(count('ann', { cost: 4, now: 2_000, limit })).toBe(0)
    expect(count('ann', { cost: 1, now: 3_000, limit })).toBe(58_000)
    expect(count('ben', { cost: 10, now: 3_000, limit })).toBe(0)
    expect(count('ann', { cost: 1, now: 60_999, limit })).toBe(1)
    expect(count('ann', { cost: 10, now: 61_000, limit })).toBe(0)
    expect(count('ann', { cost: 1, now: 61_000, limit })).toBe(60_000)
  })

  it('does not count refused calls', () => {
    const count = createCallCounter()
    count('ann', { cost: 8, now: 0, limit })
    expect(count('ann', { cost: 5, now: 0, limit })).toBe(60_000)
    expect(count('ann', { cost: 2, now: 0, limit })).toBe(0)
  })

  it('ignores a window that was opened while the clock was ahead', () => {
    const count = createCallCounter()
    count('ann', { cost: 10, now: 3_600_000, limit })
    expect(count('ann', { cost: 10, now: 0, limit })).toBe(0)
  })

  it('discards only the oldest window when there are too many subjects', () => {
    const count = createCallCounter(3)
    for (const subject of ['ann', 'ben', 'cid', 'dot']) count(subject, { cost: 10, now: 0, limit })
    const waits = ['dot', 'cid', 'ben'].map((name) => count(name, { cost: 1, now: 1, limit }))
    expect(waits).toEqual([59_999, 59_999, 59_999])
    expect(count('ann', { cost: 1, now: 1, limit })).toBe(0)
  })

  it('counts at most 20,000 subjects', () => {
    const count = createCallCounter()
    const callFrom = (address: number) =>
      count(`2001:db8:${address}::/64`, { cost: 10, now: 0, limit })
    for (let address = 0; address <= 20_000; address += 1) expect(callFrom(address)).toBe(0)
    expect(callFrom(1)).toBe(60_000)
    expect(callFrom(0)).toBe(0)
  })
})

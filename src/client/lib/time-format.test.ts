import { describe, expect, it } from 'vitest'

import { formatDuration, formatRelativeTime } from './time-format'

const NOW = Date.parse('2025-11-21T12:00:00Z')

describe('formatRelativeTime', () => {
  it.each([
    ['2025-11-21T11:59:50Z', 'just now'],
    ['2025-11-21T11:57:00Z', '3 minutes ago'],
    ['2025-11-21T11:00:00Z', '1 hour ago'],
    ['2025-11-20T11:00:00Z', 'yesterday'],
    ['2025-11-21T12:00:10Z', 'in a moment'],
    ['2025-11-21T12:00:40Z', 'in less than a minute'],
    ['2025-11-21T14:00:00Z', 'in 2 hours'],
  ])('reads %s as %s', (instant, text) => {
    expect(formatRelativeTime(instant, NOW)).toBe(text)
  })

  it('gives the date of what is more than a month away', () => {
    expect(formatRelativeTime('2025-01-15T12:00:00Z', NOW)).toBe('15 Jan 2025')
  })
})

describe('formatDuration', () => {
  it.each([
    [40, '< 0.1 s'],
    [430, '0.4 s'],
    [9_900, '9.9 s'],
    [12_300, '12 s'],
    [185_000, '3 min 5 s'],
    [3_725_000, '1 h 2 min'],
  ])('reads %d ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })
})

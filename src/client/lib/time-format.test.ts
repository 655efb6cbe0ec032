import { describe, expect, it, vi } from 'vitest'

import { formatRelativeTime } from './time-format'

const NOW = Date.parse('2025-11-21T12:00:00Z')

describe('formatRelativeTime', () => {
  it.each([
    ['2025-11-21T11:59:50Z', 'just now'],
    ['2025-11-21T11:57:00Z', '3 minutes ago'],
    ['2025-11-21T11:58:31Z', '1 minute ago'],
    ['2025-11-21T11:58:29Z', '2 minutes ago'],
    ['2025-11-21T11:00:31Z', '59 minutes ago'],
    ['2025-11-21T11:00:29Z', '1 hour ago'],
    ['2025-11-21T11:00:00Z', '1 hour ago'],
    ['2025-11-20T11:00:00Z', '25 hours ago'],
    ['2025-11-20T00:00:00Z', '2 days ago'],
    ['2025-11-22T11:57:00Z', 'in 24 hours'],
    ['2025-11-24T11:57:00Z', 'in 3 days'],
    ['2025-11-21T12:00:10Z', 'in a moment'],
    ['2025-11-21T12:00:40Z', 'in less than a minute'],
    ['2025-11-21T14:00:00Z', 'in 2 hours'],
  ])('formats %s as %s', (instant, text) => {
    expect(formatRelativeTime(instant, NOW)).toBe(text)
  })

  it('returns a date for a time more than 30 days away', () => {
    expect(formatRelativeTime('2025-01-15T12:00:00Z', NOW)).toBe('Jan 15, 2025')
  })
})

it('makes no formatter before it is used, because browsers take long for that', async () => {
  const make = vi.spyOn(Intl, 'DateTimeFormat')
  vi.resetModules()
  const { formatDate } = await import('./time-format')
  expect(make).not.toHaveBeenCalled()
  formatDate('2025-11-21T12:00:00Z')
  formatDate('2025-11-22T12:00:00Z')
  expect(make).toHaveBeenCalledTimes(1)
  make.mockRestore()
})

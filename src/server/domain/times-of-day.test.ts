import { describe, expect, it } from 'vitest'

import { nextTimeOfDay, timestampAt } from './times-of-day'

const next = (times: string[], timeZone: string, after: string) =>
  new Date(nextTimeOfDay(times, timeZone, Date.parse(after))).toISOString()

describe('the next time of day', () => {
  it('is counted by the clocks of the time zone', () => {
    expect(next(['06:30'], 'UTC', '2026-01-15T06:29:59Z')).toBe('2026-01-15T06:30:00.000Z')
    expect(next(['06:30'], 'UTC', '2026-01-15T06:30:00Z')).toBe('2026-01-16T06:30:00.000Z')
    expect(next(['06:30'], 'Europe/Berlin', '2026-01-15T00:00:00Z')).toBe(
      '2026-01-15T05:30:00.000Z',
    )
    expect(next(['06:30'], 'Europe/Berlin', '2026-07-15T00:00:00Z')).toBe(
      '2026-07-15T04:30:00.000Z',
    )
    expect(next(['00:15'], 'Pacific/Kiritimati', '2026-01-15T00:00:00Z')).toBe(
      '2026-01-15T10:15:00.000Z',
    )
    expect(next(['23:45'], 'Asia/Kathmandu', '2026-01-15T17:59:00Z')).toBe(
      '2026-01-15T18:00:00.000Z',
    )
  })

  it('is the first of several', () => {
    const times = ['06:00', '12:00', '18:00']
    expect(next(times, 'UTC', '2026-01-15T11:00:00Z')).toBe('2026-01-15T12:00:00.000Z')
    expect(next(times, 'UTC', '2026-01-15T19:00:00Z')).toBe('2026-01-16T06:00:00.000Z')
  })

  it('is the next one that exists where clocks are set forward', () => {
    expect(next(['02:30'], 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe(
      '2026-03-29T01:00:00.000Z',
    )
    expect(next(['00:30'], 'America/Santiago', '2026-09-05T12:00:00Z')).toBe(
      '2026-09-06T04:00:00.000Z',
    )
    // By half an hour.
    expect(next(['02:15'], 'Australia/Lord_Howe', '2026-10-03T00:00:00Z')).toBe(
      '2026-10-03T15:30:00.000Z',
    )
  })

  it('comes once where clocks are set back', () => {
    const first = next(['02:30'], 'Europe/Berlin', '2026-10-24T12:00:00Z')
    expect(first).toBe('2026-10-25T00:30:00.000Z')
    expect(next(['02:30'], 'Europe/Berlin', first)).toBe('2026-10-26T01:30:00.000Z')
    expect(next(['02:30'], 'Europe/Berlin', '2026-10-25T01:00:00Z')).toBe(
      '2026-10-26T01:30:00.000Z',
    )
  })
})

describe('the time in the name of a file', () => {
  it('is what the clocks of the time zone show', () => {
    const at = Date.parse('2026-01-15T23:05:09Z')
    expect(timestampAt(at, 'UTC')).toBe('20260115230509')
    expect(timestampAt(at, 'Europe/Berlin')).toBe('20260116000509')
  })
})

import { describe, expect, it } from 'vitest'

import { chooseKeptBackups } from './backup-retention'

const at = (text: string) => Date.parse(text.length > 10 ? `${text}Z` : `${text}T03:00:00Z`)
/** Consecutive days, each at 03:00 UTC. */
const days = (count: number, first = '2026-01-01') =>
  Array.from({ length: count }, (_, index) => at(first) + index * 24 * 60 * 60_000)

const kept = (instants: number[]) =>
  [...chooseKeptBackups(instants)]
    .toSorted((one, other) => one - other)
    .map((instant) => new Date(instant).toISOString().slice(0, 16))

describe('chooseKeptBackups', () => {
  it.each([
    ['nothing when there are no backups', [], []],
    ['the only backup, however old', [at('2020-05-05')], ['2020-05-05T03:00']],
    [
      'the newest of a day',
      [at('2026-01-15T03:00'), at('2026-01-15T12:00'), at('2026-01-15T11:59')],
      ['2026-01-15T12:00'],
    ],
    [
      'a backup before and one after midnight UTC',
      [at('2026-01-15T23:59'), at('2026-01-16T00:00')],
      ['2026-01-15T23:59', '2026-01-16T00:00'],
    ],
  ])('keeps %s', (_what, instants, expected) => {
    expect(kept(instants)).toEqual(expected)
  })

  it('keeps seven days, and the newest backup of each of four ISO weeks', () => {
    // 2026-02-08 is a Sunday, the last day of its week.
    expect(kept(days(39))).toEqual([
      '2026-01-18T03:00',
      '2026-01-25T03:00',
      '2026-02-01T03:00',
      ...[2, 3, 4, 5, 6, 7, 8].map((day) => `2026-02-0${day}T03:00`),
    ])
  })

  it('counts weeks from Monday to Sunday, across the end of a year, too', () => {
    // The newest of the week from Monday 2025-12-29 to Sunday 2026-01-04, and the last seven days.
    const ofTheWeek = days(7, '2025-12-29')
    const later = days(7, '2026-01-05')
    expect(kept([...ofTheWeek, ...later])).toEqual([
      '2026-01-04T03:00',
      ...later.map((instant) => new Date(instant).toISOString().slice(0, 16)),
    ])
  })

  it('does not count days and weeks without a backup', () => {
    const yearly = [2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025].map((year) =>
      at(`${year}-06-01`),
    )
    expect(kept(yearly)).toHaveLength(7)
    expect(kept(yearly)[0]).toBe('2019-06-01T03:00')
  })

  it('does not depend on the order of the backups', () => {
    const instants = days(60)
    expect(kept(instants.toReversed())).toEqual(kept(instants))
  })
})

import { describe, expect, it } from 'vitest'

import {
  formatCount,
  formatCountOf,
  formatDuration,
  formatFileName,
  formatFileSize,
  formatInitials,
  formatOptionLabel,
  formatRetailerFileSize,
  formatSyncFrequency,
  syncFrequencyOptions,
} from './format'

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB
const TB = 1024 * GB

describe('a count of things', () => {
  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [9_880, '9,880 rows'],
  ])('of %d is %s', (count, text) => {
    expect(formatCountOf(count, 'row')).toBe(text)
  })

  it('uses an irregular plural when given', () => {
    const both = [1, 2].map((count) => formatCountOf(count, 'category', 'categories'))
    expect(both).toEqual(['1 category', '2 categories'])
  })
})

describe('a file size', () => {
  it.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [1_023, '1023 Bytes'],
    [KB, '1 KB'],
    [1_536, '1.5 KB'],
    [1_234, '1.21 KB'],
    [MB - 6 * KB, '1018 KB'],
    [MB, '1 MB'],
    [1.25 * MB, '1.25 MB'],
    [GB, '1 GB'],
    [1.005 * GB, '1 GB'],
    [TB, '1 TB'],
    [5_000 * TB, '5000 TB'],
  ])('of %d is %s', (sizeBytes, text) => {
    expect(formatFileSize(sizeBytes)).toBe(text)
  })

  it.each([
    [0, '1 KB'],
    [1, '1.2 KB'],
    [3, '1.205 KB'],
  ])('has at most %i decimals when requested', (decimals, text) => {
    expect(formatFileSize(1_234, decimals)).toBe(text)
  })
})

describe('a file size on the retailer screens', () => {
  it.each([
    [0, '0.00 KB'],
    [1, '0.00 KB'],
    [512, '0.50 KB'],
    [KB, '1.00 KB'],
    [1_023 * KB, '1023.00 KB'],
    [MB, '1.00 MB'],
    [1.5 * MB, '1.50 MB'],
    [3 * GB, '3072.00 MB'],
  ])('of %d is %s', (sizeBytes, text) => {
    expect(formatRetailerFileSize(sizeBytes)).toBe(text)
  })
})

describe('a sync frequency', () => {
  it.each([
    [0, 'Unlimited'],
    [1, 'Every minute'],
    [2, 'Every 2 minutes'],
    [59, 'Every 59 minutes'],
    [60, 'Hourly'],
    [61, 'Every 1 hours'],
    [89, 'Every 1 hours'],
    [90, 'Every 2 hours'],
    [240, 'Every 4 hours'],
    [720, 'Every 12 hours'],
    [1_439, 'Every 24 hours'],
    [1_440, 'Daily'],
    [1_441, 'Every 24 hours'],
    [10_080, 'Every 168 hours'],
  ])('of %i minutes is %s', (minutes, text) => {
    expect(formatSyncFrequency(minutes)).toBe(text)
  })
})

describe('an option', () => {
  it.each([
    ['UNLIMITED', 'UNLIMITED'],
    ['FOUR_HOURS', 'FOUR HOURS'],
    ['A_B_C', 'A B C'],
  ])('named %s is labelled %s', (name, label) => {
    expect(formatOptionLabel(name)).toBe(label)
  })

  it('of the sync frequency is one of five, in this order', () => {
    expect(syncFrequencyOptions()).toEqual([
      { value: 0, label: 'UNLIMITED' },
      { value: 60, label: 'HOURLY' },
      { value: 240, label: 'FOUR HOURS' },
      { value: 720, label: 'TWELVE HOURS' },
      { value: 1_440, label: 'DAILY' },
    ])
  })
})

describe('the initials', () => {
  it.each([
    ['admin', 'AD'],
    ['Émilie', 'ÉM'],
    ['x', 'X'],
    ['🐎stable', '🐎S'],
    ['', ''],
  ])('of %s are %s', (username, initials) => {
    expect(formatInitials(username)).toBe(initials)
  })
})

describe('a file name', () => {
  it.each([
    ['connection_12_2026-01-15.csv', '2026-01-15.csv'],
    ['connection_1_connection_2_a.csv', 'connection_2_a.csv'],
    ['my_connection_1_a.csv', 'my_connection_1_a.csv'],
    ['connection_x_a.csv', 'connection_x_a.csv'],
  ])('%s is shown as %s', (fileName, shown) => {
    expect(formatFileName(fileName)).toBe(shown)
  })
})

describe('a count', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [9_880, '9,880'],
    [1_234_567, '1,234,567'],
  ])('of %d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })
})

describe('a duration', () => {
  it.each([
    [0, '< 0.1 s'],
    [380, '0.4 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_600, '1 min'],
    [185_000, '3 min 5 s'],
    [7_200_000, '2 h'],
    [7_800_000, '2 h 10 min'],
    [-5, '< 0.1 s'],
  ])('of %d ms reads %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })
})

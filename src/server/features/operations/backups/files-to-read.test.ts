import { describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { FILE_SHARES, shareOf, type ReadTimes } from '../../../storage/backup-read-times'
import { chooseFilesToRead } from './files-to-read'

const NOW = Date.UTC(2026, 0, 15, 3)
/** Some files of each share. */
const FILES = Array.from({ length: 100 }, (_, number) => ({
  sha256: (number * 0x1234567).toString(16).padStart(8, '0').padEnd(64, '0'),
  sizeBytes: 1,
}))

const everyShare = Array.from({ length: FILE_SHARES }, (_, share) => share)

/** Which shares are read wholly, if all files are shared with the newest backup. */
function choose(newest: ReadTimes | undefined, now = NOW) {
  const { readTimes, isRead } = chooseFilesToRead(newest, now)
  const read = FILES.filter((file) => isRead(file, true))
  const shares = new Set(read.map(({ sha256 }) => shareOf(sha256)))
  expect(read).toEqual(FILES.filter(({ sha256 }) => shares.has(shareOf(sha256))))
  return { shares: everyShare.filter((share) => shares.has(share)), readTimes }
}

/** As each night leaves them: the first share was read longest ago. */
const nightly = everyShare.map((share) => NOW - (FILE_SHARES - share) * DAY_MS)

describe('what a backup reads back', () => {
  it('is everything if nobody knows when it was last read', () => {
    const { shares, readTimes } = choose(undefined)
    expect(shares).toEqual(everyShare)
    expect(readTimes).toEqual(everyShare.map(() => NOW))
  })

  it('is another seventh each night, so that everything is read within a week', () => {
    let times = everyShare.map(() => NOW)
    const read: number[] = []
    for (let night = 1; night <= 2 * FILE_SHARES; night += 1) {
      // Some nights it begins a little later.
      const now = NOW + night * DAY_MS + (night % 3) * HOUR_MS
      const { shares, readTimes } = choose(times, now)
      expect(shares).toHaveLength(1)
      expect(now - Math.min(...readTimes)).toBeLessThan(7 * DAY_MS)
      read.push(...shares)
      times = readTimes
    }
    expect(read).toEqual([...everyShare, ...everyShare])
  })

  it('is more after nights without a backup', () => {
    expect(choose(nightly, NOW).shares).toEqual([0])
    expect(choose(nightly, NOW + 2 * DAY_MS).shares).toEqual([0, 1, 2])
    expect(choose(nightly, NOW + 30 * DAY_MS).shares).toEqual(everyShare)
  })

  it('has every file that the newest backup does not have', () => {
    const added = FILES.find(({ sha256 }) => shareOf(sha256) === 3)!
    const { isRead } = chooseFilesToRead(nightly, NOW)
    const files = FILES.filter((file) => isRead(file, file !== added))
    expect(files).toEqual(FILES.filter((file) => file === added || shareOf(file.sha256) === 0))
  })

  it('has what was read at a time that is still to come, by a clock that was ahead', () => {
    const ahead = nightly.with(4, NOW + DAY_MS)
    const { shares, readTimes } = choose(ahead)
    expect(shares).toEqual([0, 4])
    expect(readTimes[4]).toBe(NOW)
  })
})

import { describe, expect, it } from 'vitest'

import { createRandom, drawNormal } from './random'
import { simulate } from './simulate'
import { PRICES, WORKLOAD } from './workload'

const run = (suppliers: number, changes: Partial<typeof WORKLOAD> = {}, seed = 1) =>
  simulate(suppliers, { ...WORKLOAD, ...changes }, PRICES, { seed })

describe('the simulation', () => {
  it('draws the same suppliers for the same seed, and others for another', () => {
    expect(run(50)).toEqual(run(50))
    expect(run(50, {}, 2).retailers).not.toBe(run(50).retailers)
  })

  it('grows in proportion to the suppliers, but for what is drawn', () => {
    const [small, large] = [run(2_000), run(20_000)]
    for (const key of ['retailers', 'syncs', 'reads', 'databaseBytes', 'fileBytes'] as const) {
      expect(large[key] / small[key]).toBeGreaterThan(8)
      expect(large[key] / small[key]).toBeLessThan(12)
    }
  })

  it('has no reads, and nothing to send, without shops that read', () => {
    const { reads, sentBytes, rows } = run(50, { readsPerDay: 0 })
    const { downloads, retailerPulls, recentDownloads } = rows
    expect([reads, sentBytes, downloads, retailerPulls, recentDownloads]).toEqual([0, 0, 0, 0, 0])
  })

  it('looks up files for reads after syncs, and for more retailers than are remembered', () => {
    const rare = { quarterHourlyShare: 0, hourlyShare: 0 }
    const coresOfRead = (suppliers: number, changes = {}) => {
      const { webCores, reads } = run(suppliers, { medianFileMegabytes: 0, ...changes })
      return webCores / reads
    }
    expect(coresOfRead(50, rare)).toBeLessThan(coresOfRead(50) / 2)
    expect(coresOfRead(2_000, rare)).toBeGreaterThan(2 * coresOfRead(50, rare))
  })

  it('takes more processors the more suppliers send workbooks, and nothing else', () => {
    const { workbookCores: _, ...none } = run(50, { workbookShare: 0 })
    const { workbookCores, ...all } = run(50, { workbookShare: 1 })
    expect(workbookCores).toBeGreaterThan(none.workerCores / 2)
    expect(all.workerCores - none.workerCores).toBeCloseTo(workbookCores)
    expect({ ...all, workerCores: 0, dollars: 0 }).toEqual({ ...none, workerCores: 0, dollars: 0 })
    expect(run(50).workbookCores).toBeCloseTo(workbookCores * WORKLOAD.workbookShare)
  })

  it('stores no further versions of a source that never changes', () => {
    const { rows, bucketWrites } = run(50, { unchangedShare: 1 })
    expect([rows.versions, bucketWrites]).toEqual([0, 0])
  })

  it('keeps the files of no supplier beyond the quota and the share of filtered files', () => {
    const { fileBytes } = run(50, { quotaGigabytes: 0.001 })
    expect(fileBytes).toBeLessThanOrEqual(50 * 1.5e6)
  })

  it('needs longer to clean up and to back up the more there is', () => {
    const [few, many] = [run(200, { maxViews: 0 }), run(200)]
    expect(many.cleanUpShare).toBeGreaterThan(few.cleanUpShare)
    expect(many.backupShare).toBeGreaterThan(few.backupShare)
  })

  it('draws numbers of the normal distribution', () => {
    const random = createRandom(1)
    const drawn = Array.from({ length: 20_000 }, () => drawNormal(random))
    const mean = drawn.reduce((total, number) => total + number, 0) / drawn.length
    const square = drawn.reduce((total, number) => total + number ** 2, 0) / drawn.length
    expect(mean).toBeCloseTo(0, 1)
    expect(square).toBeCloseTo(1, 1)
  })
})

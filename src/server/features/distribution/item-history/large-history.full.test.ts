import { afterEach, beforeEach, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { listSteps } from '../../../files/history/item-steps'
import { openFileDeps } from '../../../testing/fixtures/stock'
import { nameOfItem, writeLargeHistory } from '../../../testing/stages/large-history'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { type KeptFile, ofKind } from './kept-files'
import { lookUpItem } from './look-up-item'

const MB = 1024 * 1024
const LONG_MS = 20 * MINUTE_MS
let deps: TestDeps
let reads = 0

beforeEach(async () => {
  deps = await openFileDeps()
  const { readRange } = deps.files
  deps.files.readRange = (...file) => {
    reads++
    return readRange(...file)
  }
})
afterEach(() => deps.close())

/** What the quantity of an item was, and how many reads it took to learn. */
async function look(
  { connectionId, startAt }: { connectionId: number; startAt: number },
  item: number,
) {
  reads = 0
  const found = await lookUpItem(deps, connectionId, nameOfItem(item))
  const steps = listSteps(found!.records, startAt / 1_000)
  return { quantities: steps.map(({ state }) => state.quantity), reads }
}

const sum = (files: KeptFile[]) => files.reduce((total, { sizeBytes }) => total + sizeBytes, 0)

it(
  'takes at most 300 MB of a million items and 30 versions, and a few reads to look one up',
  async () => {
    const history = await writeLargeHistory(deps, {
      items: 1_000_000,
      versions: 30,
      everyMs: HOUR_MS,
    })
    const { files } = history
    expect(sum(files)).toBeLessThan(300 * MB)
    let most = 0
    for (let item = 0; item < 1_000_000; item += 9_973) {
      const { quantities, reads: count } = await look(history, item)
      most = Math.max(most, count)
      const changed = item % 50
      expect([item, quantities]).toEqual([item, changed > 0 && changed < 30 ? [0, changed] : [0]])
    }
    expect(files.length).toBeLessThanOrEqual(12)
    // One of each file, and another one where the first was beside it.
    expect(most).toBeLessThanOrEqual(2 * files.length)
  },
  LONG_MS,
)

it(
  'takes at most 300 MB more for a year of a million items, as a fiftieth of them shows',
  async () => {
    const share = 1 / 50
    const items = 1_000_000 * share
    const history = await writeLargeHistory(deps, { items, versions: 360, everyMs: DAY_MS })
    const { files, beganAt, startAt } = history
    expect(sum(ofKind(files, 'past'))).toBeLessThan(300 * MB * share)
    expect(sum(files)).toBeLessThan(600 * MB * share)
    expect(beganAt).toBe(startAt)
    expect(files.length).toBeLessThanOrEqual(20)
    const { quantities, reads: count } = await look(history, 4_711)
    expect(quantities).toEqual([0, 11, 61, 111, 161, 211, 261, 311])
    expect(count).toBeLessThanOrEqual(2 * files.length)
  },
  LONG_MS,
)

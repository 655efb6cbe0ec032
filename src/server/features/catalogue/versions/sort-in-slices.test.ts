import { expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { sortInSlices } from './sort-in-slices'

it('sorts like toSorted, and keeps the order of equal items', async () => {
  const random = createRandom(3)
  const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
  for (const length of [0, 1, 255, 256, 257, 1_000, 5_000]) {
    const items = Array.from({ length }, (_, place) => ({ key: random.below(50), place }))
    expect(await sortInSlices(items, compare, async () => {})).toEqual(items.toSorted(compare))
  }
})

import { describe, expect, it } from 'vitest'

import { mapLimited } from './map-limited'

/** Work that ends when it is told to. */
function openWork() {
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<string>>()
  return {
    begun,
    end: (item: number) => ends.get(item)?.resolve(`${item} is done`),
    fail: (item: number) => ends.get(item)?.reject(new Error(`${item} failed`)),
    work(item: number) {
      begun.push(item)
      const end = Promise.withResolvers<string>()
      ends.set(item, end)
      return end.promise
    },
  }
}

describe('work on many items', () => {
  it('is done on so many at a time, and has its results in their order', async () => {
    const { begun, end, work } = openWork()
    const results = mapLimited([1, 2, 3], 2, work)
    expect(begun).toEqual([1, 2])
    end(2)
    await expect.poll(() => begun).toEqual([1, 2, 3])
    end(3)
    end(1)
    expect(await results).toEqual(['1 is done', '2 is done', '3 is done'])
  })

  it('is not begun after a failure, which is reported when what was begun has ended', async () => {
    const { begun, end, fail, work } = openWork()
    let hasEnded = false
    const results = mapLimited([1, 2, 3], 2, work).finally(() => (hasEnded = true))
    fail(2)
    await new Promise(setImmediate)
    expect([begun, hasEnded]).toEqual([[1, 2], false])
    end(1)
    await expect(results).rejects.toThrow('2 failed')
    expect(begun).toEqual([1, 2])
  })

  it('on nothing has no results', async () => {
    expect(await mapLimited([], 2, openWork().work)).toEqual([])
  })
})

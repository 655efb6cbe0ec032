import { describe, expect, it } from 'vitest'

import { createCategoryIndexes } from './category-indexes'

const reading = { column: 'category', pathSeparator: null, listSeparator: null }
const version = (id: number, connectionId = id) => ({ id, connectionId, reading })

/** Counts whose index takes about three megabytes. */
const large = (id: number) =>
  Array.from({ length: 4_000 }, (_, number) => ({ cell: `${id} ${number}`.padEnd(100), rows: id }))

describe('the cache of category indexes', () => {
  it('builds an index once for many concurrent requests', async () => {
    const read: number[] = []
    const indexes = createCategoryIndexes(async (id) => {
      read.push(id)
      return [{ cell: 'A', rows: id }]
    })
    const results = await Promise.all(Array.from({ length: 60 }, () => indexes.of(version(1))))
    expect(new Set(results).size).toBe(1)
    await indexes.of(version(1))
    expect(read).toEqual([1])
  })

  it('builds one index at a time, taking turns by connection', async () => {
    const read: number[] = []
    const indexes = createCategoryIndexes(async (id) => {
      read.push(id)
      return []
    })
    const busy = [1, 2, 3].map((id) => indexes.of(version(id, 1)))
    const other = indexes.of(version(9, 2))
    await Promise.all([...busy, other])
    expect(read).toEqual([1, 9, 2, 3])
  })

  it('evicts the least recently used indexes when they take too much memory', async () => {
    const read: number[] = []
    const indexes = createCategoryIndexes(async (id) => {
      read.push(id)
      return large(id)
    })
    const size = (await indexes.of(version(1))).sizeBytes
    const room = Math.floor((48 * 1024 * 1024) / size)
    for (let id = 2; id <= room; id++) await indexes.of(version(id))
    await indexes.of(version(1))
    await indexes.of(version(room + 1))
    read.length = 0
    await indexes.of(version(1))
    await indexes.of(version(2))
    expect(read).toEqual([2])
  })

  it('builds an index again after a failure', async () => {
    let isBroken = true
    const indexes = createCategoryIndexes(async () => {
      if (isBroken) throw new Error('The database is gone')
      return [{ cell: 'A', rows: 1 }]
    })
    await expect(indexes.of(version(1))).rejects.toThrow('gone')
    isBroken = false
    expect((await indexes.of(version(1))).nodes).toHaveLength(1)
  })
})

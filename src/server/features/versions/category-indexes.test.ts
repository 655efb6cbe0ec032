import { describe, expect, it } from 'vitest'

import { createCategoryIndexes } from './category-indexes'

const reading = { column: 'category', pathSeparator: null, listSeparator: null }
const version = (id: number, connectionId = id) => ({ id, connectionId, reading })

/** Counts that take about three megabytes as an index. */
const large = (id: number) =>
  Array.from({ length: 4_000 }, (_, number) => ({ cell: `${id} ${number}`.padEnd(100), rows: id }))

describe('the categories of versions', () => {
  it('are worked out once, however many ask', async () => {
    const read: number[] = []
    const indexes = createCategoryIndexes(async (id) => {
      read.push(id)
      return [{ cell: 'A', rows: id }]
    })
    const answers = await Promise.all(Array.from({ length: 60 }, () => indexes.of(version(1))))
    expect(new Set(answers).size).toBe(1)
    await indexes.of(version(1))
    expect(read).toEqual([1])
  })

  it('are worked out one after the other, and one of each connection waits', async () => {
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

  it('are forgotten when there are many, the one asked for longest ago first', async () => {
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

  it('are tried again after a failure', async () => {
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

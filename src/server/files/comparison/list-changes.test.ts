import { describe, expect, it } from 'vitest'

import type { ChangedItem, ChangeFilter } from '../../../shared/schemas/comparison'
import { comparisonOf, ingestKeyed, NAMING } from '../../testing/fixtures/key-files'
import { type ListChangesOptions, listChanges } from './list-changes'

const { signal } = new AbortController()

const OLDER = 'sku,name,colour,qty,price\n1,Boot,red,5,10\n2,Hat,red,3,4\n3,Sock,,1,2\n4,Cap,,2,9\n'
const NEWER =
  'sku,name,colour,qty,price\n9,Ski,,4,7\n3,Sock,,0,3\n2,Top hat,red,3,4\n1,Boot,red,5,10\n'

type Chosen = Partial<ChangeFilter> & Partial<Omit<ListChangesOptions, 'filter' | 'signal'>>

async function pageOf(older: string, newer: string, { kind, q = '', ...chosen }: Chosen = {}) {
  const [before, after] = [await ingestKeyed(older), await ingestKeyed(newer)]
  const limits = { from: 0, maxItems: 50, maxBytes: 1e9, ...chosen }
  return listChanges(
    { older: before.file, newer: after.file },
    {
      keyColumn: after.facts?.column ?? '',
      naming: NAMING,
      filter: { kind, q },
      signal,
      ...limits,
    },
  )
}

const keysOf = ({ items }: { items: ChangedItem[] }) => items.map(({ key }) => key)

describe('the items that two files differ in', () => {
  it('have the cells that differ, quantity and price first, and some to know them by', async () => {
    const page = await pageOf(OLDER, NEWER)
    expect(page).toMatchObject({ rowsRead: 4, rowCount: 4, nextCursor: null })
    expect(page.items).toEqual([
      {
        key: '9',
        kinds: ['added'],
        cells: [
          { column: 'name', before: null, after: 'Ski' },
          { column: 'qty', before: null, after: '4' },
          { column: 'price', before: null, after: '7' },
        ],
        moreCells: 0,
        same: [],
      },
      {
        key: '3',
        kinds: ['quantity', 'price'],
        cells: [
          { column: 'qty', before: '1', after: '0' },
          { column: 'price', before: '2', after: '3' },
        ],
        moreCells: 0,
        same: [{ column: 'name', text: 'Sock' }],
      },
      {
        key: '2',
        kinds: ['other'],
        cells: [{ column: 'name', before: 'Hat', after: 'Top hat' }],
        moreCells: 0,
        same: [
          { column: 'colour', text: 'red' },
          { column: 'qty', text: '3' },
        ],
      },
      expect.objectContaining({ key: '4', kinds: ['removed'] }),
    ])
  })

  it('are found by the kind of change, and by a part of the SKU in any case', async () => {
    for (const [kind, keys] of [
      ['added', ['9']],
      ['removed', ['4']],
      ['quantity', ['3']],
      ['price', ['3']],
      ['other', ['2']],
    ] as const) {
      expect(keysOf(await pageOf(OLDER, NEWER, { kind }))).toEqual(keys)
    }
    const files = ['sku,qty\nAb-1,1\nAc-2,1\n', 'sku,qty\nAb-1,2\nAc-2,2\n'] as const
    expect(keysOf(await pageOf(...files, { q: ' aB- ' }))).toEqual(['Ab-1'])
    expect(keysOf(await pageOf(...files, { q: 'ab', kind: 'price' }))).toEqual([])
    expect(keysOf(await pageOf(...files, { q: '2' }))).toEqual(['Ac-2'])
  })

  it('come in pages of so many items and bytes, which are complete and without repeats', async () => {
    const toFile = (quantity: number, from: number) =>
      `sku,qty\n${Array.from({ length: 300 }, (_, row) => `S${from + row},${quantity}\n`).join('')}`
    const [older, newer] = [toFile(1, 0), toFile(2, 100)]
    for (const limits of [
      { maxItems: 7 },
      { maxBytes: 100 },
      { maxItems: 7, maxBytes: 30, q: '5' },
    ]) {
      const found: string[] = []
      let from: number | null = 0
      while (from !== null) {
        const page = await pageOf(older, newer, { ...limits, from })
        expect(page.items.length).toBeLessThanOrEqual(limits.maxItems ?? 50)
        found.push(...keysOf(page))
        expect(page.nextCursor ?? Infinity).toBeGreaterThan(from)
        from = page.nextCursor
      }
      const all = Array.from({ length: 300 }, (_, row) => `S${row + 100}`)
      const gone = Array.from({ length: 100 }, (_, row) => `S${row}`)
      expect(found).toEqual([...all, ...gone].filter((key) => key.includes(limits.q ?? '')))
    }
    expect(await pageOf(older, newer, { from: 1e15 })).toMatchObject({
      items: [],
      nextCursor: null,
    })
  })

  it('are cut where cells are long or many', async () => {
    const names = Array.from({ length: 20 }, (_, column) => `c${column}`)
    const toFile = (cell: string) =>
      `sku,${names.join(',')}\n${'k'.repeat(300)},${names.map(() => cell.repeat(300)).join(',')}\n`
    const { items } = await pageOf(toFile('a'), toFile('b'))
    expect(items[0]).toMatchObject({ key: `${'k'.repeat(99)}…`, moreCells: 12 })
    expect(items[0]?.cells).toHaveLength(8)
    expect(items[0]?.cells[0]?.after).toBe(`${'b'.repeat(119)}…`)
  })
})

describe('the sections of a comparison', () => {
  it('count the items with each kind of change, and show the first of them', async () => {
    const { sections } = await comparisonOf(OLDER, NEWER)
    const found = sections?.map(({ kind, count, items }) => [kind, count, keysOf({ items })])
    expect(found).toEqual([
      ['added', 1, ['9']],
      ['removed', 1, ['4']],
      ['quantity', 1, ['3']],
      ['price', 1, ['3']],
      ['other', 1, ['2']],
    ])
  })

  it('show those that stand first in their file, however many there are', async () => {
    const lines = Array.from({ length: 500 }, (_, row) => `S${row},1\n`).join('')
    const { sections } = await comparisonOf('sku,qty\nX,1\n', `sku,qty\n${lines}`)
    const first = Array.from({ length: 8 }, (_, row) => `S${row}`)
    expect(sections?.[0]).toMatchObject({ kind: 'added', count: 500 })
    expect(keysOf(sections?.[0] ?? { items: [] })).toEqual(first)
  })

  it('leave out a column that one of the files does not have', async () => {
    const { sections } = await comparisonOf('sku,qty\n1,1\n2,2\n', 'sku,qty,new\n1,1,x\n2,3,x\n')
    expect(sections?.map(({ count }) => count)).toEqual([0, 0, 1, 0, 0])
  })
})

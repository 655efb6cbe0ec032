import { describe, expect, it } from 'vitest'

import { MAX_EXAMPLES } from '../../../shared/schemas/comparison'
import { createRandom } from '../../testing/fixtures/file-fixtures'
import { comparisonOf } from '../../testing/fixtures/key-files'

const toFile = (rows: Map<string, string>) =>
  `sku,qty,name\r\n${[...rows].map(([key, rest]) => `${key},${rest}\r\n`).join('')}`

describe('the difference between two files', () => {
  it('counts each kind, with examples', async () => {
    const older = 'sku,qty,name\n1,5,a\n2,5,a\n3,5,a\n4,5,a\n5,5,a\n6,5,a\n'
    const newer = 'sku,qty,name\n6,5,a\n1,0,a\n2,4,a\n3,6,a\n4,5,b\n7,1,a\n'
    const { difference } = await comparisonOf(older, newer)
    const { examples, ...counts } = difference
    expect(counts).toEqual({
      keyColumn: 'sku',
      before: 6,
      after: 6,
      added: 1,
      removed: 1,
      changed: 4,
      unchanged: 1,
      quantityUp: 1,
      quantityDown: 2,
      newlyZero: 1,
    })
    const byKey = examples.toSorted((one, other) => Number(one.key) - Number(other.key))
    expect(byKey).toEqual([
      { kind: 'zero', key: '1', before: 5, after: 0 },
      { kind: 'down', key: '2', before: 5, after: 4 },
      { kind: 'up', key: '3', before: 5, after: 6 },
      { kind: 'changed', key: '4', before: 5, after: 5 },
      { kind: 'removed', key: '5', before: 5, after: null },
      { kind: 'added', key: '7', before: null, after: 1 },
    ])
  })

  it('has the quantities that the whole column shows, however late it does', async () => {
    const rows = Array.from({ length: 50 }, (_, row) => `${row},"12,000"\n`).join('')
    const toFiles = (cell: string, last: string) => [
      `sku,qty\n1a,"${cell}"\n${rows}Z,"${last}"\n`,
      // Rewritten, because it has semicolons.
      `sku;qty\n1a;${cell}\n${rows.replaceAll(',"', ';').replaceAll('"', '')}Z;${last}\n`,
    ]
    const cases = [
      ['12,345', '13,345', '0,5', 12, 13],
      ['12.345', '13.345', '0,5', 12_345, 13_345],
      ['<12,000', '>=13,000', '0,5', 11, 13],
      ['12,345', '13,345', '2.5', 12_345, 13_345],
      ['12,345', '13,345', '7', 12_345, 13_345],
      ['12.345', '13.345', '7', 12, 13],
    ] as const
    for (const [older, newer, last, before, after] of cases) {
      for (const [place, from] of toFiles(older, last).entries()) {
        const to = toFiles(newer, last)[place] ?? ''
        for (const runRecords of [7, 1_000]) {
          const { difference } = await comparisonOf(from, to, { runRecords })
          expect(difference.examples).toEqual([{ kind: 'up', key: '1a', before, after }])
        }
      }
    }
  })

  it('is what comparing all rows finds, whatever fits into memory', async () => {
    const random = createRandom(11)
    const rowOf = () => `${random.below(3)},${random.pick(['x', '"y, z"', ''])}`
    for (let round = 0; round < 20; round++) {
      const older = new Map<string, string>()
      for (let key = 0; key < 400; key++) if (random.below(4) > 0) older.set(`K${key}`, rowOf())
      const newer = new Map<string, string>()
      for (let key = 399; key >= 0; key--) {
        const before = older.get(`K${key}`)
        const isKept = before !== undefined && random.below(2) > 0
        if (random.below(4) > 0) newer.set(`K${key}`, isKept ? before : rowOf())
      }
      const removed = [...older.keys()].filter((key) => !newer.has(key)).length
      const added = [...newer.keys()].filter((key) => !older.has(key)).length
      const common = [...newer].filter(([key]) => older.has(key))
      const unchanged = common.filter(([key, rest]) => older.get(key) === rest).length
      const changed = common.length - unchanged
      const options = { runRecords: 1 + random.below(300), chunkBytes: 1_000 }
      const { difference } = await comparisonOf(toFile(older), toFile(newer), options)
      expect(difference).toMatchObject({ added, removed, changed, unchanged })
      const listed = difference.examples.filter(({ kind }) => kind === 'removed')
      expect(listed).toHaveLength(Math.min(MAX_EXAMPLES, removed))
      expect(listed.every(({ key }) => older.has(key) && !newer.has(key))).toBe(true)
    }
  })

  it('is nothing for the same rows in another order and with other line ends', async () => {
    const { difference } = await comparisonOf('sku,qty\n1,1\n2,2\n', 'sku,qty\r\n2,2\r\n1,1\r\n')
    expect(difference).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 2 })
  })

  it('names the columns that differ, by their names, wherever they stand', async () => {
    const older = 'sku,name,qty,gone\n1,a,1,x\n2,b,2,x\n3,c,3,x\n'
    const newer = 'Qty,new,SKU,name\n9,y,1,a\n8,y,2,B\n3,y,3,c\n'
    const { columns } = await comparisonOf(older, newer)
    expect(columns).toEqual({
      added: ['new'],
      removed: ['gone'],
      changed: [
        { name: 'Qty', rows: 2 },
        { name: 'name', rows: 1 },
      ],
      comparedRows: 3,
      isWhole: true,
    })
  })
})

import { describe, expect, it } from 'vitest'

import { createHead } from './head-rows'

const names = (count: number, length = 4) =>
  Array.from({ length: count }, (_, column) => `c${column}`.padEnd(length, '漢'))
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** The head of a table whose cells are all the same. */
function headOf(columns: string[], rowCount: number, cell: string) {
  const head = createHead(columns)
  for (let row = 0; row < rowCount; row++) head.add(() => cell)
  return head
}

describe('the head of a file', () => {
  it('has the first 100 rows and 200 columns', () => {
    const { columns, rows } = headOf(names(2_000), 500, 'x')
    expect([columns.length, columns.at(-1), rows.length, rows[0]?.length]).toEqual([
      200,
      'c199',
      100,
      200,
    ])
  })

  it('has fewer rows when cells are long, and takes at most 256 KB', () => {
    const { columns, rows } = headOf(names(200), 100, 'x'.repeat(300))
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.length).toBeLessThan(5)
    expect(bytesOf(columns) + bytesOf(rows)).toBeLessThanOrEqual(256 * 1024)
  })

  it('has fewer columns when their names are long', () => {
    const { columns } = headOf(names(200, 400), 0, '')
    expect(columns.length).toBeGreaterThan(50)
    expect(bytesOf(columns)).toBeLessThanOrEqual(96 * 1024)
  })

  it('has the first row with shortened cells when even that is too large', () => {
    const { columns, rows } = headOf(names(200), 100, '\u0001'.repeat(400))
    expect(rows).toHaveLength(1)
    expect(rows[0]?.[0]).toHaveLength(100)
    expect(bytesOf(columns) + bytesOf(rows)).toBeLessThanOrEqual(256 * 1024)
  })
})

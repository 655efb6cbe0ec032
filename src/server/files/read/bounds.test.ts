import { describe, expect, it } from 'vitest'

import { readCategories } from '../../../shared/categories'
import type { CategoryReading } from '../../../shared/schemas/file'
import { createMemoryDrafts, inChunks } from '../../testing/fixtures/file-fixtures'
import { countVisibleRows } from '../../testing/fixtures/visible-rows'
import { filterFile } from '../filter'
import { ingestFile } from '../ingest'

const { signal } = new AbortController()
const READING: CategoryReading = { column: 'category', pathSeparator: '>', listSeparator: '|' }

const BEYOND_BOUNDS =
  'Some category cells are longer than 1000 characters, deeper than 20 levels or hold more than 50 categories; their rows belong to no category.'

async function ingest(source: string, categoryReading: CategoryReading | null = READING) {
  const openDraft = createMemoryDrafts().open
  const options = { openDraft, compression: 'none', categoryReading, signal } as const
  return ingestFile(inChunks(Buffer.from(source)), options)
}

describe('a category cell', () => {
  const levels = (count: number) => Array.from({ length: count }, (_, level) => `l${level}`)
  const cells: [string, string, boolean][] = [
    ['of 1,000 characters', 'x'.repeat(1_000), true],
    ['of 1,001 characters', 'x'.repeat(1_001), false],
    ['of 1,001 characters beside spaces', `Caps${' '.repeat(997)}`, false],
    ['of 300,000 characters', 'a>'.repeat(150_000), false],
    ['of 20 levels', levels(20).join('>'), true],
    ['of 21 levels', levels(21).join('>'), false],
    ['of 50 categories', levels(50).join('|'), true],
    ['of 51 categories', levels(51).join('|'), false],
    ['of 25 categories beside a path of 21 levels', `a|b|${levels(21).join('>')}`, false],
  ]

  it.each(cells)('%s has equal counted and filtered rows', async (_, cell, isReadable) => {
    const { draft, report } = await ingest(`sku,category\r\n1,${cell}\r\n2,Hats\r\n3,${cell}\r\n`)
    const [path = [cell]] = readCategories(cell, READING)
    const categories = [path.join(' > '), 'l0', 'x', 'a']
    const filtered = await filterFile(
      draft.read(),
      { categoryReading: READING, categories, format: null, signal },
      async () => {},
    )
    expect(filtered.rowCount).toBe(isReadable ? 2 : 0)
    expect(await countVisibleRows(report.categoryCounts, categories, READING)).toBe(
      filtered.rowCount,
    )
    const problems = report.problems.map(({ line, count, message }) => [line, count, message])
    expect(problems).toEqual(isReadable ? [] : [[2, 2, BEYOND_BOUNDS]])
  })

  it('beyond the limits also hides the variants of its product, despite an earlier category', async () => {
    const source = `handle,category\na,Hats\na,${'x'.repeat(1_001)}\na,\nb,Hats\n`
    const { draft, report } = await ingest(source)
    const options = { categoryReading: READING, categories: ['Hats'], format: null, signal }
    expect((await filterFile(draft.read(), options, async () => {})).rowCount).toBe(2)
    expect(await countVisibleRows(report.categoryCounts, ['Hats'], READING)).toBe(2)
    expect(report.problems[0]).toMatchObject({ line: 3, count: 2 })
  })

  it('of the maximum size can be chosen in a retailer’s settings', async () => {
    const { visibilitySettingsSchema } = await import('../../../shared/schemas/retailer')
    const cell = levels(20).join('>').padEnd(1_000, 'x')
    const category = readCategories(cell, READING)[0]?.join(' > ') ?? ''
    const settings = { allProducts: false, categories: [category] }
    expect(visibilitySettingsSchema.parse(settings)).toEqual(settings)
    expect(await countVisibleRows([{ cell, rows: 3 }], [category], READING)).toBe(3)
  })
})

describe('a key of variants', () => {
  it('of more than 200 characters is not used to fill categories down', async () => {
    const [short, long] = ['k'.repeat(200), 'k'.repeat(201)]
    const source = `handle,category\n${short},A\n${short},\n${long},B\n${long},\n`
    expect((await ingest(source)).report.categoryCounts).toEqual([
      { cell: 'A', rows: 2 },
      { cell: '', rows: 1 },
      { cell: 'B', rows: 1 },
    ])
  })

  it('is kept over 4,000 others, and the same ones are kept for counting and filtering', async () => {
    const others = Array.from({ length: 12_000 }, (_, row) => `k${row},C${row % 7}\n`)
    const empty = Array.from({ length: 12_000 }, (_, row) => `k${row},\n`)
    const near = `near,A\n${others.slice(0, 4_000).join('')}near,\n`
    const source = `handle,category\n${near}${others.join('')}${empty.join('')}`
    const { draft, report } = await ingest(source)
    const options = { categoryReading: READING, categories: ['A', 'C3'], format: null, signal }
    const { rowCount } = await filterFile(draft.read(), options, async () => {})
    expect(await countVisibleRows(report.categoryCounts, ['A'], READING)).toBe(2)
    expect(await countVisibleRows(report.categoryCounts, options.categories, READING)).toBe(
      rowCount,
    )
    // Rows whose keys were removed have no category.
    expect(report.categoryCounts.find(({ cell }) => cell === '')?.rows).toBeGreaterThan(0)
  })
})

describe('a column name', () => {
  const long = `Category ${'x'.repeat(5_000)}`

  it('of more than 200 characters is cut and reported, but stored unchanged', async () => {
    const { draft, report } = await ingest(`sku,${long}\r\n1,A\r\n`, null)
    expect(report.columns.map(({ length }) => length)).toEqual([3, 200])
    expect(report.problems).toEqual([
      { line: 1, count: 1, message: expect.stringContaining('longer than 200 characters') },
    ])
    expect(report.isRewritten).toBe(false)
    const stored = []
    for await (const chunk of draft.read()) stored.push(chunk)
    expect(String(Buffer.concat(stored))).toBe(`sku,${long}\r\n1,A\r\n`)
  })

  it.each([200, 500, 1_000])(
    'is found by its first %i characters with an ellipsis',
    async (length) => {
      const column = `${long.slice(0, length - 1)}…`
      const { report } = await ingest(`sku,${long}\n1,A\n`, { ...READING, column })
      expect(report.categoryCounts).toEqual([{ cell: 'A', rows: 1 }])
    },
  )
})

describe('missing cells', () => {
  const header = Array.from({ length: 2_000 }, (_, column) => `c${column}`).join()

  it('are filled in when rows have some cells', async () => {
    const { report } = await ingest(`${header}\n${'a,b\n'.repeat(400)}`, null)
    expect(report.rowCount).toBe(400)
  })

  it('are refused when nearly all cells of a large file are missing', async () => {
    const drafts = createMemoryDrafts()
    const options = { openDraft: drafts.open, compression: 'none', categoryReading: null } as const
    const source = inChunks(Buffer.from(`${header}\n${'a\n'.repeat(5_000)}`))
    await expect(ingestFile(source, { ...options, signal })).rejects.toMatchObject({
      code: 'ragged-row',
      message: expect.stringContaining('nearly all cells are missing'),
    })
    expect(drafts.kept()).toEqual([])
  })
})

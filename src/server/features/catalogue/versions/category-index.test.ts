import { describe, expect, it } from 'vitest'

import { createCategoryMatcher, type CategorySeparators } from '../../../../shared/categories'
import type { CategoryCount } from '../../../../shared/schemas/file'
import { filterFile } from '../../../files/filter'
import { ingestFile } from '../../../files/ingest'
import { createMemoryDrafts, createRandom, inChunks } from '../../../testing/fixtures/file-fixtures'
import { buildCategoryIndex, type CategoryIndex } from './category-index'
import { listLevel, listMatches, takePage } from './category-pages'

const separators = (
  pathSeparator: CategorySeparators['pathSeparator'],
  listSeparator: CategorySeparators['listSeparator'],
) => ({
  column: 'category',
  pathSeparator,
  listSeparator,
})
const both = separators('>', '|')
const counts: CategoryCount[] = [
  { cell: 'Clothing > Shirts', rows: 5 },
  { cell: 'clothing > Hats | Sale', rows: 3 },
  { cell: 'Clothing > Shirts > Long | Clothing > Hats', rows: 2 },
  { cell: '', rows: 7 },
  { cell: 'Sale', rows: 1 },
]

const visibleFor = (index: CategoryIndex, categories: string[]) =>
  index.countRows(categories.flatMap((category) => index.find(category) ?? []))
const countByMatcher = (categories: string[], reading: CategorySeparators) => {
  const matches = createCategoryMatcher(categories, reading)
  return counts.reduce((sum, { cell, rows }) => (matches(cell) ? sum + rows : sum), 0)
}

describe('the category index of a file', () => {
  it('lists categories in tree order, each with its visible rows, counting each row once', async () => {
    const { nodes, topCount, isCut } = await buildCategoryIndex(counts, both)
    expect(nodes.map(({ label, rows, level, end }) => [label, rows, level, end])).toEqual([
      ['Clothing', 10, 1, 4],
      ['Hats', 5, 2, 2],
      ['Shirts', 7, 2, 4],
      ['Long', 2, 3, 4],
      ['Sale', 4, 1, 5],
    ])
    expect([topCount, isCut]).toEqual([2, false])
  })

  it('agrees with the matcher at every node, with any separators', async () => {
    for (const reading of [
      separators(null, null),
      separators('>', null),
      both,
      separators('/', null),
    ]) {
      const index = await buildCategoryIndex(counts, reading)
      for (const { key, rows } of index.nodes) {
        expect(countByMatcher([key], reading)).toBe(rows)
        expect(visibleFor(index, [key])).toBe(rows)
      }
    }
  })

  it('counts a row with two chosen categories once', async () => {
    expect(visibleFor(await buildCategoryIndex(counts, both), ['Clothing', 'Sale'])).toBe(11)
  })

  it('finds categories regardless of case, Unicode form and path separator', async () => {
    const index = await buildCategoryIndex(
      [{ cell: 'Οδός/ΣΤΡΑΣΣ/Ⅷ e\u0301', rows: 1 }],
      separators('/', null),
    )
    const paths = ['οδόσ', 'Οδός > στρασς', 'ΟΔΌΣ/στρασσ/ⅷ É', 'Skis']
    expect(paths.map((path) => index.find(path))).toEqual([0, 1, 2, undefined])
  })

  it('allows " > " in a category’s name', async () => {
    const cells = ['A > B', 'A/C', 'A/B/D'].map((cell) => ({ cell, rows: 1 }))
    const index = await buildCategoryIndex(cells, separators('/', null))
    expect(visibleFor(index, ['A'])).toBe(2)
    expect(visibleFor(index, ['A > B'])).toBe(2)
  })

  it('counts the same rows as the filter writes, for random catalogues', async () => {
    const random = createRandom(7)
    const { signal } = new AbortController()
    const names = ['A', 'a', 'B', 'A > B', 'A > C', 'B|A > C', 'C, D', '"E', '', '', ' ']
    for (let round = 0; round < 100; round++) {
      const key = random.pick(['Handle', 'Parent', 'Other'])
      const rows = Array.from({ length: random.below(60) }, (_, row) => {
        const cell = random.pick(names).replaceAll('"', '""')
        return `${row},h${random.below(6)},"${cell}"${random.pick(['', ',', ',,']).slice(0, 1)}`
      })
      const source = [`sku,${key},category`, ...rows].join(random.pick(['\n', '\r\n']))
      const { draft, report } = await ingestFile(inChunks(Buffer.from(source)), {
        openDraft: createMemoryDrafts().open,
        compression: 'none',
        categoryReading: both,
        signal,
      })
      const categories = [random.pick(['A', 'B', 'A > C', 'e', 'C, D']), random.pick(['A', 'X'])]
      const options = { categoryReading: both, categories, format: null, signal }
      const { rowCount } = await filterFile(draft.read(), options, async () => {})
      const index = await buildCategoryIndex(report.categoryCounts, both)
      expect(rowCount).toBe(visibleFor(index, categories))
      const counted = report.categoryCounts.reduce((sum, { rows: count }) => sum + count, 0)
      expect(counted).toBe(report.rowCount)
    }
  })
})

describe('a page of categories', () => {
  const many = Array.from({ length: 1_000 }, (_, number) => ({ cell: `C${number}`, rows: 1 }))

  it('contains up to two hundred categories of a level', async () => {
    const index = await buildCategoryIndex([...many, { cell: 'C1 > Below', rows: 1 }], both)
    const top = listLevel(index, null)
    expect(top).toHaveLength(1_000)
    expect(takePage(top.slice(200)).map(({ label }) => label)[0]).toBe('C200')
    expect(takePage(top)).toHaveLength(200)
    expect(listLevel(index, 1).map(({ label }) => label)).toEqual(['Below'])
    expect(listLevel(index, 5_000)).toEqual([])
  })

  it('is shorter when names are long', async () => {
    const long = many.map(({ cell, rows }) => ({ cell: cell + '\u0001'.repeat(900), rows }))
    const page = takePage((await buildCategoryIndex(long, both)).nodes)
    expect(page.length).toBeGreaterThan(40)
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(257 * 1024)
  })

  it('contains the matches of every word of a search, with their ancestors', async () => {
    const index = await buildCategoryIndex(counts, both)
    const find = async (q: string) => (await listMatches(index, q)).map(({ label }) => label)
    expect(await find('LONG cloth')).toEqual(['Clothing', 'Shirts', 'Long'])
    expect(await find('clothing > hats')).toEqual(['Clothing', 'Hats'])
    expect(await find('skis')).toEqual([])
  })
})

describe('more categories than the limit', () => {
  it('are cut, but their rows still count for listed ancestors', async () => {
    const cells = Array.from({ length: 60_000 }, (_, number) => ({
      cell: `A > C${number}`,
      rows: 1,
    }))
    const index = await buildCategoryIndex(cells, both)
    expect([index.isCut, index.nodes.length]).toEqual([true, 50_000])
    expect(visibleFor(index, ['A'])).toBe(60_000)
    expect(index.find('A > C59999')).toBeUndefined()
  })

  it('are cut by total length as well, so that the index stays small in memory', async () => {
    const cells = Array.from({ length: 20_000 }, (_, number) => ({
      cell: `${number} ${'x'.repeat(990)}`,
      rows: 1,
    }))
    const index = await buildCategoryIndex(cells, both)
    expect(index.isCut).toBe(true)
    expect(index.sizeBytes).toBeLessThan(32 * 1024 * 1024)
  })
})

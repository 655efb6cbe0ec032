import { describe, expect, it } from 'vitest'

import type { CategoryReading } from '../../../../shared/schemas/file'
import { createMemoryDrafts, inChunks } from '../../../testing/fixtures/file-fixtures'
import { ingestFile } from '../../ingest'
import { detectSeparators } from './category-separators'

async function report(source: string, categoryReading: CategoryReading | null = null) {
  const result = await ingestFile(inChunks(Buffer.from(source)), {
    openDraft: createMemoryDrafts().open,
    compression: 'none',
    categoryReading,
    signal: new AbortController().signal,
  })
  return result.report
}

const columnOf = async (source: string) => (await report(source)).categoryReading?.column ?? null

describe('the category column', () => {
  const cases: [string, string, string | null][] = [
    ['is found by name', 'sku,Category\n1,A\n', 'Category'],
    [
      'is found regardless of case and punctuation',
      'sku,PRODUCT_CATEGORY\n1,A\n',
      'PRODUCT_CATEGORY',
    ],
    ['is found in other languages', 'sku,Catégorie\n1,A\n', 'Catégorie'],
    ['is found in German', 'sku,Warengruppe\n1,A\n', 'Warengruppe'],
    [
      'is found in Shopify exports',
      'Handle,Google Shopping / Google Product Category\n1,A\n',
      'Google Shopping / Google Product Category',
    ],
    ['is the preferred one of two', 'sku,Department,Category\n1,X,A\n', 'Category'],
    ['is not an empty one', 'sku,Department,Category\n1,X,\n2,Y, \n', 'Department'],
    ['may be called type', 'sku,Type\n1,Shirts\n2,Hats\n', 'Type'],
    ['is not the technical type of Magento', 'sku,Type\n1,simple\n2,configurable\n', null],
    [
      'is not the technical type of WooCommerce',
      'sku,Type\n1,"simple, virtual"\n2,variable\n',
      null,
    ],
    ['is found in Croatian', 'sku,Kategorija proizvoda\n1,A\n', 'Kategorija proizvoda'],
    ['is found in Russian', 'sku,Категория\n1,A\n', 'Категория'],
    ['may have a unit', 'sku,"Categories (x;y;z...)"\n1,A;B\n', 'Categories (x;y;z...)'],
    [
      'is the one of texts, not of numbers',
      'sku,category,product_type\n1,166,Hats\n2,2271,Boots\n',
      'product_type',
    ],
    ['is the filled one', 'sku,category,department\n1,A,X\n2,,X\n3,,Y\n', 'department'],
    ['may have numbers if there is no other', 'sku,category\n1,166\n2,2271\n', 'category'],
    ['may be missing', 'sku,name\n1,A\n', null],
  ]
  it.each(cases)('%s', async (_name, source, column) => {
    expect(await columnOf(source)).toBe(column)
  })

  it('has at most 20,000 different values', async () => {
    const rows = Array.from({ length: 20_001 }, (_, row) => `${row},c${row},d${row % 3}\n`)
    expect(await columnOf(`sku,category,department\n${rows.join('')}`)).toBe('department')
  })

  it('is not used with more, which is told', async () => {
    const rows = Array.from({ length: 20_001 }, (_, row) => `${row},c${row}\n`)
    const { categoryReading, problems } = await report(`sku,category\n${rows.join('')}`)
    expect(categoryReading).toBeNull()
    expect(problems).toEqual([
      {
        line: null,
        count: 1,
        message: 'The column "category" has too many different values to be used for categories.',
      },
    ])
  })

  it('is counted by distinct cell, the empty one included, most rows first', async () => {
    const { categoryCounts } = await report('sku,category\n1,A\n2,B\n3,A\n4,\n5, A\n')
    expect(categoryCounts).toEqual([
      { cell: 'A', rows: 2 },
      { cell: '', rows: 1 },
      { cell: ' A', rows: 1 },
      { cell: 'B', rows: 1 },
    ])
  })

  it('is filled down to the variants of a product before it is counted', async () => {
    const { categoryCounts } = await report('Handle,Type\na,Shirts\na,\nb,Hats\na,\nc,\n')
    expect(categoryCounts).toEqual([
      { cell: 'Shirts', rows: 3 },
      { cell: '', rows: 1 },
      { cell: 'Hats', rows: 1 },
    ])
  })

  it('is the chosen one, compared regardless of case and spaces', async () => {
    const choice: CategoryReading = { column: 'brand', pathSeparator: '/', listSeparator: null }
    const chosen = await report('sku,category, Brand\n1,A,X/Y\n', choice)
    expect(chosen.categoryReading).toEqual(choice)
    expect(chosen.categoryCounts).toEqual([{ cell: 'X/Y', rows: 1 }])
  })

  it('is reported as missing when the chosen one is not in the file', async () => {
    const choice: CategoryReading = { column: 'brand', pathSeparator: null, listSeparator: null }
    const missing = await report('sku,category\n1,A\n', choice)
    expect(missing).toMatchObject({ categoryReading: null, categoryCounts: [] })
    expect(missing.problems).toEqual([
      { line: null, count: 1, message: 'The category column "brand" is not in the file.' },
    ])
  })
})

describe('a cell that may be a path or a list', () => {
  const notesOf = async (cells: string[], separators: Partial<CategoryReading> = {}) => {
    const rows = cells.map((cell, row) => `${row},"${cell}"\n`).join('')
    const choice = { column: 'category', pathSeparator: null, listSeparator: null, ...separators }
    const { problems } = await report(`sku,category\n${rows}`, choice)
    return problems.map(({ message, setting }) => `${setting}: ${message}`)
  }
  const note = (cell: string, separator: string) =>
    `categorySeparators: “${cell}” in the column “category” is read as one category; ` +
    `if “${separator}” separates categories, choose it.`

  it('is told if it is not split, because an earlier file had none', async () => {
    expect(await notesOf(['Beta', 'Beta > X'])).toEqual([note('Beta > X', '>')])
    expect(await notesOf(['Beta', 'Beta/X', 'A/B', 'C/D', 'E/F'])).toEqual([note('Beta/X', '/')])
    expect(await notesOf(['Beta', 'Hats', 'Hats|Beta'])).toEqual([note('Hats|Beta', '|')])
    const listSeparator = ';' as const
    expect(await notesOf(['A; Beta > X'], { listSeparator })).toEqual([note('A; Beta > X', '>')])
  })

  it('is not told of if it is split, or is a name', async () => {
    expect(await notesOf(['Beta', 'Beta > X'], { pathSeparator: '>' })).toEqual([])
    expect(await notesOf(['Beta', 'Indoor/Outdoor', 'Size > 5', 'Black|White'])).toEqual([])
  })

  it('is told of when it is detected, too, if most cells like it are names', async () => {
    const rows = ['Beta', 'Beta/X', 'A/B', 'C/D', 'E/F'].map((cell) => `1,${cell}\n`).join('')
    const { categoryReading, problems } = await report(`sku,category\n${rows}`)
    expect(categoryReading?.pathSeparator).toBeNull()
    expect(problems.map(({ setting }) => setting)).toEqual(['categorySeparators'])
  })
})

describe('detecting separators in', () => {
  const cases: [string, string[], string | null, string | null][] = [
    ['plain names', ['Shirts', 'Hats', 'Indoor/Outdoor', 'Bags, Cases & Luggage'], null, null],
    ['paths', ['Clothing > Shirts', 'Clothing > Hats', 'Home'], '>', null],
    [
      'paths that all have other roots',
      ['Clothing > Shirts', 'Home > Beds', 'Toys > Cars'],
      '>',
      null,
    ],
    ['a few names with signs', ['Size > 5', 'Hats', 'Socks > 3', 'Belts', 'Bags'], null, null],
    ['paths with »', ['Home » Lamps', 'Home » Beds'], '»', null],
    [
      'paths with slashes',
      ['Home/Lamps', 'Home/Beds', 'Home/Beds/Kids', 'Garden/Tools'],
      '/',
      null,
    ],
    [
      'names with slashes',
      ['Indoor/Outdoor', 'TV/Video', 'Audio/Hi-Fi', 'Lamps', 'Beds'],
      null,
      null,
    ],
    ['a single path', ['Clothing > Shirts', 'Home'], '>', null],
    ['a single path of a category', ['Alpha', 'Beta', 'Beta > Deep > X'], '>', null],
    ['a single path without spaces', ['Alpha', 'Beta', 'Beta>Deep>X'], '>', null],
    ['a single path with »', ['Alpha', 'Alpha » Deep'], '»', null],
    ['a single path with slashes', ['Alpha', 'Beta', 'Beta/Deep/X'], '/', null],
    ['a single path with slashes and spaces', ['Alpha', 'Gamma / Deep / X'], '/', null],
    ['a name with a slash and spaces', ['Alpha', 'Indoor / Outdoor'], null, null],
    ['a name with a sign', ['Alpha', 'Size > 5', 'A>B'], null, null],
    ['a path below others with slashes', ['Home/A', 'Home/B', 'Home/C', 'Bags > Small'], '/', null],
    ['a single list of known categories', ['Shirts', 'Shirts|Sale'], null, '|'],
    ['a single list with semicolons', ['Shirts', 'Hats', 'Shirts; Hats'], null, ';'],
    ['a name with a list sign', ['Shirts', 'Black|White'], null, null],
    ['lists', ['Shirts|Sale', 'Hats|Sale', 'Hats'], null, '|'],
    ['lists of paths', ['Home > Beds; Sale', 'Home > Lamps; Sale', 'Home > Beds'], '>', ';'],
    ['lists with commas', ['Shirts, Sale', 'Hats, Sale', 'Hats', 'Shirts'], null, ','],
    [
      'paths of names with commas',
      ['Bags, Cases & Luggage > Trolleys', 'Bags, Cases & Luggage > Belts', 'Home > Beds'],
      '>',
      null,
    ],
    [
      'paths of repeated names with commas',
      ['Food, Drink & Tobacco > Tea', 'Food, Drink & Tobacco > Rum', 'Food, Drink & Tobacco'],
      '>',
      null,
    ],
    [
      'WooCommerce lists of paths',
      ['Clothing > Tees, Sale', 'Clothing > Hoods, Sale', 'Clothing > Tees', 'Clothing > Hoods'],
      '>',
      ',',
    ],
    ['no cells', [], null, null],
    ['a single name', ['A/B'], null, null],
  ]
  it.each(cases)('%s', (_name, cells, pathSeparator, listSeparator) => {
    expect(detectSeparators(cells)).toEqual({ pathSeparator, listSeparator })
  })
})

import { describe, expect, it } from 'vitest'

import { ingest } from '../../../testing/stages/ingesting'

const REST = ['Boots & Shoes', 'Hats, caps', 'Socks', 'Winter jackets', 'Belts']
const PATHS = ['Shoes > Boots', 'Shoes > Sandals', 'Hats']

function table(column: string, cells: string[], count = 60, others: [string, string[]][] = []) {
  const header = ['sku', 'price', column, ...others.map(([name]) => name)]
  const rows = Array.from({ length: count }, (_, row) => [
    `A-${row}`,
    `${row}.50`,
    ...[cells, ...others.map(([, values]) => values)].map(
      (values) => `"${values[row % values.length]}"`,
    ),
  ])
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`
}

const columnOf = async (source: string) =>
  (await ingest(source)).report.categoryReading?.column ?? null

describe('a category column that no name shows', () => {
  it.each([
    ['paths', 'assortment', PATHS, 'its cells are paths'],
    ['texts that repeat', 'assortment', REST, 'it repeats a few texts'],
    ['texts in Chinese', '分类', ['鞋子', '帽子', '袜子', '外套'], 'it repeats a few texts'],
  ])('is found by %s, and told', async (_name, column, cells, reason) => {
    const { report } = await ingest(table(column, cells))
    expect(report.categoryReading?.column).toBe(column)
    expect(report.categoryCounts.reduce((sum, { rows }) => sum + rows, 0)).toBe(60)
    expect(report.problems).toEqual([
      {
        line: null,
        count: 1,
        message: `No column is named like categories. “${column}” was taken, because ${reason}; choose another if it is wrong.`,
      },
    ])
  })

  it('is found over the whole file', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => `A-${row},${row},Boots > New`).join('\n')
    const { report } = await ingest(`sku,price,x\n${rows}\nB,1,Boots > Old\nC,2,Hats\n`)
    expect(report.categoryReading).toEqual({ column: 'x', pathSeparator: '>', listSeparator: null })
    expect(report.categoryCounts).toHaveLength(3)
  })

  it('has paths rather than texts', async () => {
    expect(await columnOf(table('a', REST, 60, [['b', PATHS]]))).toBe('b')
  })

  it('is not guessed from several columns with texts', async () => {
    expect(await columnOf(table('a', REST, 60, [['b', REST.toReversed()]]))).toBeNull()
  })

  it('is not looked for if a column has the name', async () => {
    expect(await columnOf(table('a', PATHS, 60, [['category', ['', '', '']]]))).toBeNull()
  })

  const others: [string, string, string[]][] = [
    ['brands', 'Brand name', ['New Balance', 'The North Face', 'Under Armour', 'Le Coq']],
    [
      'values of an option',
      'Option1 Value',
      ['Default Title', 'Short sleeves', 'Long', 'No sleeves'],
    ],
    ['colours', 'shade', ['Light blue', 'Dark red', 'Off white', 'Black / grey']],
    ['countries', 'made_in', ['United States', 'Czech Republic', 'South Korea', 'Viet Nam']],
    ['sizes', 'fits', ['S', 'M', 'L', 'XL', 'XXL']],
    ['currencies', 'paid', ['EUR', 'USD', 'GBP', 'CZK']],
    ['yes and no', 'sold', ['yes', 'no']],
    ['numbers', 'code', ['11', '12', '13', '14']],
    ['single words, which may be brands', 'maker', ['Nike', 'Adidas', 'Puma', 'Asics']],
    ['HTML', 'details', ['<b>Warm</b> boots', '<b>Cold</b> boots', '<b>Warm</b> hats']],
    ['addresses', 'photo', ['https://a.example/b/c', 'https://a.example/b/d']],
    ['slashes', 'tone', ['Black/White', 'Black/Grey', 'White/Grey']],
  ]
  it.each(others)('does not consist of %s', async (_name, column, cells) => {
    expect(await columnOf(table(column, cells))).toBeNull()
  })

  it('does not consist of texts that seldom repeat, or of a few rows', async () => {
    const texts = Array.from({ length: 30 }, (_, row) => `${'Warm '.repeat(row % 9)}boot ${row}`)
    expect(await columnOf(table('text', texts))).toBeNull()
    expect(await columnOf(table('a', REST, 10))).toBeNull()
  })
})

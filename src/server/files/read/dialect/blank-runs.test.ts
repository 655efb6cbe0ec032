import { describe, expect, it } from 'vitest'

import { ingest, refusalOf } from '../../../testing/stages/ingesting'

const NOTE =
  'No delimiter was found; runs of blanks were read as delimiters. Check that the columns are right.'

describe('columns that blanks separate', () => {
  const cases: [string, string, string][] = [
    [
      'at least two, and one inside cells',
      'SKU     NAME          PRICE\nA-1     Winter boot    9.90\n  A-2   Hat           12.50  \n',
      'SKU,NAME,PRICE\r\nA-1,Winter boot,9.90\r\nA-2,Hat,12.50\r\n',
    ],
    [
      'one or more',
      'sku   qty price\nA-1     5 12.50\nA-10   15  2.50\nA-100 150  9.90\n',
      'sku,qty,price\r\nA-1,5,12.50\r\nA-10,15,2.50\r\nA-100,150,9.90\r\n',
    ],
    [
      'quoted cells keep theirs',
      'sku    name    qty\n1      "a  b"    5\n2      "c, d"    6\n',
      'sku,name,qty\r\n1,a  b,5\r\n2,"c, d",6\r\n',
    ],
  ]
  it.each(cases)('are read: %s', async (_name, source, expected) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text).toBe(expected)
      expect(report.dialect.delimiter).toBe(' ')
      expect(report.problems).toMatchObject([{ line: null, count: 1, message: NOTE }])
    }
  })

  const kept: [string, string][] = [
    ['texts of two words', 'Product name\nBrown boot\nGreen hat\nRed sock\n'],
    [
      'texts with a few double blanks',
      'Product name\nBrown  boot\nGreen hat\nRed sock\nBlue cap\n',
    ],
    ['rows of different widths', 'sku   name   qty\n1     Boot   5\n2     Red    hat   6\n'],
    ['rows without a header', '1    2    3\n4    5    6\n7    8    9\n'],
    ['a table with commas', 'sku,name  x\n1,A  b\n2,C  d\n'],
  ]
  it.each(kept)('are not %s', async (_name, source) => {
    const { report } = await ingest(source)
    expect(report.dialect.delimiter).toBe(',')
  })

  it('are refused where a cell is missing, because nobody can tell which', async () => {
    const rows = Array.from({ length: 250 }, (_, row) => `${row}    Boot    5\n`).join('')
    const { message } = await refusalOf(`sku    name    qty\n${rows}250            5\n`)
    expect(message).toBe('Line 252 has 2 cells, but the header has 3: “250            5”.')
  })
})

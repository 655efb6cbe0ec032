import { describe, expect, it } from 'vitest'

import { ingest, refusalOf } from '../testing/stages/ingesting'

const NOTE = "Cells are enclosed in single quotation marks ('), which were removed."

describe('cells in single quotes', () => {
  const cases: [string, string, string][] = [
    [
      'with delimiters in them',
      "'sku','name'\n'1','Boot, brown'\n'2','Hat'\n",
      'sku,name\r\n1,"Boot, brown"\r\n2,Hat\r\n',
    ],
    [
      'around texts only',
      "sku,name,qty\n1,'Boot, brown',5\n2,'Hat',6\n3,'',7\n",
      'sku,name,qty\r\n1,"Boot, brown",5\r\n2,Hat,6\r\n3,,7\r\n',
    ],
    [
      'with doubled quotes, double quotes and line ends in them',
      "'sku';'name'\n'1';'men''s 5\" boot'\n'2';'a\nb'\n'3';''''\n",
      'sku,name\r\n1,"men\'s 5"" boot"\r\n2,"a\nb"\r\n3,\'\r\n',
    ],
    [
      'with spaces around them',
      "'A',    'ar', 'Peso, old'\n'Bo',   'bo', 'B'\n'C',    'ca', 'Dollar'\n",
      'A,ar,"Peso, old"\r\nBo,bo,B\r\nC,ca,Dollar\r\n',
    ],
  ]
  it.each(cases)('are unwrapped: %s', async (_name, source, expected) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text).toBe(expected)
      expect(report.problems).toContainEqual({ line: null, count: 1, message: NOTE })
      expect(report.dialect.isQuoted).toBe(true)
    }
  })

  it('are unwrapped when only they explain a row after the first ones', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => `${row},men's boot,A\n`).join('')
    const { text, report } = await ingest(`sku,name,size\n${rows}300,'Boot, brown',B\n`)
    expect(text.endsWith('299,men\'s boot,A\r\n300,"Boot, brown",B\r\n')).toBe(true)
    expect(report.problems).toEqual([{ line: 302, count: 1, message: NOTE }])
  })

  const kept: [string, string][] = [
    ['apostrophes in words', "sku,name\n1,men's\n2,ladies'\n3,rock 'n' roll\n"],
    ['feet and inches', "sku,size\n1,5' 3\n2,6'\n"],
    ['apostrophes before numbers, as Excel has them', "sku,ean\n1,'00123\n2,'00456\n"],
    ['apostrophes before words', "sku,name\n1,'tis the season\n2,'80s jacket\n3,Hat\n"],
    ['some cells only', "sku,name\n1,'Boot'\n2,Hat\n3,'Sock'\n"],
    ['single quotes inside double ones', '"sku","name"\n"1","\'Boot\'"\n"2","\'Hat\'"\n'],
  ]
  it.each(kept)('are not %s', async (_name, source) => {
    const { text, report } = await ingest(source)
    expect(text).toBe(source)
    expect(report.problems).toEqual([])
  })

  it('do not explain a row that has text after them', async () => {
    const error = await refusalOf("sku,name\n1,Boot\n2,'Hat', red\n3,'Sock' x, blue'\n")
    expect(error.message).toMatch(/^Line 3 has 3 cells, but the header has 2:/)
  })
})

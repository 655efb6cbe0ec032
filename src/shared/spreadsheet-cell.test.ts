import { describe, expect, it } from 'vitest'

import { toSpreadsheetCell } from './spreadsheet-cell'

describe('a cell for spreadsheets', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['-1', "'-1"],
    ["'=x", "''=x"],
    ["''@x", "'''@x"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ["'tis", "'tis"],
    ['a=b', 'a=b'],
    ['', ''],
  ])('is written of %j so that no formula is run, and no two texts look the same', (text, cell) => {
    expect(toSpreadsheetCell(text)).toBe(cell)
  })

  it('has quotes where it must', () => {
    expect(toSpreadsheetCell('a "b", c')).toBe('"a ""b"", c"')
    expect(toSpreadsheetCell('a\nb')).toBe('"a\nb"')
  })
})

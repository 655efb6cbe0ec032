import { describe, expect, it } from 'vitest'

import { guardFormulas, guardFormulasButNumbers, toSpreadsheetCell } from './spreadsheet-cell'

describe('a cell for spreadsheets', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['-1', "'-1"],
    ["'=x", "''=x"],
    ["''@x", "'''@x"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    [' =1', "' =1"],
    ['\u00A0\t＝1', "'\u00A0\t＝1"],
    ["' =1", "'' =1"],
    ['\0=1', "'\0=1"],
    ["'tis", "'tis"],
    ['a=b', 'a=b'],
    [' a', ' a'],
    ['', ''],
  ])('is written of %j so that no formula is run, and no two texts look the same', (text, cell) => {
    expect(toSpreadsheetCell(text)).toBe(cell)
  })

  it.each([
    ['a;=HYPERLINK("x")', `a;'=HYPERLINK("x")`],
    ['a\t＝SUM(A1)', "a\t'＝SUM(A1)"],
    ['a, @SUM(A1),b', "a,' @SUM(A1),b"],
    ["x\n-cmd|' /C calc'!A0", "x\n'-cmd|' /C calc'!A0"],
    ['a;"=NOW()', `a;'"=NOW()`],
    ["a;'=NOW()", "a;''=NOW()"],
    [';=NOW();=NOW()', ";'=NOW();'=NOW()"],
    ['=NOW();=NOW()', "'=NOW();'=NOW()"],
    ['Sizes:\n- 38\n- 39', 'Sizes:\n- 38\n- 39'],
    ['soft (cotton), - blue', 'soft (cotton), - blue'],
    ['a=b (c)', 'a=b (c)'],
  ])('is guarded where another delimiter would begin a cell: %j', (text, guarded) => {
    expect(guardFormulas(text)).toBe(guarded)
  })

  it.each(['-5', '+3.2', ' -1,234.50 ', '-.5', '-1e5', '-3%'])(
    'may be the number %j, which is no formula',
    (text) => expect(guardFormulasButNumbers(text)).toBe(text),
  )

  it.each(['-5-3', '-A1', '--5', '+SUM(1)', '=5', '－5', '-', '-5\n=1'])(
    'is no number: %j',
    (text) => expect(guardFormulasButNumbers(text)).toBe(`'${text}`),
  )

  it('has quotes where it must', () => {
    expect(toSpreadsheetCell('a "b", c')).toBe('"a ""b"", c"')
    expect(toSpreadsheetCell('a\nb')).toBe('"a\nb"')
  })
})

const BEGINS_FORMULA = '=-＝'

/** Whether a text has apostrophes, then some of these blanks, then the beginning of a formula. */
function isGuarded(text: string, blanks: string): boolean {
  let at = 0
  while (text[at] === "'") at++
  const isGuardedBlank = blanks.includes('\n') && /^[\t\r\n]/.test(text.slice(at))
  let sign = at
  while (sign < text.length && blanks.includes(text[sign] ?? '')) sign++
  return at > 0 && (isGuardedBlank || BEGINS_FORMULA.includes(text[sign] ?? ' '))
}

/** Undoes `guardFormulas`, cell by cell within each line, then at the beginning. */
function restore(text: string): string {
  const lines = text.split(/(?<=[\r\n])/)
  const inner = lines.map((line, row) =>
    line
      .split(/(?<=[,;\t])/)
      .map((cell, place, cells) => {
        const isWithin = row + place > 0
        const reaches = cells.slice(place).join('').includes('(')
        return isWithin && reaches && isGuarded(cell, ' "') ? cell.slice(1) : cell
      })
      .join(''),
  )
  const whole = inner.join('')
  return isGuarded(whole, ' \t\r\n') ? whole.slice(1) : whole
}

describe('a guarded text', () => {
  it('is restored by removing one apostrophe in the same places', () => {
    const letters = Array.from("''=-＝ \t\r\n,;\"(a")
    let seed = 1
    const next = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: next(12) }, () => letters[next(letters.length)]).join('')
      expect([text, restore(guardFormulas(text))]).toEqual([text, text])
    }
  })
})

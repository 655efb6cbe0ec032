import { describe, expect, it } from 'vitest'

import type { DecimalMark } from '../../../../shared/schemas/column-numbers'
import { createProblemLog } from '../problems'
import { createScanner } from '../scan/scanner'
import { createQuantityTally, type QuantityChoice } from './quantity-column'

/** Reads a column of cells as a sync does. */
function tallyOf(cells: string[], choice: Partial<QuantityChoice> = {}, columns = ['sku', 'qty']) {
  const tally = createQuantityTally(columns, {
    column: null,
    decimalMark: null,
    remembered: [],
    ...choice,
  })
  const text = cells.map((cell) => `x,"${cell}"\n`).join('')
  const batch = createScanner({ delimiter: ',', quoting: 'strict' }).push(
    Buffer.from(`${text}x,\n`),
  )
  for (let record = 0; record < batch.count; record++) tally.add(batch, record)
  return tally
}

function notesOf(tally: ReturnType<typeof tallyOf>): string[] {
  const problems = createProblemLog()
  tally.report(problems)
  return problems.list().map(({ count, message, setting }) => `${count} ${setting}: ${message}`)
}

const styleOf = (...cells: string[]) => tallyOf(cells).numbers()[0]?.style
const sumOf = (...cells: string[]) => tallyOf(cells).sum()?.sum

describe('the numbers of a column', () => {
  it('are summed as they are read, those of digits only and all others', () => {
    const cells = ['12', '007', '', '123456789012345', '1234567890123456', '1.5', '3', 'none', '<5']
    const sum = 12 + 7 + 123_456_789_012_345 + 1.5 + 3 + 4
    expect(tallyOf(cells).sum()).toEqual({ column: 'qty', sum })
  })

  it('are told when a single cell decides on many others', () => {
    const cells = [...Array.from({ length: 40 }, () => '1,100'), '5,-']
    expect(notesOf(tallyOf(cells))).toEqual([
      '40 decimalMark: “1,100” in the column “qty” is read as 1.1, only because of “5,-”.',
    ])
    const remembered = [{ column: 'qty', mark: 'comma' as const }]
    expect(notesOf(tallyOf(cells, { remembered }))).toEqual([])
  })

  it.each([
    [['0,5', '12,000'], 12.5],
    [['12,50', '12,000'], 24.5],
    [['0,500', '12,000'], 12.5],
    [['0,000', '12,000'], 12],
    [['1.234,000', '12,000'], 1_246],
    [['1 234,000', '12,000'], 1_246],
    [['1234,000', '12,000'], 1_246],
    [['5,-', '12,000'], 17],
    [['1.234.567', '1.000', '12.500'], 1_248_067],
    [['1.234,5', '1.000'], 2_234.5],
    [['1.5', '12,000'], 12_001.5],
    [['0.500', '12,000'], 12_000.5],
    [['1,234,567', '12,000'], 1_246_567],
    [['1,234.50', '12,000', '1.234'], 13_235.734],
  ])('are judged by all of them: %j', (cells, sum) => {
    expect(sumOf(...cells)).toBeCloseTo(sum, 6)
    expect(sumOf(...cells.toReversed())).toBeCloseTo(sum, 6)
    expect(notesOf(tallyOf(cells))).toEqual([])
  })

  it('are thousands in groups of three where nothing shows what they are, which is told', () => {
    const tally = tallyOf(['5', '12,000', '1,234', '700'])
    expect(tally.sum()?.sum).toBe(13_939)
    expect(tally.numbers()).toEqual([
      { column: 'qty', style: 'thousands', used: 'thousands', example: '12,000' },
    ])
    expect(notesOf(tally)).toEqual([
      '2 decimalMark: “12,000” in the column “qty” is read as 12000, because nothing shows whether ' +
        'these are thousands or decimals.',
    ])
    expect(styleOf('1.234')).toBe('thousands')
    expect(styleOf('5', '1 234', "1'234")).toBeNull()
  })

  it('that contradict each other are the smaller ones, which is told', () => {
    const tally = tallyOf(['0,5', '2.5', '12,000', '3.000'])
    expect(tally.sum()?.sum).toBe(18)
    expect(notesOf(tally)).toEqual([
      '2 decimalMark: “12,000” in the column “qty” is read as 12, the smaller reading, because the ' +
        'numbers of the column contradict each other.',
    ])
    expect(sumOf('12,000', '1.500')).toBe(13.5)
    expect(notesOf(tallyOf(['0,5', '2.5']))).toEqual([
      '1 decimalMark: Numbers in the column “qty” are written in two ways: “0,5” and “2.5”.',
    ])
  })

  const remembering = (mark: DecimalMark) => ({ remembered: [{ column: 'QTY', mark }] })

  it('are read as earlier files have shown, until a file shows something else; both are told', () => {
    const recalled = tallyOf(['12,000'], remembering('comma'))
    expect(recalled.sum()?.sum).toBe(12)
    expect(recalled.numbers()).toMatchObject([{ style: 'comma' }])
    expect(notesOf(recalled)).toEqual([
      '1 decimalMark: “12,000” in the column “qty” is read as 12, as earlier files have shown.',
    ])
    const changed = tallyOf(['12,000', '1.5'], remembering('comma'))
    expect(changed.sum()?.sum).toBe(12_001.5)
    expect(notesOf(changed)).toEqual([
      '1 decimalMark: Numbers in the column “qty” have another decimal mark than before: “1.5”.',
    ])
    const plain = tallyOf(['12'], remembering('comma'))
    expect(plain.numbers()).toEqual([{ column: 'qty', style: 'comma', used: null, example: null }])
    expect(notesOf(plain)).toEqual([])
  })

  it('are read as the supplier has chosen, but not against what a number shows itself', () => {
    const chosen = tallyOf(['12,000', '0,5'], { decimalMark: 'point' })
    expect(chosen.sum()?.sum).toBe(12_000.5)
    expect(chosen.numbers()).toMatchObject([{ style: 'comma', used: 'point' }])
    expect(notesOf(chosen)).toEqual([
      '1 decimalMark: Not all numbers in the column “qty” have the decimal mark that was chosen: ' +
        '“0,5” is read as 0.5.',
    ])
    expect(notesOf(tallyOf(['12,000'], { decimalMark: 'comma' }))).toEqual([])
  })

  it('are judged in the column that the supplier has chosen, and told of that one only', () => {
    const tally = tallyOf(['12,000'], { column: 'Left' }, ['units', 'left'])
    expect(tally.numbers().map(({ column, style }) => [column, style])).toEqual([
      ['units', null],
      ['left', 'thousands'],
    ])
    expect(tally.sum()).toBeNull()
    expect(notesOf(tally)).toHaveLength(1)
    expect(notesOf(tallyOf(['12,000'], { column: 'sku' }))).toEqual([])
  })
})

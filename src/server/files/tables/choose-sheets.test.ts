import { describe, expect, it } from 'vitest'

import { sheetOf, workbookOf } from '../../testing/fixtures/workbooks'
import { createProblemLog } from '../read/problems'
import { chooseSheets } from './choose-sheets'

const STOCK = sheetOf(['sku', 'qty'], ['A1', 5])
const PRICES = sheetOf(['a', 'b'], ['c', 'd'])
/** A name, with the attribute that hides its sheet. */
const hidden = (name: string) => `${name}" state="hidden`

async function choose(
  sheets: Record<string, string>,
  { chosen = null, previous = [] }: { chosen?: string[] | null; previous?: string[] },
) {
  const found = await chooseSheets(await workbookOf({ sheets }), chosen, previous)
  const problems = createProblemLog()
  found.report(problems)
  return { names: found.sheets.map(({ name }) => name), problems: problems.list() }
}

describe('the sheets of a workbook', () => {
  it('are those that were read before, which is nothing to tell', async () => {
    const sheets = { Info: sheetOf(['x']), N: PRICES, S: PRICES, Stock: STOCK }
    const { names, problems } = await choose(sheets, { previous: ['S', 'N'] })
    expect(names).toEqual(['N', 'S'])
    expect(problems.map(({ message }) => message)).toEqual([
      'The sheets “N” and “S” were read; the workbook also has “Stock”.',
    ])
  })

  it('are found behind others, however many came before them', async () => {
    const others = Array.from({ length: 60 }, (_, index) => [`Old ${index}`, sheetOf(['x'])])
    const sheets = { ...Object.fromEntries(others), Stock: STOCK }
    expect((await choose(sheets, { previous: ['Stock'] })).names).toEqual(['Stock'])
  })

  it.each([
    [
      'gone',
      { Bestand: STOCK },
      ['Lager'],
      'The sheet “Lager” was read before and is gone: “Bestand” was read instead.',
    ],
    [
      'hidden',
      { [hidden('Lager')]: STOCK, Bestand: STOCK },
      ['Lager'],
      'The sheet “Lager” was read before and is hidden: “Bestand” was read instead.',
    ],
    [
      'gone, and there are others',
      { Prices: PRICES, Stock: STOCK },
      ['Lager'],
      'The sheet “Lager” was read before and is gone: “Stock” was read instead; the workbook also has “Prices”.',
    ],
    [
      'gone or hidden, and others too',
      { [hidden('S')]: STOCK, Stock: STOCK },
      ['S', 'W'],
      'The sheets “S” and “W” were read before and are gone or hidden: “Stock” was read instead.',
    ],
    [
      'gone, with others',
      { N: STOCK },
      ['N', 'S', 'W'],
      'The sheets “S” and “W” were read before and are gone: “N” was read instead.',
    ],
  ])('are told where one that was read before is %s', async (_what, sheets, previous, message) => {
    const { names, problems } = await choose(sheets, { previous })
    expect(names).toEqual([Object.keys(sheets).at(-1)])
    expect(problems).toEqual([{ line: null, message, count: 1, setting: 'sheets' }])
  })

  it('are those that are chosen, or none', async () => {
    const sheets = { [hidden('Lager')]: STOCK, Bestand: STOCK }
    const chosen = await choose(sheets, { chosen: ['lager'], previous: ['Bestand'] })
    expect(chosen).toEqual({ names: ['Lager'], problems: [] })
    await expect(choose(sheets, { chosen: ['Lager', 'Rest'] })).rejects.toThrow(
      'The workbook has no sheet that fits the chosen “Rest”. It has “Lager” and “Bestand”.',
    )
  })
})

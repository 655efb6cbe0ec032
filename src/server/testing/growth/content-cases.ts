import { createCarryForward } from '../../feed/carry-forward'
import { createCategoryTally, findColumn } from '../../feed/category-column'
import { detectSigns } from '../../feed/category-signs'
import { displayCell, displayName } from '../../feed/display-cell'
import { addRecord, createHead, takeNames } from '../../feed/head-rows'
import { detectHeader } from '../../feed/header'
import { scoreLatinText } from '../../feed/letter-habits'
import { normalizeName } from '../../feed/normalize-name'
import { createProblemLog } from '../../feed/problems'
import { createQuantitySum, readQuantity } from '../../feed/quantity'
import { isWebText, refuseOtherFormats, textInsteadOfTable } from '../../feed/sniff'
import { createSummary } from '../../feed/summary'
import { type GrowthCase, file, text, texts } from './case'
import { eachRow, unlessRefused } from './rows'

const READING = { column: 'category', pathSign: '>', listSign: ',' } as const

/** By file below `src/server/feed` and export. */
export const contentCases: Record<string, Record<string, GrowthCase>> = {
  'carry-forward': {
    createCarryForward: file((bytes) => {
      let carry: ReturnType<typeof createCarryForward> | undefined
      eachRow(bytes, () => {
        carry = createCarryForward(['handle', 'category'], 1)
        return carry
      })
      return carry
    }),
  },
  'category-column': {
    findColumn: texts((names) => findColumn(names, names.join())),
    createCategoryTally: file((bytes) => {
      let tally: ReturnType<typeof createCategoryTally> | undefined
      eachRow(bytes, (columns) => {
        tally = createCategoryTally(columns, null)
        return tally.add
      })
      return tally?.result(createProblemLog())
    }),
  },
  'category-signs': {
    detectSigns: texts((cells) => [detectSigns(cells), detectSigns([cells.join(), ...cells])]),
  },
  'display-cell': { displayCell: text(displayCell), displayName: text(displayName) },
  'head-rows': {
    createHead: texts((cells) => {
      const head = createHead(cells)
      for (const cell of cells) head.add((column) => cells[column] ?? cell)
      return [head.columns, head.rows]
    }),
    addRecord: file((bytes) => {
      let head = createHead([])
      eachRow(bytes, (columns) => {
        head = createHead(columns)
        return (batch, record) => addRecord(head, batch, record)
      })
      return head.rows
    }),
    takeNames: texts((names) => takeNames(names, 128 * 1024)),
  },
  header: {
    detectHeader: texts((cells) => [
      detectHeader([cells, cells.toReversed(), cells, cells.toReversed()]),
      detectHeader(cells.map((cell) => [cell, cell])),
      detectHeader([[cells.join('@')], [cells.join('.')], ['1'], ['2']]),
    ]),
  },
  'letter-habits': {
    scoreLatinText: text((whole) => [
      scoreLatinText(whole, 'central'),
      scoreLatinText(whole, 'western'),
    ]),
  },
  'normalize-name': { normalizeName: text(normalizeName) },
  problems: {
    createProblemLog: texts((messages) => {
      const log = createProblemLog()
      for (const [line, message] of messages.entries()) log.add(line, message)
      return log.list()
    }),
  },
  quantity: {
    createQuantitySum: file((bytes) => eachRow(bytes, (columns) => createQuantitySum(columns).add)),
    readQuantity: text(readQuantity),
  },
  sniff: {
    refuseOtherFormats: text((whole) =>
      unlessRefused(() => refuseOtherFormats(Buffer.from(whole), whole)),
    ),
    isWebText: texts((columns) => isWebText(columns, 'text/html')),
    textInsteadOfTable: texts(textInsteadOfTable),
  },
  summary: {
    createSummary: file((bytes) => {
      let summary: ReturnType<typeof createSummary> | undefined
      eachRow(bytes, (columns) => {
        summary = createSummary(columns, READING)
        return summary.add
      })
      return summary?.result(createProblemLog())
    }),
  },
}

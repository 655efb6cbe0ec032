import { countRow, createCandidate } from '../../../files/read/categories/category-candidate'
import { createCategoryTally, findColumn } from '../../../files/read/categories/category-column'
import { createContentTally } from '../../../files/read/categories/category-content'
import { pickExamples } from '../../../files/read/categories/category-examples'
import { detectSeparators, findUnsplit } from '../../../files/read/categories/category-separators'
import { createOtherTexts, isNameOfOtherTexts } from '../../../files/read/categories/category-words'
import { createFillDown } from '../../../files/read/categories/fill-down'
import { findBinaryFormat } from '../../../files/read/dialect/binary-format'
import { createCodeComparison, createSeriesComparison } from '../../../files/read/dialect/codes'
import {
  countKnownNames,
  detectHeader,
  judgeHeader,
  kindOf,
} from '../../../files/read/dialect/header'
import {
  isWebText,
  refuseOtherFormats,
  textInsteadOfTable,
} from '../../../files/read/dialect/sniff'
import { normalizeName, normalizeNameWithoutUnit } from '../../../files/read/normalize-name'
import { createProblemLog } from '../../../files/read/problems'
import { describeGuess, reportNumbers } from '../../../files/read/quantities/number-notes'
import {
  createNumberEvidence,
  createQuantitySum,
} from '../../../files/read/quantities/number-style'
import { toAsciiNumber } from '../../../files/read/quantities/number-text'
import {
  parseQuantity,
  readDigits,
  readQuantity,
  toQuantity,
} from '../../../files/read/quantities/quantity'
import {
  AUTOMATIC_NUMBERS,
  createQuantityTally,
  findByColumn,
} from '../../../files/read/quantities/quantity-column'
import { isUnit } from '../../../files/read/quantities/quantity-units'
import { displayCell, displayName, readNames } from '../../../files/read/scan/display-cell'
import { rememberCells } from '../../../files/read/scan/remembered-cells'
import { cellText } from '../../../files/read/scan/scan'
import { createSummary } from '../../../files/read/summary'
import { addRecord, createHead, takeNames } from '../../../files/read/table/head-rows'
import { jsonBytes } from '../../../files/read/table/json-bytes'
import { type GrowthCase, file, text, texts } from './case'
import { eachRow, unlessRefusedLater } from './rows'

const QUANTITIES = { column: 'b', ...AUTOMATIC_NUMBERS }
const READING = { column: 'category', pathSeparator: '>', listSeparator: ',' } as const

/** The first bytes of formats that file-type parses beyond their signature. */
const SIGNATURES = [
  '',
  'PK\u0003\u0004\u0014\0\u0006\0\b\0',
  '7z\u00BC\u00AF\u0027\u001C',
  '\u001F\u008B\b',
  '\u0089PNG\r\n\u001A\n\0\0\0\rIHDR',
  'II*\0',
  'RIFF',
  'ID3\u0003\0',
  '\0\0\0\u0018ftyp',
  '\u001A\u0045\u00DF\u00A3',
]

const toWritten = (digits: string) => ({
  whole: digits,
  fraction: digits,
  isNegative: false,
  isBelow: false,
  open: 'comma' as const,
  proof: 'point' as const,
})

/** Cases by file below `src/server/files` and export. */
export const contentCases: Record<string, Record<string, GrowthCase>> = {
  'read/categories/fill-down': {
    createFillDown: file((bytes) => {
      let carry: ReturnType<typeof createFillDown> | undefined
      eachRow(bytes, () => {
        carry = createFillDown(['handle', 'category'], 1)
        return carry
      })
      return carry
    }),
  },
  'read/scan/remembered-cells': {
    rememberCells: file((bytes) =>
      eachRow(bytes, () => rememberCells(0, (batch, record) => cellText(batch, record, 0))),
    ),
  },
  'read/categories/category-column': {
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
  'read/categories/category-candidate': {
    createCandidate: file((bytes) => eachRow(bytes, (columns) => createCandidate(columns, 0).add)),
    countRow: file((bytes) =>
      eachRow(bytes, (columns) => {
        const candidates = [createCandidate(columns, 0)]
        return (batch, record) => countRow(candidates, batch, record)
      }),
    ),
  },
  'read/categories/category-content': {
    createContentTally: file((bytes) => {
      let tally: ReturnType<typeof createContentTally> | undefined
      eachRow(bytes, (columns) => {
        tally = createContentTally(columns)
        return tally.add
      })
      return tally?.find()
    }),
  },
  'read/categories/category-words': {
    isNameOfOtherTexts: text(isNameOfOtherTexts),
    createOtherTexts: texts((cells) => cells.filter(createOtherTexts())),
  },
  'read/categories/category-examples': {
    pickExamples: texts((cells) => pickExamples(cells, READING)),
  },
  'read/categories/category-separators': {
    findUnsplit: texts((cells) => findUnsplit(cells, { pathSeparator: null, listSeparator: null })),
    detectSeparators: texts((cells) => [
      detectSeparators(cells),
      detectSeparators([cells.join(), ...cells]),
    ]),
  },
  'read/scan/display-cell': {
    displayCell: text(displayCell),
    displayName: text(displayName),
    readNames: file((bytes) => eachRow(bytes, () => readNames)),
  },
  'read/table/json-bytes': { jsonBytes: texts(jsonBytes) },
  'read/table/head-rows': {
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
  'read/dialect/header': {
    countKnownNames: texts(countKnownNames),
    kindOf: texts((cells) => cells.map((cell) => kindOf(cell.slice(0, 200)))),
    detectHeader: texts((cells) => [
      detectHeader([cells, cells.toReversed(), cells, cells.toReversed()]),
      detectHeader(cells.map((cell) => [cell, cell])),
      detectHeader([[cells.join('@')], [cells.join('.')], ['1'], ['2']]),
    ]),
    judgeHeader: texts((cells) =>
      judgeHeader([cells, cells.toReversed()], {
        hasHeader: true,
        columns: cells,
        columnCount: cells.length,
      }),
    ),
  },
  'read/dialect/codes': {
    createCodeComparison: texts((cells) => {
      const [first = '', ...others] = cells.map((cell) => cell.slice(0, 200))
      return ['A-1', 'A 1', first].map((cell) => {
        const isAlike = createCodeComparison(cell)
        return isAlike && others.filter(isAlike)
      })
    }),
    createSeriesComparison: texts((cells) => {
      const isAlike = createSeriesComparison(`${cells[0]?.slice(0, 200)}1`)
      return isAlike && cells.map((cell) => isAlike(cell.slice(0, 200)))
    }),
  },
  'read/normalize-name': {
    normalizeName: text(normalizeName),
    normalizeNameWithoutUnit: text((whole) => normalizeNameWithoutUnit(whole.slice(0, 200))),
  },
  'read/problems': {
    createProblemLog: texts((messages) => {
      const log = createProblemLog()
      for (const [line, message] of messages.entries()) log.add(line, message)
      return log.list()
    }),
  },
  'read/quantities/quantity': {
    readDigits: file((bytes) =>
      eachRow(bytes, () => (batch, record) => readDigits(batch, record, 1)),
    ),
    parseQuantity: text(parseQuantity),
    toQuantity: text((whole) => toQuantity(toWritten(whole), 'comma')),
    readQuantity: text((whole) => readQuantity(whole, 'comma')),
  },
  'read/quantities/quantity-column': {
    createQuantityTally: file((bytes) => {
      let tally: ReturnType<typeof createQuantityTally> | undefined
      eachRow(bytes, (columns) => {
        tally = createQuantityTally(columns, QUANTITIES)
        return tally.add
      })
      tally?.report(createProblemLog())
      return tally?.numbers()
    }),
    findByColumn: texts((names) =>
      findByColumn(
        names.map((column) => ({ column })),
        'a',
      ),
    ),
  },
  'read/quantities/quantity-units': { isUnit: text(isUnit) },
  'read/quantities/number-text': { toAsciiNumber: text(toAsciiNumber) },
  'read/quantities/number-style': {
    createNumberEvidence: texts((cells) => {
      const evidence = createNumberEvidence()
      for (const cell of cells) evidence.add(cell, toWritten(cell))
      return evidence.judge(null)
    }),
    createQuantitySum: texts((cells) => {
      const sum = createQuantitySum()
      for (const cell of cells) sum.add(toWritten(cell))
      return sum.total('comma')
    }),
  },
  'read/quantities/number-notes': {
    describeGuess: text((example) => describeGuess({ column: 'b', style: 'thousands', example })),
    reportNumbers: texts((cells) => {
      const evidence = createNumberEvidence()
      for (const cell of cells) evidence.add(cell, toWritten(cell))
      const numbers = { column: cells[0] ?? '', evidence, chosen: null, remembered: null }
      reportNumbers(createProblemLog(), numbers)
    }),
  },
  'read/dialect/binary-format': {
    findBinaryFormat: text((whole) =>
      Promise.all(
        SIGNATURES.map((start) => findBinaryFormat(Buffer.from(start + whole, 'latin1'))),
      ),
    ),
  },
  'read/dialect/sniff': {
    refuseOtherFormats: text((whole) =>
      unlessRefusedLater(refuseOtherFormats(Buffer.from(whole), whole)),
    ),
    isWebText: texts((columns) => isWebText(columns, 'text/html')),
    textInsteadOfTable: texts(textInsteadOfTable),
  },
  'read/summary': {
    createSummary: file((bytes) => {
      let summary: ReturnType<typeof createSummary> | undefined
      eachRow(bytes, (columns) => {
        summary = createSummary(columns, { categories: READING, quantities: QUANTITIES })
        return summary.add
      })
      return summary?.result(createProblemLog())
    }),
  },
}

import { FileError } from '../../../files/file-error'
import { createBlankRunConverter, listGaps } from '../../../files/read/dialect/blank-runs'
import { findRule, isRowCount } from '../../../files/read/dialect/drawn-lines'
import { findDrawnLine } from '../../../files/read/dialect/drawn-table'
import { readSample } from '../../../files/read/dialect/sample-rows'
import { isSecondHeader } from '../../../files/read/dialect/second-header'
import {
  areCellsInSingleQuotes,
  mayHaveSingleQuotes,
} from '../../../files/read/dialect/single-quotes'
import {
  createEscapeDetector,
  createIso2022KrConverter,
} from '../../../files/read/encoding/iso-2022'
import { createBadLines } from '../../../files/read/table/bad-lines'
import { createHeaderComparison } from '../../../files/read/table/repeated-header'
import { isTotalsLine } from '../../../files/read/table/totals-line'
import { type GrowthCase, exempt, file, text, texts } from './case'
import { eachRow } from './rows'

const NO_TEXT = 'takes no text'

/** Cases by file below `src/server/files` and export. */
export const dialectCases: Record<string, Record<string, GrowthCase>> = {
  'read/table/bad-lines': {
    createBadLines: file((bytes) => {
      const badLines = createBadLines(new FileError('bad-quotes', 'Line 3.', { line: 3 }))
      badLines.read(bytes)
      return badLines.explain(true)
    }),
  },
  'read/dialect/drawn-lines': {
    findRule: file((bytes) => eachRow(bytes, () => findRule)),
    isRowCount: file((bytes) => eachRow(bytes, () => isRowCount)),
  },
  'read/dialect/drawn-table': { findDrawnLine: text(findDrawnLine) },
  'read/dialect/sample-rows': {
    readSample: file((bytes) => readSample(bytes, { delimiter: ',', quoting: 'single' }, true)),
  },
  'read/dialect/single-quotes': {
    mayHaveSingleQuotes: file(mayHaveSingleQuotes),
    areCellsInSingleQuotes: texts((cells) =>
      areCellsInSingleQuotes({
        rows: cells.map((cell) => [cell]),
        lines: [],
        unwrapped: [cells.length],
        rules: 0,
        hasUnclearRule: false,
        hasFailed: false,
      }),
    ),
  },
  'read/scan/scan-errors': {
    enclosedCells: exempt(NO_TEXT),
    unclearColumns: exempt(NO_TEXT),
    mostlyMissing: exempt(NO_TEXT),
    raggedRow: exempt(NO_TEXT),
    recordTooLong: exempt(NO_TEXT),
    strayQuote: exempt(NO_TEXT),
    textAfterQuote: exempt(NO_TEXT),
    tooManyColumns: exempt(NO_TEXT),
    unclosedQuote: exempt(NO_TEXT),
  },
  'read/dialect/blank-runs': {
    createBlankRunConverter: file((bytes) => {
      const convert = createBlankRunConverter(2)
      for (let at = 0; at < bytes.length; at += 7) convert(bytes.subarray(at, at + 7))
      return convert(bytes)
    }),
    listGaps: file(listGaps),
  },
  'read/encoding/iso-2022': {
    createEscapeDetector: file((bytes) => {
      const detector = createEscapeDetector()
      for (let at = 0; at < bytes.length; at += 3) detector.push(bytes.subarray(at, at + 3))
      return detector.charset()
    }),
    createIso2022KrConverter: file((bytes) => createIso2022KrConverter()(bytes)),
  },
  'read/table/repeated-header': {
    createHeaderComparison: file((bytes) => eachRow(bytes, () => createHeaderComparison)),
  },
  'read/dialect/second-header': {
    isSecondHeader: texts((cells) =>
      isSecondHeader([cells, cells.toReversed(), ['1'], ['2'], cells.map(() => '3')]),
    ),
  },
  'read/table/totals-line': { isTotalsLine: texts(isTotalsLine) },
}

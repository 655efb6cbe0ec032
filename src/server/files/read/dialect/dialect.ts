import { DELIMITERS } from '../../../../shared/delimiters'
import type { Dialect } from '../../../../shared/schemas/file'
import { QUOTINGS, type Quoting } from '../scan/scan'
import { BLANK_RUN_DELIMITER, createBlankRunConverter, listGaps } from './blank-runs'
import { type KnownHeader, detectHeader, judgeHeader } from './header'
import {
  type SkippedLines,
  countPreamble,
  countSheetPreamble,
  offsetOfLine,
  toFirstLine,
} from './preamble'
import { type SampleRows, readSample } from './sample-rows'
import { isSecondHeader } from './second-header'
import { areCellsInSingleQuotes, mayHaveSingleQuotes } from './single-quotes'

export interface DetectedDialect extends SkippedLines {
  delimiter: Dialect['delimiter']
  /** Whether the delimiter occurs in the header, or in the first row. */
  isSplit: boolean
  hasHeader: boolean
  /** Whether the row that is read as the header may be a product. */
  isHeaderGuess: boolean
  /** Whether single quotes enclose the cells. */
  isSingleQuoted: boolean
  /** For a table of fixed widths: how many blanks at least separate cells; else null. */
  blankGap: number | null
  /** The line below the header if it looks like another header, with units for example. */
  secondHeaderLine: number | null
}

/** On a tie the earlier one wins. */
const COMMON_DELIMITERS: readonly Dialect['delimiter'][] = [',', ';', '\t', '|', '~']
/** Tried when none of the others splits the header: they often stand in times and addresses. */
const RARE_DELIMITERS: readonly Dialect['delimiter'][] = ['^', ':']
/** Single quotes are looked for apart. */
const DOUBLE_QUOTINGS = QUOTINGS.filter(
  (quoting) => quoting !== 'single' && quoting !== 'backslashed',
)
/** Fewer lines may be alike by chance. */
const MIN_BLANK_ROWS = 3
/** A header that another delimiter does not split looks like a title: without one is better. */
const PREAMBLE_SCORE = 0.5

/** What need not be detected. */
interface DialectLimits {
  delimiter?: Dialect['delimiter']
  quotings?: readonly Quoting[]
  /** Whether there may be titles and comments above the table. */
  hasPreamble?: boolean
  /** Whether the bytes are made of the rows of a sheet. */
  isSheet?: boolean
  /** What was found of the file before. */
  knownHeader?: KnownHeader
}

/**
 * Detects the delimiter and whether there is a header.
 * @param head the first bytes in UTF-8, without a byte order mark
 * @param isWhole whether `head` is the whole file; if not, its last record is ignored
 */
export function detectDialect(
  head: Buffer,
  isWhole: boolean,
  limits: DialectLimits = {},
): DetectedDialect {
  // A line that names the delimiter, as Excel writes it.
  const hint = /^sep=(.)(?:\r\n|\n|\r|$)/i.exec(head.toString('latin1', 0, 8))
  const hintBytes = hint?.[0].length ?? 0
  const table = head.subarray(hintBytes)
  const hinted = limits.delimiter ?? DELIMITERS.find((delimiter) => delimiter === hint?.[1])
  const candidates = hinted === undefined ? listCommonDelimiters(table) : [hinted]
  const samples = candidates.map((delimiter) => sampleTable(table, delimiter, isWhole, limits))
  let best = samples.reduce((one, other) => (other.score > one.score ? other : one))
  if (best.delimiter === ',') best = samples.find(isTableOfDecimals) ?? best
  if (hinted === ' ') best = findBlankRuns(table, isWhole, limits) ?? best
  if (best.score === 0 && hinted === undefined) {
    const rare = RARE_DELIMITERS.map((delimiter) => sampleTable(table, delimiter, isWhole, limits))
    best = rare.find(isSplitByDelimiter) ?? findBlankRuns(table, isWhole, limits) ?? best
  }
  const single = { ...limits, quotings: ['single'] as const }
  const singleQuoted =
    limits.quotings === undefined && mayHaveSingleQuotes(table)
      ? findSingleQuoted(candidates.map((name) => sampleTable(table, name, isWhole, single)))
      : undefined
  if (singleQuoted) best = singleQuoted
  const preambleLines = (best.lines[best.preamble] ?? 1) - 1
  const preamble = table.subarray(0, offsetOfLine(table, preambleLines))
  const rows = best.rows.slice(best.preamble)
  const { hasHeader, isGuess } = judgeHeader(rows, limits.knownHeader)
  const hintLines = hint ? 1 : 0
  return {
    delimiter: best.delimiter,
    isSplit: (rows[0]?.length ?? 0) > 1,
    hasHeader,
    isHeaderGuess: isGuess,
    isSingleQuoted: singleQuoted !== undefined,
    blankGap: best.blankGap,
    skipBytes: hintBytes + preamble.length,
    secondHeaderLine:
      hasHeader && isSecondHeader(rows) ? hintLines + (best.lines[best.preamble + 1] ?? 1) : null,
    skipLines: hintLines + preambleLines,
    skippedText: preambleLines > 0 ? toFirstLine(preamble) : null,
  }
}

/** Without those that are nowhere: they split no row, and on a tie the comma wins. */
const listCommonDelimiters = (table: Buffer) =>
  COMMON_DELIMITERS.filter((delimiter) => delimiter === ',' || table.includes(delimiter))

/** A score that only rows of one width reach. */
const REGULAR_SCORE = 1

/** Whether another delimiter than the comma splits all rows alike, and commas stand only in numbers. */
function isTableOfDecimals({ delimiter, rows, score }: Sample): boolean {
  if (delimiter === ',' || score < REGULAR_SCORE) return false
  const withComma = rows.flat().filter((cell) => cell.includes(','))
  return withComma.length > 0 && withComma.every((cell) => /^[^,]*\d(?:,\d+)+\D*$/.test(cell))
}

/** Whether a rare delimiter splits all rows alike, below a header that is none of times or addresses. */
function isSplitByDelimiter({ rows, score }: Sample): boolean {
  const [header = []] = rows
  return (
    score >= REGULAR_SCORE &&
    detectHeader(rows) &&
    header.every((cell) => /^\p{L}/u.test(cell.trim()))
  )
}

interface Sample extends SampleRows {
  delimiter: Dialect['delimiter']
  /** How many rows come before the table. */
  preamble: number
  score: number
  blankGap: number | null
}

/** Reads the first rows with the strictest quoting mode that succeeds. */
function sampleTable(
  table: Buffer,
  delimiter: Dialect['delimiter'],
  isWhole: boolean,
  { quotings = DOUBLE_QUOTINGS, hasPreamble = true, isSheet = false }: DialectLimits,
): Sample {
  let found: SampleRows = {
    rows: [],
    lines: [],
    unwrapped: [],
    rules: 0,
    hasUnclearRule: false,
    hasFailed: true,
  }
  for (const quoting of quotings) {
    found = readSample(table, { delimiter, quoting }, isWhole)
    // Without rows, an unclosed quote has swallowed the sample: the next mode is tried.
    if (!found.hasFailed && found.rows.length > 0) break
  }
  if (table.includes(`\\${delimiter}`)) {
    const other = readSample(table, { delimiter, quoting: 'backslashed' }, isWhole)
    if (scoreRows(other.rows) > scoreRows(found.rows)) found = other
  }
  const countTitles = isSheet ? countSheetPreamble : countPreamble
  const preamble = hasPreamble ? countTitles(found.rows) : 0
  const score = scoreRows(found.rows.slice(preamble)) * (preamble > 0 ? PREAMBLE_SCORE : 1)
  return { ...found, delimiter, preamble, score, blankGap: null }
}

/** A table whose cells are separated by blanks, in the same way in each row. */
function findBlankRuns(table: Buffer, isWhole: boolean, limits: DialectLimits): Sample | undefined {
  for (const blankGap of listGaps(table)) {
    const converted = createBlankRunConverter(blankGap)(table)
    const sample = sampleTable(converted, BLANK_RUN_DELIMITER, isWhole, limits)
    const { rows, rules, preamble } = sample
    const isRegular = rows.every((row) => row.length === rows[0]?.length)
    if (
      isRegular &&
      !sample.hasUnclearRule &&
      preamble === 0 &&
      rows.length + rules >= MIN_BLANK_ROWS &&
      isSplitByDelimiter(sample)
    ) {
      return { ...sample, delimiter: ' ', blankGap }
    }
  }
  return undefined
}

/** The most regular table whose cells single quotes enclose. */
function findSingleQuoted(samples: Sample[]): Sample | undefined {
  return samples
    .filter((sample) => sample.score >= REGULAR_SCORE && areCellsInSingleQuotes(sample))
    .reduce<Sample | undefined>(
      (one, other) => (one && one.score >= other.score ? one : other),
      undefined,
    )
}

/**
 * Scores how well the widths of the rows agree with that of the first; 0 if that has one cell. Of
 * equal agreement the wider table wins, because a character that is not the delimiter does not split
 * every row alike.
 */
function scoreRows(rows: string[][]): number {
  const width = rows[0]?.length ?? 0
  if (width < 2) return 0
  let agreement = 0
  for (const row of rows) {
    if (row.length === width) agreement += 1
    else if (row.length > width) agreement += row.slice(width).every(isEmpty) ? 0.7 : -0.5
    else if (row.length > 1) agreement += 0.3
  }
  return Math.max(0.01, agreement / rows.length) * (1 + Math.log2(width) / 20)
}

function isEmpty(cell: string): boolean {
  return cell.trim() === ''
}

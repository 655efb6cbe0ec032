import type { DecimalMark, NumberStyle } from '../../../../shared/schemas/column-numbers'
import type { ProblemLog } from '../problems'
import type { NumberEvidence } from './number-style'
import { readQuantity } from './quantity'

interface ReadNumbers {
  column: string
  evidence: NumberEvidence
  /** What the supplier has chosen. */
  chosen: DecimalMark | null
  /** What earlier files have shown. */
  remembered: DecimalMark | null
}

/** Tells the supplier how the numbers of the quantity column are read, unless the file or a choice shows it. */
export function reportNumbers(
  problems: ProblemLog,
  { column, evidence, chosen, remembered }: ReadNumbers,
): void {
  const { comma, point } = evidence.proofs()
  const open = evidence.open()
  const style = evidence.judge(remembered)
  const add = (message: string, count = 1) =>
    problems.add(null, message, { count, setting: 'decimalMark' })
  const other = chosen === 'comma' ? point : chosen === 'point' ? comma : undefined
  if (other !== undefined) add(otherwise(column, other))
  if (chosen || style === null) return
  if (open && (style === 'thousands' || style === 'decimals')) {
    add(describeGuess({ column, style, example: open.example }), open.count)
  } else if (comma !== undefined && point !== undefined) add(inTwoWays(column, comma, point))
  else if (remembered && style !== remembered) {
    add(`${inColumn(column)} have another decimal mark than before: “${comma ?? point}”.`)
  } else if (open && !remembered && (comma ?? point) !== undefined && evidence.isThin()) {
    add(`${asRead(column, open.example, style)}, only because of “${comma ?? point}”.`, open.count)
  } else if (open && comma === undefined && point === undefined) {
    add(`${asRead(column, open.example, style)}, as earlier files have shown.`, open.count)
  }
}

/** Tells that it is a guess how a column's numbers are read. */
export function describeGuess({
  column,
  style,
  example,
}: {
  column: string
  style: 'thousands' | 'decimals'
  example: string
}): string {
  const read = asRead(column, example, style)
  return style === 'thousands'
    ? `${read}, because nothing shows whether these are thousands or decimals.`
    : `${read}, the smaller reading, because the numbers of the column contradict each other.`
}

const inColumn = (column: string) => `Numbers in the column “${column}”`

const inTwoWays = (column: string, comma: string, point: string) =>
  `${inColumn(column)} are written in two ways: “${comma}” and “${point}”.`

const otherwise = (column: string, cell: string) =>
  `Not all numbers in the column “${column}” have the decimal mark that was chosen: “${cell}” is read as ${readQuantity(cell, 'decimals')}.`

const asRead = (column: string, example: string, style: NumberStyle) =>
  `“${example}” in the column “${column}” is read as ${readQuantity(example, style)}`

import { type RecordBatch, cellCount, cellStart } from '../scan/scan'

const DASH = 0x2d
const EQUALS = 0x3d
const UNDERSCORE = 0x5f
const FULL_STOP = 0x2e
const CLOSING_BRACKET = 0x29
const SPACE = 0x20

/** A cell of a rule is as wide as its column. */
const MAX_RULE_CHARACTERS = 200
/** A line that counts rows is short. */
const MAX_COUNT_BYTES = 80

/**
 * Whether a record is a line of dashes, such as database clients draw below the header: all its cells
 * consist of dashes, and one has several. `unclear`: one has dashes for several columns, between blanks.
 */
export function findRule(batch: RecordBatch, record: number): 'clear' | 'unclear' | undefined {
  // Nearly every row ends here.
  const byte = batch.bytes[firstByte(batch, record)]
  if (byte !== DASH && byte !== EQUALS && byte !== UNDERSCORE) return undefined
  let longest = 0
  let hasBlanks = false
  for (let column = 0; column < cellCount(batch, record); column++) {
    const cell = cellStart(batch, record, column, MAX_RULE_CHARACTERS).trim()
    if (!/^(?:[- ]+|[= ]+|_+)$/.test(cell)) return undefined
    longest = Math.max(longest, cell.length)
    hasBlanks ||= cell.includes(' ')
  }
  if (longest < 2) return undefined
  return hasBlanks ? 'unclear' : 'clear'
}

/** Whether a record is the line with the number of rows that database clients write below a table. */
export function isRowCount(batch: RecordBatch, record: number): boolean {
  const start = firstByte(batch, record)
  let end = batch.ends[record] as number
  while (end > start && (batch.bytes[end - 1] as number) <= SPACE) end--
  const last = batch.bytes[end - 1]
  if ((last !== CLOSING_BRACKET && last !== FULL_STOP) || end - start > MAX_COUNT_BYTES)
    return false
  const line = batch.bytes.toString('latin1', start, end)
  return ROW_COUNT.test(line)
}

/** `(2 rows)`, `(2 rows affected)`, `(2 row(s) affected)`, `2 rows selected.`, `2 rows in set (0.00 sec)` */
const ROW_COUNT =
  /^(?:\(\d{1,15}\s+row(?:s|\(s\))?(?:\s+affected)?\)|\d{1,15}\s+rows?\s+selected\.|\d{1,15}\s+rows?\s+in\s+set\s+\([\d.]{1,15}\s+sec\))$/i

function firstByte(batch: RecordBatch, record: number): number {
  let start = batch.starts[record] as number
  while (batch.bytes[start] === SPACE) start++
  return start
}

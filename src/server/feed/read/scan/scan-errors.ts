import { pluralize } from '../../../../shared/format'
import { FeedError } from '../../feed-error'
import { MAX_COLUMNS } from './scan'

export function unclosedQuote(line: number): FeedError {
  const message = `The quotation mark that opens on line ${line} is never closed.`
  return new FeedError('unclosed-quote', message, { line })
}

export function strayQuote(line: number): FeedError {
  const message = `Line ${line} has a quotation mark inside a cell that does not begin with one.`
  return new FeedError('bad-quotes', message, { line })
}

export function textAfterQuote(line: number): FeedError {
  const message = `The quoted cell that begins on line ${line} has text after its closing quotation mark.`
  return new FeedError('bad-quotes', message, { line })
}

/** For a reading without quoting. It has no line, because only the reading is wrong, not the file. */
export function enclosedCells(): FeedError {
  return new FeedError('bad-quotes', 'Some cells are enclosed in quotation marks.')
}

/** For columns of one width each, in which an empty cell, or a blank in a cell, cannot be seen. */
export function unclearColumns(line: number): FeedError {
  const message =
    `Line ${line} has dashes for several columns, but nothing separates their cells in the rows. ` +
    'Export the table as CSV.'
  return new FeedError('not-csv-text', message, { line })
}

export function tooManyColumns(line: number): FeedError {
  const message = `Line ${line} has more than ${MAX_COLUMNS} cells, the maximum.`
  return new FeedError('too-many-columns', message, { line })
}

/** @param quoteLine where the open quotation mark stands, if there is one */
export function recordTooLong(line: number, quoteLine: number | undefined): FeedError {
  const cause =
    quoteLine === undefined
      ? ''
      : ` The quotation mark that opens on line ${quoteLine} may never be closed.`
  return new FeedError('record-too-long', `The row on line ${line} is longer than 4 MB.${cause}`, {
    line,
  })
}

export function raggedRow(
  line: number,
  cells: number,
  width: number,
  hasHeader: boolean,
): FeedError {
  const reference = hasHeader ? 'the header' : 'the first row'
  return new FeedError(
    'ragged-row',
    `Line ${line} has ${cells} ${pluralize(cells, 'cell')}, but ${reference} has ${width}.`,
    { line },
  )
}

export function mostlyMissing(line: number, width: number): FeedError {
  return new FeedError(
    'ragged-row',
    `Up to line ${line} nearly all cells are missing: the header has ${width}, and rows have far fewer.`,
    { line },
  )
}

import { pluralize } from '../../../../shared/format'
import { FileError } from '../../file-error'
import { MAX_COLUMNS } from './scan'

export function unclosedQuote(line: number): FileError {
  const message = `The quotation mark that opens on line ${line} is never closed.`
  return new FileError('unclosed-quote', message, { line })
}

export function strayQuote(line: number): FileError {
  const message = `Line ${line} has a quotation mark inside a cell that does not begin with one.`
  return new FileError('bad-quotes', message, { line })
}

export function textAfterQuote(line: number): FileError {
  const message = `The quoted cell that begins on line ${line} has text after its closing quotation mark.`
  return new FileError('bad-quotes', message, { line })
}

/** For a reading without quoting. It has no line, because only the reading is wrong, not the file. */
export function enclosedCells(): FileError {
  return new FileError('bad-quotes', 'Some cells are enclosed in quotation marks.')
}

/** For columns of one width each, in which an empty cell, or a blank in a cell, cannot be seen. */
export function unclearColumns(line: number): FileError {
  const message =
    `Line ${line} has dashes for several columns, but nothing separates their cells in the rows. ` +
    'Export the table as CSV.'
  return new FileError('not-csv-text', message, { line })
}

export function tooManyColumns(line: number): FileError {
  const message = `Line ${line} has more than ${MAX_COLUMNS} cells, the maximum.`
  return new FileError('too-many-columns', message, { line })
}

/** @param quoteLine where the open quotation mark stands, if there is one */
export function recordTooLong(line: number, quoteLine: number | undefined): FileError {
  const cause =
    quoteLine === undefined
      ? ''
      : ` The quotation mark that opens on line ${quoteLine} may never be closed.`
  return new FileError('record-too-long', `The row on line ${line} is longer than 4 MB.${cause}`, {
    line,
  })
}

export function raggedRow(
  line: number,
  cells: number,
  width: number,
  hasHeader: boolean,
): FileError {
  const reference = hasHeader ? 'the header' : 'the first row'
  return new FileError(
    'ragged-row',
    `Line ${line} has ${cells} ${pluralize(cells, 'cell')}, but ${reference} has ${width}.`,
    { line },
  )
}

export function mostlyMissing(line: number, width: number): FileError {
  return new FileError(
    'ragged-row',
    `Up to line ${line} nearly all cells are missing: the header has ${width}, and rows have far fewer.`,
    { line },
  )
}

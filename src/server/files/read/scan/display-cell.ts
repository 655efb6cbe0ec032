import { COLUMN_NAME_MAX_LENGTH } from '../../../../shared/constants'
import { type RecordBatch, listCells } from './scan'

const MAX_CHARACTERS = 500

/** A cell as previews show it: trimmed, and cut to `maxCharacters` with `…`. */
export function displayCell(text: string, maxCharacters: number = MAX_CHARACTERS): string {
  return cut(text.trim(), maxCharacters)
}

/** A column name as it is displayed and compared: trimmed, and cut to 200 characters with `…`. */
export function displayName(text: string): string {
  return cut(text.trim(), COLUMN_NAME_MAX_LENGTH)
}

/** The names in a header. */
export function readNames(batch: RecordBatch, record: number): string[] {
  return listCells(batch, record).map(displayName)
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  // A copy: V8 keeps all of a text that a part of it was cut from.
  const start = Buffer.from(text.slice(0, characters - 1), 'utf16le').toString('utf16le')
  // Removes the half of a surrogate pair that the cut may leave.
  return `${start.toWellFormed().replace(/\uFFFD$/, '')}…`
}

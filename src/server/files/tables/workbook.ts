import type { ScratchFile } from '../../storage/scratch-file'
import { FileError } from '../file-error'
import type { ProblemLog } from '../read/problems'
import type { TableRows } from './table-rows'

/** A sheet with rows; charts and dialogs are none. */
export interface Sheet {
  name: string
  isHidden: boolean
  /** As the sheet declares, which may be wrong; null if it does not. */
  rows: number | null
  columns: number | null
}

export interface Workbook {
  sheets: readonly Sheet[]
  open(sheet: Sheet): TableRows
  /**
   * The first chunk of the rows of a sheet, which is one of the first {@link MAX_PROBED} that are not hidden.
   * @throws FileError
   */
  readHead(sheet: Sheet): Promise<Buffer | undefined>
  /**
   * Reads what is left of parts of which only the beginning was needed: their checksums are known at their ends.
   * To be called after the last sheet.
   * @throws FileError
   */
  check(): Promise<void>
  /** Tells what people should know of the whole. */
  report?(problems: ProblemLog): void
  /** In which encoding it was read, if that was not certain. */
  encoding?: string
  /** Why it is not read until one of its sheets is chosen: it may be something else than an inventory. */
  doubt?: FileError
}

export interface WorkbookLimits {
  /** Of the CSV that is written of a sheet, and of the texts that cells share. */
  maxBytes: number
}

export interface WorkbookOptions extends WorkbookLimits {
  /** Opens a scratch file for what does not fit into memory. */
  openScratch: (name: 'texts') => Promise<Pick<ScratchFile, 'write' | 'readAt'>>
}

export const MAX_COLUMNS = 16_384
export const MAX_ROWS = 1_048_576
export const MAX_SHEETS = 1_000
/** Sheets that are looked into for a table: more have no place in an inventory. */
export const MAX_PROBED = 50
/** What Excel allows. */
export const MAX_CELL_CHARACTERS = 32_767

export function damagedWorkbook(why: string): FileError {
  return new FileError(
    'workbook-damaged',
    `The workbook is damaged: ${why}. Open it in the program that you use for it, save it again, and see that it is sent as a whole.`,
  )
}

export function encryptedWorkbook(): FileError {
  return new FileError(
    'workbook-encrypted',
    'The workbook is protected by a password. Save it without one (in Excel: File, Info, Protect Workbook, Encrypt with Password, and clear the field).',
  )
}

export function workbookTooLarge(what: string): FileError {
  return new FileError(
    'workbook-too-large',
    `The workbook has ${what}. Split it, leave out what is not needed, or save the sheet as CSV.`,
  )
}

/** @param row null if it is not known */
export function cellTooLong(row: number | null): FileError {
  const where = row === null ? 'A cell' : `A cell in row ${row}`
  return new FileError(
    'workbook-too-large',
    `${where} has more than ${MAX_CELL_CHARACTERS.toLocaleString('en')} characters. Shorten it.`,
    row === null ? {} : { line: row },
  )
}

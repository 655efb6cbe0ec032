import type { ScratchFile } from '../../storage/scratch-file'
import { FileError } from '../file-error'
import type { EncodingHints } from '../read/encoding/encoding'
import type { ProblemLog } from '../read/problems'
import type { StoredRows } from './sheet-store'
import type { Workbook } from './workbook'

/** A workbook that is a text, as it comes. */
export interface TextDocument {
  body: AsyncIterable<Buffer>
  /** Opens a scratch file for the document, if it may be read more than once, and one for the rows of its sheets. */
  openScratch: (what: 'document' | 'rows') => Promise<ScratchFile>
  /** Of the rows of all sheets. */
  maxBytes: number
  /** The one that the supplier has chosen; null to detect it. */
  encoding: string | null
  hints: EncodingHints
  /** Called with the bytes that have been read so far. */
  onRead: (bytes: number) => void
  /** For a preview: whether it needs no more sheets and rows than those that have been read. */
  isEnough?: (workbook: Workbook) => Promise<boolean>
}

/** Decides whether a document need not be read to its end. */
export type EnoughCheck = (bytes: number, open: () => Workbook) => Promise<boolean>

/** What a preview reads in any case, so that it lists all sheets of an ordinary document. */
const FIRST_BYTES = 16 * 1024 * 1024
/** More than a preview looks at of a sheet that goes on. */
const ENOUGH_ROW_BYTES = 2_400_000

/** Asks again each time that twice as much has been read. */
export function createEnoughCheck({ isEnough }: Pick<TextDocument, 'isEnough'>): EnoughCheck {
  let next = FIRST_BYTES
  return async (bytes, open) => {
    if (!isEnough || bytes < next) return false
    next = 2 * bytes
    try {
      return await isEnough(open())
    } catch (error) {
      // What is missing may follow.
      if (error instanceof FileError) return false
      throw error
    }
  }
}

/** Whether so much of a sheet has been stored that it can be previewed. */
export const canBePreviewed = (parts: readonly StoredRows[]): boolean =>
  parts.reduce((bytes, part) => bytes + part.size(), 0) > ENOUGH_ROW_BYTES

export function reportPart(problems: ProblemLog): void {
  problems.add(
    null,
    'Only the beginning of the file was read for the preview: sheets that follow are not listed.',
  )
}

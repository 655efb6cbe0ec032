import type { ScratchFile } from '../../storage/scratch-file'
import type { EncodingHints } from '../read/encoding/encoding'

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
}

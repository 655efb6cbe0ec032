import { fileTypeFromBuffer } from 'file-type'

import type { FileErrorCode } from '../../file-error'

/** What a file is instead of CSV: the code of the error, and a noun phrase for its message. */
export type OtherFormat = [code: FileErrorCode, what: string]

/** Enough for the signature of every format, and for the first names in an archive. */
const SIGNATURE_BYTES = 4_096

/** By the extension that file-type gives. Formats that it tells by two letters are not listed. */
const FORMATS: Record<string, OtherFormat> = {
  png: ['not-csv-image', 'an image (PNG)'],
  jpg: ['not-csv-image', 'an image (JPEG)'],
  gif: ['not-csv-image', 'an image (GIF)'],
  tif: ['not-csv-image', 'an image (TIFF)'],
  webp: ['not-csv-image', 'an image (WebP)'],
  avif: ['not-csv-image', 'an image (AVIF)'],
  heic: ['not-csv-image', 'an image (HEIC)'],
  pdf: ['not-csv-pdf', 'a PDF document'],
  zip: ['not-csv-archive', 'an archive (zip)'],
  '7z': ['not-csv-archive', 'an archive (7z)'],
  rar: ['not-csv-archive', 'an archive (RAR)'],
  tar: ['not-csv-archive', 'an archive (tar)'],
  gz: ['not-csv-archive', 'an archive (gzip inside gzip)'],
  'tar.gz': ['not-csv-archive', 'an archive (gzip inside gzip)'],
  bz2: ['not-csv-archive', 'an archive (bzip2)'],
  xz: ['not-csv-archive', 'an archive (xz)'],
  zst: ['not-csv-archive', 'an archive (Zstandard)'],
  xlsx: ['not-csv-spreadsheet', 'a spreadsheet (.xlsx or .ods)'],
  xlsm: ['not-csv-spreadsheet', 'a spreadsheet (.xlsx or .ods)'],
  ods: ['not-csv-spreadsheet', 'a spreadsheet (.xlsx or .ods)'],
  cfb: ['not-csv-spreadsheet', 'an Excel workbook (.xls)'],
}

/** Tab, line feed, vertical tab, form feed, carriage return, and the end-of-file mark of DOS. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a])

/**
 * Recognises binary formats that are sent instead of CSV.
 * @param head the first bytes as received
 * @returns undefined for text, and for binary formats that are not sent as inventory files
 */
export async function findBinaryFormat(head: Uint8Array): Promise<OtherFormat | undefined> {
  const start = Buffer.from(head.subarray(0, SIGNATURE_BYTES))
  const extension = (await fileTypeFromBuffer(start))?.ext
  const format = extension && FORMATS[extension]
  if (!format) return undefined
  // `GIFT;PRICE` is a header: only PDF begins with plain text for longer than that.
  if (extension !== 'pdf' && isPlainText(start)) return undefined
  return extension === 'zip' && hasSheet(start) ? FORMATS.xlsx : format
}

/** Whether there is no control character but those that text files have. */
function isPlainText(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 || TEXT_CONTROLS.has(byte))
}

/** Whether a zip archive has the parts of a workbook: in some, the part that says so comes last. */
function hasSheet(bytes: Buffer): boolean {
  return /\[Content_Types\]\.xml|xl\/|_rels\//.test(bytes.toString('latin1'))
}

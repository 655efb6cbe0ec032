/** Every way in which a file can be unusable, from its address to its last byte. */
export const FILE_ERROR_CODES = [
  // The address and the connection to it.
  'address-refused',
  'bad-address',
  'credentials-unreadable',
  'name-not-found',
  'connect-failed',
  'connection-lost',
  'tls',
  'certificate-expired',
  'certificate-wrong-name',
  'certificate-untrusted',
  'connect-timeout',
  'answer-timeout',
  'ssh',
  'host-key-unknown',
  'host-key-changed',
  'sign-in-refused',
  'bad-key',
  'no-file',
  'not-permitted',
  'folder-too-large',
  'bad-redirect',
  'too-many-redirects',
  // The response.
  'http-status',
  'bad-answer',
  'unknown-compression',
  'truncated',
  'wrong-length',
  'stalled',
  'too-slow',
  'took-too-long',
  'still-written',
  'too-large',
  'compression-bomb',
  'gzip-damaged',
  'compression-window',
  // Other content than a CSV file.
  'not-csv-html',
  'not-csv-text',
  'not-csv-xml',
  'not-csv-json',
  'not-csv-image',
  'not-csv-pdf',
  'not-csv-archive',
  'not-csv-spreadsheet',
  'not-csv-binary',
  // Archives and workbooks.
  'archive-damaged',
  'archive-encrypted',
  'archive-unsupported',
  'archive-too-large',
  'archive-without-table',
  'archive-in-archive',
  'several-tables',
  'workbook-damaged',
  'workbook-empty',
  'workbook-encrypted',
  'workbook-unsupported',
  'workbook-too-large',
  // XML and JSON.
  'document-damaged',
  'document-too-large',
  // The CSV file itself.
  'empty',
  'no-rows',
  'no-hidden-column',
  'ragged-row',
  'bad-quotes',
  'unclosed-quote',
  'too-many-columns',
  'record-too-long',
  // What the supplier chose of how it is read.
  'wrong-choice',
  // What is merged onto the published file.
  'first-not-full',
  'update-columns',
  'update-keys',
  'older-file',
  // What is joined with the file of a second address.
  'join-columns',
  'join-keys',
  // What a retailer's shop format needs of it.
  'missing-column',
  // Limits of the process that reads it.
  'reading-time',
  'reading-memory',
  'reading-ended',
  // One that was sent to us.
  'not-stored',
  'mail',
] as const
export type FileErrorCode = (typeof FILE_ERROR_CODES)[number]

interface FileErrorDetails {
  /** 1-based line of the source. */
  line?: number | undefined
  /** From `Retry-After`: how long to wait before the next request. */
  retryAfterMs?: number | undefined
  /** The key that a server has shown, as `showHostKey` writes it. */
  hostKey?: string | undefined
  /** At which of a connection's addresses, if it has two. */
  address?: 'first' | 'second' | undefined
  cause?: unknown
}

/** Messages may quote long host names. */
const MAX_MESSAGE_CHARACTERS = 1_000

/** A file that cannot be used. The message is written for the supplier. */
export class FileError extends Error {
  readonly code: FileErrorCode
  readonly line: number | undefined
  readonly retryAfterMs: number | undefined
  readonly hostKey: string | undefined
  readonly address: 'first' | 'second' | undefined

  constructor(code: FileErrorCode, message: string, details: FileErrorDetails = {}) {
    super(message.slice(0, MAX_MESSAGE_CHARACTERS), { cause: details.cause })
    this.name = 'FileError'
    this.code = code
    this.line = details.line
    this.retryAfterMs = details.retryAfterMs
    this.hostKey = details.hostKey
    this.address = details.address
  }
}

const TABLE_ERRORS = new Set<FileErrorCode>([
  'bad-quotes',
  'unclosed-quote',
  'ragged-row',
  'record-too-long',
  'too-many-columns',
])

/** Whether the rows could not be read; another quoting mode may still succeed. */
export function isTableError({ code }: FileError): boolean {
  return TABLE_ERRORS.has(code)
}

/** For a source without a header: it is empty or has only blank lines. */
export function noContent(): FileError {
  return new FileError('empty', 'CSV file is empty')
}

const NOT_CSV = /^(?:not-csv-|archive-|workbook-|document-|several-tables$|wrong-choice$)/

/** Whether the source returned a file in which no table can be read. */
export function isNotCsv(error: FileError): boolean {
  return NOT_CSV.test(error.code) || isTableError(error)
}

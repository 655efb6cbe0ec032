/** What can be wrong with a feed, from the address to the last byte. */
export const FEED_ERROR_CODES = [
  // The address and the way to it.
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
  'bad-redirect',
  'too-many-redirects',
  // The answer.
  'http-status',
  'bad-answer',
  'unknown-compression',
  'truncated',
  'wrong-length',
  'stalled',
  'too-slow',
  'took-too-long',
  'too-large',
  'compression-bomb',
  'gzip-damaged',
  // What came instead of a CSV file.
  'not-csv-html',
  'not-csv-text',
  'not-csv-xml',
  'not-csv-json',
  'not-csv-image',
  'not-csv-pdf',
  'not-csv-archive',
  'not-csv-spreadsheet',
  'not-csv-binary',
  // The CSV file itself.
  'empty',
  'no-rows',
  'no-category-column',
  'ragged-row',
  'bad-quotes',
  'unclosed-quote',
  'too-many-columns',
  'record-too-long',
  // What reading it takes.
  'reading-time',
  'reading-memory',
  'reading-ended',
] as const
export type FeedErrorCode = (typeof FEED_ERROR_CODES)[number]

interface FeedErrorDetails {
  /** 1-based line of the source. */
  line?: number
  /** How long the server asked us to wait before the next request. */
  retryAfterMs?: number
  cause?: unknown
}

/** Names of hosts in it may be long. */
const MAX_MESSAGE_CHARACTERS = 1_000

/** A feed that cannot be used. The message is written for the supplier. */
export class FeedError extends Error {
  readonly code: FeedErrorCode
  readonly line: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: FeedErrorCode, message: string, details: FeedErrorDetails = {}) {
    super(message.slice(0, MAX_MESSAGE_CHARACTERS), { cause: details.cause })
    this.name = 'FeedError'
    this.code = code
    this.line = details.line
    this.retryAfterMs = details.retryAfterMs
  }
}

const TABLE_ERRORS = new Set<FeedErrorCode>([
  'bad-quotes',
  'unclosed-quote',
  'ragged-row',
  'record-too-long',
  'too-many-columns',
])

/** Whether the bytes made no table, which another way to understand quotes may change. */
export function isTableError({ code }: FeedError): boolean {
  return TABLE_ERRORS.has(code)
}

/** A source without a header: it has no bytes, or blank lines alone. */
export function noContent(): FeedError {
  return new FeedError('empty', 'CSV file is empty')
}

/** The source gave a file, but none that can be read as CSV. */
export function isNotCsv(error: FeedError): boolean {
  return error.code.startsWith('not-csv-') || isTableError(error)
}

import { expect } from 'vitest'

import { MINUTE_MS } from '../../../shared/durations'
import type { FileErrorCode } from '../../files/file-error'
import type { UpstreamFault } from './upstream-faults'

const CUT = 'The connection was cut before the file was complete.'
const BROKEN_OFF =
  'The file breaks off in its last line, which has fewer cells than the header and no line end.'
/** Up to Node 22, a reset that arrives together with data looks like a normal end. */
const RESET = Number.parseInt(process.versions.node) < 24 ? [CUT, BROKEN_OFF] : [CUT]
const NO_ACCESS = 'The address requires credentials: enter them under Access.'
const ITS_FAULT = 'The error is on the server side.'
const TOO_LARGE = 'The file is larger than 4 MB, the maximum size.'

/** The same text for a private host, so that names of the internal network cannot be probed. */
const NO_SUCH_NAME =
  'The name shop.example could not be found, or cannot be reached from here. Check how it is spelled.'

/** The error code and message for the supplier, by fault. */
export const ERRORS: Record<UpstreamFault, [code: FileErrorCode, text: string]> = {
  'connection refused': [
    'connect-failed',
    'The server refused the connection. Check the address and its port.',
  ],
  'unknown host': ['name-not-found', NO_SUCH_NAME],
  'host inside': ['name-not-found', NO_SUCH_NAME],
  'TLS never begun': [
    'connect-timeout',
    'The server did not accept a connection in time. A firewall may be blocking it.',
  ],
  'no TLS': [
    'tls',
    'No secure connection could be made to the server. Check whether it offers https.',
  ],
  'certificate self-signed': [
    'certificate-untrusted',
    "The server's certificate is not trusted: a public certificate authority must have issued it.",
  ],
  'certificate expired': [
    'certificate-expired',
    "The server's certificate has expired and must be renewed on the server.",
  ],
  'certificate of another host': [
    'certificate-wrong-name',
    "The server's certificate does not match the name in the address.",
  ],
  'no answer': ['answer-timeout', 'The server did not answer in time.'],
  'headers byte by byte': ['answer-timeout', 'The server did not answer in time.'],
  'closed without an answer': [
    'connection-lost',
    'The server closed the connection without responding.',
  ],
  'reset without an answer': [
    'connection-lost',
    'The server closed the connection without responding.',
  ],
  'not HTTP': [
    'bad-answer',
    'The server did not respond with HTTP. Check the port of the address.',
  ],
  'headers without end': ['bad-answer', 'The server sent too many response headers.'],
  'redirect loop': ['too-many-redirects', 'The address redirects more than 5 times.'],
  'redirect inside': [
    'address-refused',
    'The server redirects to a private address or an unusual port. These are not contacted from here.',
  ],
  'redirect to a file': [
    'bad-redirect',
    'The server redirects to an address that is not a web address.',
  ],
  'redirect from https to http': [
    'bad-redirect',
    'The server redirects from a secure address to an insecure one.',
  ],
  'redirect without a target': ['bad-redirect', 'The server redirects to an invalid address.'],
  '204': ['http-status', 'The server answered 204 No Content. That response contains no file.'],
  '206': [
    'http-status',
    'The server answered 206 Partial Content. That response contains only a part of the file.',
  ],
  '304 unasked': [
    'http-status',
    'The server answered 304 Not Modified. That response contains no file.',
  ],
  '401': ['http-status', `The server answered 401 Unauthorized. ${NO_ACCESS}`],
  '403': ['http-status', `The server answered 403 Forbidden. ${NO_ACCESS}`],
  '404': ['http-status', 'The server answered 404 Not Found. There is no file at this address.'],
  '410': [
    'http-status',
    'The server answered 410 Gone. The file has been removed from this address permanently.',
  ],
  '429': [
    'http-status',
    'The server answered 429 Too Many Requests. It has received too many requests.',
  ],
  '500': ['http-status', `The server answered 500 Internal Server Error. ${ITS_FAULT}`],
  '503': ['http-status', `The server answered 503 Service Unavailable. ${ITS_FAULT}`],
  'reset in the middle': ['truncated', CUT],
  'length too long': ['truncated', CUT],
  'length in characters': [
    'wrong-length',
    'The server sent more than the length that it announced, so the end of the file is missing.',
  ],
  'chunks cut': ['truncated', CUT],
  'chunk that is none': ['truncated', CUT],
  'cut without a length': ['truncated', BROKEN_OFF],
  'reset without a length': ['truncated', expect.toBeOneOf(RESET) as string],
  'silence in the middle': ['stalled', 'The server stopped sending in the middle of the file.'],
  'one byte at a time': [
    'too-slow',
    'The server sent the file too slowly: less than 1 KB a second.',
  ],
  'never done': ['took-too-long', 'The file did not arrive within a minute.'],
  '10 GB announced': ['too-large', TOO_LARGE],
  'endless stream': ['too-large', TOO_LARGE],
  'gzip bomb': [
    'compression-bomb',
    'The compressed file expands to more than 200 times its size, which is not plausible for an inventory.',
  ],
  'gzip cut': ['truncated', 'The compressed file ends too early.'],
  'gzip damaged': ['gzip-damaged', 'The compressed file is damaged.'],
  'gzip in name only': [
    'gzip-damaged',
    'The server says that the file is compressed with gzip, but it is not.',
  ],
  'gzip twice': ['unknown-compression', 'The file is compressed twice.'],
  brotli: [
    'unknown-compression',
    'The server sent the file compressed as "br"; only gzip can be read.',
  ],
  'web page': ['not-csv-html', 'The address gave a web page (HTML) instead of a CSV file.'],
  'login page in plain text': [
    'not-csv-text',
    'The address gave a text instead of a table: its only column is “Please log in”.',
  ],
  JSON: ['not-csv-json', 'The address gave JSON data instead of a CSV file.'],
  XML: ['not-csv-xml', 'The address gave an XML document instead of a CSV file.'],
  PDF: ['not-csv-pdf', 'The address gave a PDF document instead of a CSV file.'],
  XLSX: [
    'not-csv-spreadsheet',
    'The address gave a spreadsheet (.xlsx or .ods) instead of a CSV file.',
  ],
  ZIP: ['not-csv-archive', 'The address gave an archive (zip) instead of a CSV file.'],
  image: ['not-csv-image', 'The address gave an image (PNG) instead of a CSV file.'],
  'empty file': ['empty', 'CSV file is empty'],
  'byte order mark only': ['empty', 'CSV file is empty'],
  'header only': ['no-rows', 'The file has a header but no rows.'],
  'row too wide': ['ragged-row', 'Line 2 has 5 cells, but the header has 4: “A-1,Boot,Boots,1,2”.'],
  'quote never closed': [
    'unclosed-quote',
    'The quotation mark that opens on line 2 is never closed: “A-1,"Boot,x,x,x,x,x,x,x,x,x”.',
  ],
}

/** The wait that the source requested, in milliseconds. */
export const RETRY_AFTER: Partial<Record<UpstreamFault, number>> = {
  '429': 30 * MINUTE_MS,
  '503': 60 * MINUTE_MS,
}

import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

import iconv from 'iconv-lite'

import type { FetchTimeouts } from '../../files/fetch/fetch-context'
import { zip } from '../fixtures/zip'
import { drip, pour, raw, type SourceState } from '../servers/fault-server'
import type { SourceRoute } from '../servers/source-server'

/** The file without a fault; it is canonical, so it is published unchanged. */
export const GOOD_FILE = Buffer.from(
  `sku,name,category,qty\r\n${Array.from({ length: 200 }, (_, row) => `A-${row},Größe ${row},Boots,${row % 7}\r\n`).join('')}`,
)

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n'
const headOf = (bytes: number) => `${HEAD}content-length: ${bytes}\r\n\r\n`
const CLOSE_HEAD = `${HEAD}connection: close\r\n\r\n`
const CHUNKED_HEAD = `${HEAD}transfer-encoding: chunked\r\n\r\n`
/** Ends in the middle of a row. */
const PART = GOOD_FILE.subarray(0, GOOD_FILE.lastIndexOf(',Boots'))
const ROW = Buffer.from('A-1,Boot,Boots,1\r\n'.repeat(1_000))

const with200 = (body: string | Uint8Array, headers: Record<string, string> = {}) => ({
  route: { body, headers },
})
const withStatus = (status: number, headers: Record<string, string> = {}) => ({
  route: { status, headers, body: status === 204 || status === 304 ? '' : 'Sorry' },
})
const redirect = (location: string) => withStatus(302, { location })
const taken = (handler: RequestListener): { route: SourceRoute } => ({ route: { handler } })
const sent = (write: (socket: Socket) => void) => taken(raw(write))
/** Sends `head` at once, then repeats `rest` byte by byte. */
function slowly(head: string, rest: string) {
  return taken((request, response) => {
    let at = -1
    request.socket.write(head)
    drip(() => rest[++at % rest.length] ?? '')(request, response)
  })
}

export type Fault = SourceState & {
  /** The source is requested over https. */
  isSecure?: boolean
  /** A shortened timeout for a fault that shows only after it. */
  timeouts?: Partial<FetchTimeouts>
}

/** All tested faults of a source, by name. */
export const UPSTREAM_FAULTS = {
  'connection refused': { name: 'nobody-listens' },
  'unknown host': { name: 'unknown' },
  'host inside': { name: 'private' },
  'TLS never begun': { isSecure: true, timeouts: { connectMs: 400 }, tls: 'silent' },
  'no TLS': { isSecure: true, tls: 'plain-http' },
  'certificate self-signed': { isSecure: true, certificate: 'self-signed' },
  'certificate expired': { isSecure: true, certificate: 'expired' },
  'certificate of another host': { isSecure: true, certificate: 'wrong-name' },

  'no answer': { timeouts: { headersMs: 700 }, ...sent(() => {}) },
  'headers byte by byte': {
    timeouts: { headersMs: 700 },
    ...slowly('HTTP/1.1 200 OK\r\n', 'x: yyyyyyyy\r\n'),
  },
  'closed without an answer': sent((socket) => socket.end()),
  'reset without an answer': sent((socket) => socket.resetAndDestroy()),
  'not HTTP': sent((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
  'headers without end': taken(pour('HTTP/1.1 200 OK\r\n', Buffer.from('x: y\r\n'.repeat(100)))),

  'redirect loop': redirect('/feed.csv'),
  'redirect inside': redirect('http://10.0.0.1/feed.csv'),
  'redirect to a file': redirect('file:///etc/passwd'),
  'redirect from https to http': { isSecure: true, ...redirect('http://shop.example/feed.csv') },
  'redirect without a target': withStatus(302),

  '204': withStatus(204),
  '206': withStatus(206),
  '304 unasked': withStatus(304),
  '401': withStatus(401, { 'www-authenticate': 'Basic' }),
  '403': withStatus(403),
  '404': withStatus(404),
  '410': withStatus(410),
  '429': withStatus(429, { 'retry-after': '1800' }),
  '500': withStatus(500),
  '503': withStatus(503, { 'retry-after': '3600' }),

  'reset in the middle': sent((socket) => {
    socket.write(headOf(GOOD_FILE.length))
    socket.write(PART, () => socket.resetAndDestroy())
  }),
  'length too long': sent((socket) => {
    socket.write(headOf(GOOD_FILE.length + 100))
    socket.end(GOOD_FILE)
  }),
  'length in characters': sent((socket) => {
    socket.write(headOf(GOOD_FILE.toString().length))
    socket.end(GOOD_FILE)
  }),
  'chunks cut': sent((socket) => {
    socket.write(`${CHUNKED_HEAD}${PART.length.toString(16)}\r\n`)
    socket.end(Buffer.concat([PART, Buffer.from('\r\n')]))
  }),
  'chunk that is none': sent((socket) => socket.end(`${CHUNKED_HEAD}5\r\nsku,q\r\nzz\r\n`)),
  'cut without a length': sent((socket) => {
    socket.write(CLOSE_HEAD)
    socket.end(PART)
  }),
  'reset without a length': sent((socket) => {
    socket.write(CLOSE_HEAD)
    socket.write(PART, () => socket.resetAndDestroy())
  }),
  'silence in the middle': {
    timeouts: { idleMs: 500 },
    ...sent((socket) => socket.write(`${CLOSE_HEAD}sku,`)),
  },
  'one byte at a time': { timeouts: { slowWindowMs: 400 }, ...slowly(CLOSE_HEAD, 'sku,qty\r\n') },
  'never done': { timeouts: { totalMs: 1_500 }, ...taken(pourSlowly()) },
  '10 GB announced': sent((socket) => socket.write(`${headOf(10 * 1024 ** 3)}sku,qty\r\n`)),
  'endless stream': taken(pour(`${CLOSE_HEAD}sku,name,category,qty\r\n`, ROW)),

  'gzip bomb': with200(gzipSync(`sku,name,category,qty\r\n${ROW.toString().repeat(300)}`)),
  'gzip cut': with200(gzipSync(GOOD_FILE).subarray(0, 300)),
  'gzip damaged': with200(damage(gzipSync(GOOD_FILE))),
  'gzip in name only': with200(GOOD_FILE, { 'content-encoding': 'gzip' }),
  'gzip twice': with200(gzipSync(gzipSync(GOOD_FILE))),
  brotli: with200(GOOD_FILE, { 'content-encoding': 'br' }),

  'web page': with200('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
  'login page in plain text': with200('Please log in\nto see this file\n'),
  JSON: with200('{"error":"not today"}', { 'content-type': 'application/json' }),
  XML: with200('<?xml version="1.0"?><products><product/></products>'),
  PDF: with200('%PDF-1.7\n1 0 obj\n'),
  'workbook cut': with200(
    Buffer.from('PK\u0003\u0004\u0014\0\u0006\0[Content_Types].xml xl/workbook.xml'),
  ),
  'old workbook': with200(
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)]),
  ),
  'ZIP without a table': with200(zip({ 'readme.txt': 'Ask us' })),
  image: with200(Buffer.from('\u0089PNG\r\n\u001A\n\0\0\0\rIHDR', 'latin1')),
  'empty file': with200(''),
  'byte order mark only': with200('\uFEFF'),
  'header only': with200('sku,name,category,qty\r\n'),
  'row too wide': with200('sku,name,category,qty\r\nA-1,Boot,Boots,1,2\r\n'),
  'quote never closed': with200(
    `sku,name,category,qty\r\nA-1,"Boot${',x'.repeat(9)}\r\nA-2,B,C,1\r\n`,
  ),
} as const satisfies Record<string, Fault>

export type UpstreamFault = keyof typeof UPSTREAM_FAULTS

function damage(bytes: Buffer): Buffer {
  return Buffer.from(bytes).fill(0xaa, 20, 60)
}

/** Sends fast enough for the minimum rate, but never completes within the total timeout. */
function pourSlowly(): RequestListener {
  return (request, response) => {
    request.socket.write(`${CLOSE_HEAD}sku,name,category,qty\r\n`)
    drip(() => 'A-1,Boot,Boots,1\r\n'.repeat(40))(request, response)
  }
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const CZECH = 'sku,název,množství\r\n1,Příliš žluťoučký kůň,5\r\n2,Ďábelské ódy,7\r\n'

/** Unusual but valid responses, with the file that is published for each. */
export const ODD_BUT_RIGHT: Record<string, { route: SourceRoute; published: string }> = {
  'UTF-16, little end first': {
    ...with200(Buffer.from(`\uFEFF${CZECH}`, 'utf16le')),
    published: CZECH,
  },
  'UTF-16, big end first': { ...with200(utf16be(`\uFEFF${CZECH}`)), published: CZECH },
  'Windows-1250': {
    ...with200(iconv.encode(CZECH, 'windows-1250')),
    published: CZECH,
  },
  'gzip without Content-Encoding': { ...with200(gzipSync(CZECH)), published: CZECH },
  'CSV with the content type of a web page': {
    ...with200(CZECH, { 'content-type': 'text/html; charset=utf-8' }),
    published: CZECH,
  },
  'rows that are regularly short': {
    ...with200('sku,name,qty\n1,Boot\n2,Cap,3\n3,Hat'),
    published: 'sku,name,qty\r\n1,Boot,\r\n2,Cap,3\r\n3,Hat,\r\n',
  },
}

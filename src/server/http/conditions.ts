import type { IncomingHttpHeaders } from 'node:http'

/** What is known of a file without opening it. */
export type Validators = {
  /** A strong entity tag, with its quotes. */
  etag: string
  /** The value of Last-Modified; undefined where there is none. */
  lastModified?: string | undefined
  sizeBytes: number
}

/** How to answer a request for a file. A range is from `start` to `end` inclusive, in bytes. */
export type FileAnswer =
  | { status: 200 | 304 | 416 }
  | { status: 206; range: { start: number; end: number } }

/** Decides after RFC 9110 how to answer a GET or HEAD request for a file. */
export function chooseAnswer(
  method: string,
  headers: IncomingHttpHeaders,
  file: Validators,
): FileAnswer {
  if (isUnchanged(headers, file)) return { status: 304 }
  if (method !== 'GET' || !headers.range || !isSameAsBefore(headers, file)) return { status: 200 }
  return readRange(headers.range, file.sizeBytes)
}

/** If-None-Match: any of the listed tags, by weak comparison. If-Modified-Since counts only without it. */
function isUnchanged(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const known = headers['if-none-match']
  if (known) {
    const tags = new Set(known.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
    return tags.has(etag) || tags.has('*')
  }
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return lastModified !== undefined && Date.parse(lastModified) <= since
}

/** If-Range: a part is sent only of the file that the reader has begun with. */
function isSameAsBefore(headers: IncomingHttpHeaders, file: Validators): boolean {
  const known = headers['if-range']
  return known === undefined || known === file.etag || known === file.lastModified
}

/** One range, such as `bytes=100-`, `bytes=0-99` or `bytes=-100`; several are answered with the whole file. */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

function readRange(header: string, sizeBytes: number): FileAnswer {
  const [, first = '', last = ''] = RANGE.exec(header) ?? []
  if (first === '' && last === '') return { status: 200 }
  const lastByte = sizeBytes - 1
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? lastByte : Math.min(Number(last), lastByte)
  if (first !== '' && last !== '' && Number(last) < start) return { status: 200 }
  if (start > lastByte) return { status: 416 }
  return { status: 206, range: { start, end } }
}

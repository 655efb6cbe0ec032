import type { IncomingHttpHeaders } from 'node:http'

import { SECOND_MS } from '../../../shared/durations'
import { parseHttpDate } from './http-date'

/** What is known of a file without opening it. */
export type Validators = {
  /** A strong entity tag, with its quotes. */
  etag: string
  /** When it became what it is, in Unix milliseconds; undefined where that is not known. */
  modifiedAt?: number | undefined
  /** The value of Last-Modified; undefined where there is none. */
  lastModified?: string | undefined
  sizeBytes: number
}

/** How to answer a request for a file. A range is from `start` to `end` inclusive, in bytes. */
export type FileAnswer =
  | { status: 200 | 304 | 412 | 416 }
  | { status: 206; range: { start: number; end: number } }

/** What a reader is told with 412. */
export const OTHER_FILE = 'The file is not the one that If-Match or If-Unmodified-Since asks for'

/** Decides after RFC 9110, in its order, how to answer a GET or HEAD request for a file. */
export function chooseAnswer(
  method: string,
  headers: IncomingHttpHeaders,
  file: Validators,
): FileAnswer {
  if (!isExpected(headers, file)) return { status: 412 }
  if (isUnchanged(headers, file)) return { status: 304 }
  if (method !== 'GET' || !headers.range || !isSameAsBefore(headers, file)) return { status: 200 }
  return readRange(headers.range, file.sizeBytes)
}

/** If-Match: any of the listed tags, by strong comparison. If-Unmodified-Since counts only without it. */
function isExpected(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const wanted = headers['if-match']
  if (wanted !== undefined) return listTags(wanted).some((tag) => tag === '*' || tag === etag)
  const since = parseHttpDate(headers['if-unmodified-since'])
  return since === undefined || modifiedAt === undefined || toSeconds(modifiedAt) <= since
}

/** If-None-Match: any of the listed tags, by weak comparison. If-Modified-Since counts only without it. */
function isUnchanged(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const known = headers['if-none-match']
  if (known === etag) return true
  if (known) return listTags(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  const since = parseHttpDate(headers['if-modified-since'])
  if (since === undefined) return false
  const modified = parseHttpDate(lastModified)
  return modified !== undefined && modified <= since
}

const toSeconds = (time: number) => Math.floor(time / SECOND_MS) * SECOND_MS

/**
 * The value of Last-Modified, which has seconds only. In the second in which a file became what it is, the
 * file before it may still have been read, so that the time does not tell them apart yet.
 */
export function toLastModified(modifiedAt: number, now: number): string | undefined {
  return isOver(modifiedAt, now) ? new Date(modifiedAt).toUTCString() : undefined
}

/** Whether the second of a time is over. */
export const isOver = (time: number, now: number) => toSeconds(time) < toSeconds(now)

const listTags = (header: string) => header.split(',').map((tag) => tag.trim())

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

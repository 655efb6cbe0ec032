import {
  toContentType,
  type ReadableFile,
} from '../../features/catalogue/versions/connection-files'
import type { FileAnswer } from './conditions'
import { contentDisposition } from './content-disposition'
import type { Representation } from './representations'

/** How a route sends a file, besides what it says of the file itself. */
export type FileSending = {
  /** When the file became what it is, in Unix milliseconds. */
  modifiedAt?: number
  /** Further headers of every answer. */
  headers?: Record<string, string | number>
}

type Answered = {
  answer: FileAnswer
  representation: Representation
  lastModified: string | undefined
  headers: FileSending['headers']
}

/** The bytes that an answer has, `start` to `end` inclusive. */
export function toRange(answer: FileAnswer, { sizeBytes }: Representation) {
  return 'range' in answer ? answer.range : { start: 0, end: sizeBytes - 1 }
}

/** The headers of an answer with a file or about it, in the order in which they are sent. */
export function toFileHeaders(
  file: ReadableFile,
  { answer, representation, lastModified, headers }: Answered,
): Record<string, string | number> {
  const { etag, coding, sizeBytes } = representation
  const { status } = answer
  const { start, end } = toRange(answer, representation)
  const always = {
    ...headers,
    etag,
    'cache-control': 'private, no-cache',
    vary: 'Accept-Encoding',
    ...(lastModified !== undefined && { 'last-modified': lastModified }),
  }
  if (status === 304 || status === 412) return always
  const downloaded = {
    ...always,
    'content-security-policy': 'sandbox',
    'content-disposition': contentDisposition(file),
    'accept-ranges': 'bytes',
  }
  if (status === 416) return { ...downloaded, 'content-range': `bytes */${sizeBytes}` }
  return {
    ...downloaded,
    ...(status === 206 && { 'content-range': `bytes ${start}-${end}/${sizeBytes}` }),
    ...(coding && { 'content-encoding': coding }),
    'content-type': toContentType(file.form),
    'content-length': end - start + 1,
  }
}

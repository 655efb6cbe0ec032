import { posix } from 'node:path'

import { toFileName } from '../../../shared/file-name'
import { MAX_NAME_BYTES } from '../messages'

/** A path in its one spelling; nothing leads above `/`. Undefined for what is no path. */
export function toPath(text: string, maxBytes: number): string | undefined {
  if (text.length > maxBytes || text.includes('\0') || text.includes('\uFFFD')) return undefined
  const path = posix.resolve('/', text)
  return path
}

/** The names under which programs send a file that is not complete: it counts once it has another. */
const TEMPORARY = /^\.|~$|\.(?:filepart|part|partial|tmp|temp|upload|uploading|swp|crdownload)$/i

export const isTemporary = (name: string): boolean => TEMPORARY.test(name)

/** What is put beside a file by the product, and cannot be sent. */
const VERDICT = /\.(?:WAITING|READING|PUBLISHED|UNCHANGED|HELD|REFUSED|SKIPPED)\.txt$/

export const isVerdict = (name: string): boolean => VERDICT.test(name)

/** Whether a file may be called so: nothing of it is disguised or cut off where it is shown. */
export const isName = (name: string): boolean =>
  name !== '' &&
  Buffer.byteLength(name) <= MAX_NAME_BYTES &&
  toFileName(name) === name &&
  !/[\p{Zl}\p{Zp}]/u.test(name)

import { FileError } from '../file-error'
import { createNameTest } from '../tables/names'
import type { FolderEntry } from './file-server'

/** So many names of a folder are looked at. */
export const MAX_NAMES = 100_000

/** Of so many files the time is asked for one by one, where a folder does not tell it. */
const MAX_ASKED = 100

/** A file by which others are told to be newer or older. */
export interface TimedName {
  name: string
  /** In Unix milliseconds. */
  changedAt: number
}

const IS_NAME = /^[^/\p{Cc}]{1,255}$/u

/** Whether the last part of a path stands for several files. */
export const isPattern = (path: string): boolean => path.includes('*')

/**
 * The name of the newest file in a folder that fits a pattern: of those of the same time, the last by name.
 * @param batches its entries, as they arrive
 * @param timeOf asks for the time of a file, in Unix milliseconds, which its entry does not tell
 * @param notBefore the file that was read last: older ones are not looked at
 * @throws FileError `no-file`
 */
export async function findNewestFile(
  batches: AsyncIterable<readonly FolderEntry[]>,
  { pattern, notBefore }: { pattern: string; notBefore?: TimedName | undefined },
  timeOf: (name: string) => Promise<number | null>,
): Promise<string> {
  const fits = createNameTest(pattern)
  let newest: TimedName | undefined
  const take = (file: TimedName) => {
    if (notBefore && isNewer(notBefore, file)) return
    if (!newest || isNewer(file, newest)) newest = file
  }
  const untimed: string[] = []
  let names = 0
  for await (const entries of batches) {
    // A folder that never ends may have batches without a name.
    names += Math.max(entries.length, 1)
    if (names > MAX_NAMES) throw tooMany()
    for (const { name, changedAt, isFolder } of entries) {
      if (isFolder || !IS_NAME.test(name) || !fits(name)) continue
      if (changedAt === null) untimed.push(name)
      else take({ name, changedAt })
    }
  }
  if (untimed.length > MAX_ASKED) throw withoutTimes(untimed.length)
  for (const name of untimed) {
    const changedAt = await timeOf(name)
    if (changedAt === null) throw withoutTimes(untimed.length)
    take({ name, changedAt })
  }
  if (newest) return newest.name
  throw new FileError('no-file', `There is no file at the server whose name fits ${pattern}.`)
}

function isNewer(a: TimedName, b: TimedName): boolean {
  const difference = a.changedAt - b.changedAt
  return difference === 0 ? a.name > b.name : difference > 0
}

function withoutTimes(count: number): FileError {
  return new FileError(
    'bad-answer',
    `The server does not tell when its files were changed, so that the newest of ${count} cannot be found: enter the whole name of the file, or have old files moved away.`,
  )
}

/** The error for a folder that cannot be looked at: that is another thing than one in which nothing fits. */
export function noFolder(): FileError {
  return new FileError(
    'bad-address',
    'There is no such folder at the server, or this user may not read it: upper and lower case count.',
  )
}

export function tooMany(): FileError {
  const most = MAX_NAMES.toLocaleString('en')
  return new FileError(
    'folder-too-large',
    `The folder has more than ${most} names, which are too many to find the newest file. Enter the file, or have old files moved away.`,
  )
}

import { FileError } from '../file-error'
import { createNameTest } from '../tables/names'
import type { FolderEntry } from './file-server'

/** So many names of a folder are looked at. */
const MAX_NAMES = 100_000

const IS_NAME = /^[^/\p{Cc}]{1,255}$/u

/** Whether the last part of a path stands for several files. */
export const isPattern = (path: string): boolean => path.includes('*')

/**
 * The name of the newest file in a folder that fits a pattern: of those of the same time, the last by name.
 * @param batches its entries, as they arrive
 * @param newerThan in Unix milliseconds: others are not looked at
 * @throws FileError `no-file`
 */
export async function findNewestFile(
  batches: AsyncIterable<readonly FolderEntry[]>,
  { pattern, newerThan = -Infinity }: { pattern: string; newerThan?: number | undefined },
): Promise<string> {
  const fits = createNameTest(pattern)
  let newest: FolderEntry | undefined
  let names = 0
  for await (const entries of batches) {
    // A folder that never ends may have batches without a name.
    names += Math.max(entries.length, 1)
    if (names > MAX_NAMES) throw tooMany()
    for (const entry of entries) {
      const isFile = !entry.isFolder && IS_NAME.test(entry.name)
      if ((entry.changedAt ?? Infinity) <= newerThan) continue
      if (isFile && fits(entry.name) && (!newest || isNewer(entry, newest))) newest = entry
    }
  }
  if (newest) return newest.name
  throw new FileError('no-file', `There is no file at the server whose name fits ${pattern}.`)
}

function isNewer(a: FolderEntry, b: FolderEntry): boolean {
  const difference = (a.changedAt ?? 0) - (b.changedAt ?? 0)
  return difference === 0 ? a.name > b.name : difference > 0
}

function tooMany(): FileError {
  const most = MAX_NAMES.toLocaleString('en')
  return new FileError(
    'folder-too-large',
    `The folder has more than ${most} names, which are too many to find the newest file. Enter the file, or have old files moved away.`,
  )
}

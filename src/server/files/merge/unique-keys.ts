import { formatCount, formatCountOf } from '../../../shared/format'
import { FileError, type FileErrorCode } from '../file-error'
import { type KeyFacts, MAX_KEYED_ROWS } from '../keys/key-file'

/** What is known of a file's rows; `column` is null for a file without a key file. */
export type RowKeys = { rowCount: number } & (
  | Pick<KeyFacts, 'column' | 'repeatedRows' | 'keylessRows'>
  | { column: null }
)

/**
 * Why a file cannot be merged with another one by its keys; null when it can.
 * @param use what would be done with its rows
 */
export function findKeyProblem(keys: RowKeys, use = 'updated'): string | null {
  if (keys.rowCount > MAX_KEYED_ROWS) {
    return `it has ${formatCount(keys.rowCount)} rows, and at most ${formatCount(MAX_KEYED_ROWS)} can be ${use}`
  }
  if (keys.column === null) return 'it has no column of keys'
  const name = `“${keys.column}”`
  if (keys.keylessRows > 0) {
    return `${formatCountOf(keys.keylessRows, 'row')} in it ${have(keys.keylessRows)} no ${name}`
  }
  if (keys.repeatedRows === 0) return null
  return `${formatCountOf(keys.repeatedRows, 'row')} in it ${have(keys.repeatedRows)} a ${name} that another row has, too`
}

const have = (count: number) => (count === 1 ? 'has' : 'have')

/** @throws FileError with this code for a file that cannot be merged with another one */
export function requireUniqueKeys(
  keys: RowKeys,
  { code, what, use }: { code: FileErrorCode; what: string; use: string },
): void {
  const problem = findKeyProblem(keys, use)
  if (problem === null) return
  throw new FileError(code, `${what}: ${problem}. Each row needs a key of its own, such as an SKU.`)
}

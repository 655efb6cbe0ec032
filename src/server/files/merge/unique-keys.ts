import { formatCount, formatCountOf } from '../../../shared/format'
import { FileError } from '../file-error'
import { type KeyFacts, MAX_KEYED_ROWS } from '../keys/key-file'

/** What is known of a file's rows; `column` is null for a file without a key file. */
export type RowKeys = { rowCount: number } & (
  | Pick<KeyFacts, 'column' | 'repeatedRows' | 'keylessRows'>
  | { column: null }
)

/** Why updates cannot be merged with a file by its keys; null when they can. */
export function findKeyProblem(keys: RowKeys): string | null {
  if (keys.rowCount > MAX_KEYED_ROWS) {
    return `it has ${formatCount(keys.rowCount)} rows, and at most ${formatCount(MAX_KEYED_ROWS)} can be updated`
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

/** @throws FileError `update-keys` for a file with which updates cannot be merged */
export function requireUniqueKeys(keys: RowKeys, what: 'update' | 'full file'): void {
  const problem = findKeyProblem(keys)
  if (problem === null) return
  throw new FileError(
    'update-keys',
    `The ${what} cannot be used: ${problem}. Each row needs a key of its own, such as an SKU.`,
  )
}

/** A cell of a record; null: left out, because it is too long. */
export type Cell = string | null | undefined

/**
 * Finds out whether a list may have things of several kinds: records without a key, and fields that no record with a
 * key has. So are the header and the sums of a file, or the brands in a dump of all tables.
 */
export interface RecordKinds {
  /** Says of a new column whether items are known by it. */
  addColumn(isKey: boolean): void
  /** @param inner the columns of what the record has in a list, one after another */
  count(cells: readonly Cell[], inner: readonly number[]): void
  /** How many records have no key although others have, and a column that only they have, if there is one. */
  others(): { count: number; column: number | null } | null
}

export function createRecordKinds(): RecordKinds {
  const isKey: boolean[] = []
  /** Whether a record with a key had a text in a column; how many columns none had. */
  const isOfItems: boolean[] = []
  let unknown = 0
  let keyless = 0
  /** How many records without a key had a text in a column. */
  const withoutKey: number[] = []

  function fill(column: number): void {
    if (isOfItems[column]) return
    isOfItems[column] = true
    unknown--
  }

  return {
    addColumn(isKeyColumn) {
      isKey.push(isKeyColumn)
      isOfItems.push(false)
      withoutKey.push(0)
      unknown++
    },
    count(cells, inner) {
      const hasKey =
        cells.some((cell, column) => cell && isKey[column]) || inner.some((column) => isKey[column])
      if (!hasKey) keyless++
      else if (unknown === 0) return
      for (let column = 0; column < cells.length; column++) {
        if (!cells[column]) continue
        if (hasKey) fill(column)
        else withoutKey[column] = (withoutKey[column] as number) + 1
      }
      if (hasKey) inner.forEach(fill)
    },
    others() {
      if (keyless === 0 || !isKey.some((isKeyColumn, column) => isKeyColumn && isOfItems[column])) {
        return null
      }
      const own = withoutKey.findIndex((count, column) => count > 0 && !isOfItems[column])
      return { count: keyless, column: own < 0 ? null : own }
    },
  }
}

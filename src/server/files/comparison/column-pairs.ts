import { foldName } from '../../../shared/categories'
import { displayNames } from '../keys/stored-rows'
import { findColumn } from '../read/categories/category-column'

/** A column of two files, with its place in each; -1 where there is none. */
export interface ColumnPair {
  name: string
  older: number
  newer: number
}

/**
 * Pairs the columns of two files by their names; of columns with the same name the first with the first.
 * Those of the newer file come first, in its order.
 */
export function pairColumns(
  older: string[],
  newer: string[],
  keyColumn: string,
): { key: ColumnPair; others: ColumnPair[] } {
  const [before, after] = [displayNames(older), displayNames(newer)]
  const key = {
    name: keyColumn,
    older: findColumn(before, keyColumn),
    newer: findColumn(after, keyColumn),
  }
  const places = new Map<string, number[]>()
  for (const [place, name] of [...before.entries()].toReversed()) {
    if (place === key.older) continue
    const same = places.get(foldName(name))
    if (same) same.push(place)
    else places.set(foldName(name), [place])
  }
  const others: ColumnPair[] = []
  for (const [place, name] of after.entries()) {
    if (place === key.newer) continue
    others.push({ name, older: places.get(foldName(name))?.pop() ?? -1, newer: place })
  }
  const left = [...places.values()].flat().toSorted((one, other) => one - other)
  for (const place of left) others.push({ name: before[place] ?? '', older: place, newer: -1 })
  return { key, others }
}

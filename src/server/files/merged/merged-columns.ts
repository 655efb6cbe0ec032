import { foldName } from '../../../shared/categories'
import { MERGED_COLUMNS } from '../../../shared/merged-files'
import { MAX_COLUMNS } from '../read/scan/scan'
import type { PartHead } from './part-records'

/** The columns of a merged file. */
export interface MergedLayout {
  hasPrice: boolean
  hasCost: boolean
  hasCurrency: boolean
  /** The names of those that come after the ones with a meaning. */
  others: string[]
  /** For each part: which of its own columns each of these is; -1 where it has none. */
  placesOf: Int32Array[]
  names: string[]
  /** Columns that there was no room for. */
  leftOut: number
}

/**
 * Places the columns of the parts, those of the first one before others. Columns with the same name are one; a second
 * one of a part, and those called as a column with a meaning, have a number behind it.
 */
export function layOutMerged(heads: readonly PartHead[], hasPriceRules: boolean): MergedLayout {
  const hasCost = heads.some((head) => head.hasCost)
  const hasPrice = (hasPriceRules && hasCost) || heads.some((head) => head.hasPrice)
  const hasCurrency = hasCost || hasPrice
  const isFirst: Record<string, boolean> = { price: hasPrice, cost: hasCost, currency: hasCurrency }
  const first = MERGED_COLUMNS.filter((name) => isFirst[name] ?? true)
  const known = new Map<string, number>()
  const others: string[] = []
  let leftOut = 0
  const found = heads.map((head) =>
    numberNames(head.others).map((name) => {
      const key = foldName(name)
      const place = known.get(key)
      if (place !== undefined) return place
      if (first.length + others.length >= MAX_COLUMNS) {
        leftOut++
        return -1
      }
      known.set(key, others.length)
      return others.push(name) - 1
    }),
  )
  const placesOf = found.map((places) => {
    const own = new Int32Array(others.length).fill(-1)
    for (const [place, other] of places.entries()) if (other >= 0) own[other] = place
    return own
  })
  return { hasPrice, hasCost, hasCurrency, others, placesOf, names: [...first, ...others], leftOut }
}

/** Makes the names of one part's columns distinct. */
function numberNames(names: readonly string[]): string[] {
  const taken = new Set<string>(MERGED_COLUMNS)
  return names.map((given) => {
    const name = given === '' ? 'column' : given
    let distinct = name
    for (let number = 2; taken.has(foldName(distinct)); number++) distinct = `${name}_${number}`
    taken.add(foldName(distinct))
    return distinct
  })
}

import { formatCount, formatCountOf } from '../../../shared/format'

interface Matches {
  /** How many are shown, the index of the first one, and how many have been found. */
  rows: readonly unknown[]
  first: number
  foundCount: number
  /** How far the list has been searched. */
  latest: { rowsRead: number; rowCount: number } | undefined
  isExhausted: boolean
  isReading: boolean
}

/** `Matches 1–50 of 73`; until all are found, how much of the list has been searched. */
export function describeMatches(matches: Matches, noun: string): string {
  const { rows, first, foundCount, latest, isExhausted, isReading } = matches
  if (!latest) return 'Searching …'
  const shown = rows.length > 0 && formatRange(first + 1, first + rows.length)
  if (isExhausted) return shown ? `Matches ${shown} of ${formatCount(foundCount)}` : ''
  const searched = `${formatCount(latest.rowsRead)} of ${formatCountOf(latest.rowCount, noun)}`
  const progress = isReading ? `searching … ${searched}` : `searched ${searched}`
  return shown
    ? `Matches ${shown} · ${progress}`
    : `${progress[0]?.toUpperCase()}${progress.slice(1)}`
}

/** `51–100`. */
export const formatRange = (first: number, last: number): string =>
  first === last ? formatCount(first) : `${formatCount(first)}–${formatCount(last)}`

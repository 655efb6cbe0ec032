/** What a measured value is held against. Ratios have the unit ×. */
export type Goal = { bound: 'least' | 'most'; limit: number; unit: string }

export const atLeast = (limit: number, unit = '×'): Goal => ({ bound: 'least', limit, unit })
export const atMost = (limit: number, unit = '×'): Goal => ({ bound: 'most', limit, unit })

export function isReached({ bound, limit }: Goal, value: number): boolean {
  return bound === 'least' ? value >= limit : value <= limit
}

/** `≥ 0.7 ×`, `≤ 20 ms`. */
export function formatGoal({ bound, limit, unit }: Goal): string {
  return `${bound === 'least' ? '≥' : '≤'} ${formatNumber(limit)} ${unit}`
}

/** A value in the unit of its goal. */
export const formatValue = (value: number, { unit }: Goal) => `${formatNumber(value)} ${unit}`

/** With about three significant digits, and thousands separated. */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

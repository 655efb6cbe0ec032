import type { QuantityRule } from '../../../shared/merged-files'

interface QuantityWords {
  label: string
  /** With the names of two suppliers. */
  example: (one: string, other: string) => string
}

/** How the quantity of an item is taken that several suppliers have. */
export const QUANTITY_WORDS: Record<QuantityRule, QuantityWords> = {
  cheapest: {
    label: 'Of the cheapest supplier that has stock',
    example: (one, other) =>
      `${one} has 2 at a cost of 9.00, ${other} has 3 at 8.50: the file has 3, at 8.50, of ${other}. Once ${other} has none, it has 2, at 9.00, of ${one}. Where costs cannot be compared, the preferred one with stock counts.`,
  },
  first: {
    label: 'Of the preferred supplier',
    example: (one, other) =>
      `${one} has 2, ${other} has 3: the file has 2. If ${one} has none, it has 0.`,
  },
  sum: {
    label: 'The sum of all',
    example: (one, other) => `${one} has 2, ${other} has 3: the file has 5.`,
  },
  least: {
    label: 'The least',
    example: (one, other) => `${one} has 2, ${other} has 3: the file has 2.`,
  },
  most: {
    label: 'The most',
    example: (one, other) => `${one} has 2, ${other} has 3: the file has 3.`,
  },
}

import type { DecimalMark, NumberStyle } from '../../../../shared/schemas/column-numbers'
import { toQuantity, type WrittenQuantity } from './quantity'

/** The numbers of a column that show its decimal mark, and those that depend on it. */
export interface NumberEvidence {
  add(cell: string, written: WrittenQuantity): void
  /** The first cell that shows each mark; undefined without any. */
  proofs(): Partial<Record<DecimalMark, string>>
  /** Whether few cells show the mark on which many others depend. */
  isThin(): boolean
  /** The first cell that depends on the mark, and how many there are; undefined without any. */
  open(): { example: string; count: number } | undefined
  /**
   * How the numbers of the column are to be read: as the file shows, or else as earlier files did. Where
   * neither does, numbers in groups of three are thousands, unless they contradict each other.
   * @param remembered what earlier files showed; null if nothing did
   * @returns null when nothing is known and no number depends on it
   */
  judge(remembered: DecimalMark | null): NumberStyle | null
}

/** So many cells that depend on the mark, for each that shows it, are many. */
const MANY = 20

export function createNumberEvidence(): NumberEvidence {
  const proofs: Partial<Record<DecimalMark, string>> = {}
  const isOpen = { comma: false, point: false }
  let example: string | undefined
  let count = 0
  let proofCount = 0
  return {
    add(cell, { open, proof }) {
      if (proof) {
        proofs[proof] ??= cell
        proofCount++
      }
      if (!open) return
      isOpen[open] = true
      example ??= cell
      count++
    },
    proofs: () => proofs,
    isThin: () => count >= MANY * proofCount,
    open: () => (example === undefined ? undefined : { example, count }),
    judge(remembered) {
      const { comma, point } = proofs
      if (comma !== undefined && point !== undefined) return 'decimals'
      if (comma !== undefined) return 'comma'
      if (point !== undefined) return 'point'
      if (remembered) return remembered
      // One of the two separates decimals, but nothing shows which.
      if (isOpen.comma && isOpen.point) return 'decimals'
      return example === undefined ? null : 'thousands'
    },
  }
}

/** The sum of numbers in each reading, because it is known only after the last one how they are read. */
export interface QuantitySum {
  add(written: WrittenQuantity): void
  total(style: NumberStyle): number
}

export function createQuantitySum(): QuantitySum {
  const open: Record<NumberStyle, number> = { comma: 0, point: 0, thousands: 0, decimals: 0 }
  let others = 0
  return {
    add(written) {
      if (written.open === null) others += toQuantity(written, 'decimals')
      else for (const style of STYLES) open[style] += toQuantity(written, style)
    },
    // Rounded, because fractions add up to sums such as 0.30000000000000004.
    total: (style) => Math.round((others + open[style]) * 1e6) / 1e6,
  }
}

const STYLES = ['comma', 'point', 'thousands', 'decimals'] as const

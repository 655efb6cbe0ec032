import type { DecimalMark } from '../../../shared/schemas/column-numbers'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { RetailerPriceRules } from '../../../shared/schemas/price-rules'

/** How a retailer's prices are made of the costs in its supplier's file. */
export interface Pricing {
  rules: RetailerPriceRules
  /** The columns that the supplier has chosen. */
  roles: Pick<ColumnRoles, 'price' | 'cost' | 'currency'>
  /** Whether columns are called by paths: `findNamed`. */
  arePaths?: boolean
  /** What separates decimals where the costs do not show it; null: nothing says. */
  decimalMark: DecimalMark | null
}

/** What all costs of a file show. */
interface JudgedCosts {
  /** null: a cost such as `1.234` may be thousands, or have decimals. */
  mark: DecimalMark | null
  /** The currency that most costs name, by its code or as it is written; null: none is named. */
  currency: string | null
  /** Whether they are in several. */
  hasSeveral: boolean
}

/** Pricing with what the costs of a file show: `judgeCosts`. */
export type JudgedPricing = Pricing & { costs: JudgedCosts }

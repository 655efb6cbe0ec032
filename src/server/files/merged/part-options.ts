import type {
  ColumnNumbers,
  DecimalMark,
  NumberStyle,
} from '../../../shared/schemas/column-numbers'
import type { StockText } from '../../../shared/schemas/column-policy'
import type { FileProblem } from '../../../shared/schemas/file'
import type { ScratchFile } from '../../storage/scratch-file'
import type { FilterOptions } from '../filter'
import type { StockRules } from '../shop-formats/stock-reader'
import type { Matching } from './matching'
import type { PartChoices } from './part-columns'

export interface PartOptions extends PartChoices {
  /** Which rows and columns the retailer may see. */
  seen: Omit<FilterOptions, 'until' | 'gone' | 'signal'>
  stockTexts: readonly StockText[]
  /** What separates decimals in the quantity column; null: what the file shows. */
  decimalMark: DecimalMark | null
  /** How the numbers of possible quantity columns are written; null where that was not judged. */
  numbers: readonly ColumnNumbers[] | null
  stock: StockRules
  /** Written before SKUs that match nothing. */
  prefix: string
  matching: Matching
  openRun: () => Promise<ScratchFile>
  signal: AbortSignal
}

/** What was written of a part. */
export interface PartFacts {
  rowCount: number
  /** How many of its items were found by GTIN and by the matching file. */
  byGtin: number
  byMatching: number
  problems: FileProblem[]
}

/** How the numbers of a part's columns are written. */
export interface PartStyles {
  quantity: NumberStyle
  price: NumberStyle
  cost: NumberStyle
}

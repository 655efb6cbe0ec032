import type { Package } from './package'
import type { SharedTexts } from './shared-texts'
import type { Styles } from './styles'

/** What the cells of all sheets of a workbook have in common. */
export interface CellContext {
  parts: Package
  texts: SharedTexts
  styles: Styles
  is1904: boolean
  /** Whether the program that wrote the workbook leaves it to others to calculate its formulas. */
  isUncalculated: boolean
}

import { guardFormulasButNumbers } from '../../../shared/spreadsheet-cell'
import type { ProblemLog } from '../read/problems'
import { displayCell } from '../read/scan/display-cell'
import type { OutputFormat } from './column-finder'

/** How much of a cell is shown as an example. */
const EXAMPLE_CHARACTERS = 60

type Cell = string | number
export type FormulaGuard = (cell: Cell) => Cell

/** Whether a file is for people, whose program runs texts that look like formulas. */
const isGuarded = ({ profile, form }: OutputFormat) =>
  profile.kind === 'excel' && profile.guardsFormulas !== false && form === 'csv'

/**
 * Returns a function that puts an apostrophe before what Excel would run, and logs how many cells
 * have got one; in other files cells stay as they are.
 */
export function createFormulaGuard(format: OutputFormat, log: ProblemLog): FormulaGuard {
  if (!isGuarded(format)) return (cell) => cell
  let message: string | undefined
  return (cell) => {
    if (typeof cell === 'number') return cell
    const guarded = guardFormulasButNumbers(cell)
    if (guarded === cell) return cell
    message ??= `A cell that Excel would run as a formula got an apostrophe, such as “${displayCell(guarded, EXAMPLE_CHARACTERS)}”.`
    log.add(null, message)
    return guarded
  }
}

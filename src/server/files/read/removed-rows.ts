import { normalizeName } from './normalize-name'
import { findNamed } from './path-names'
import type { ProblemLog } from './problems'
import { rememberCells } from './scan/remembered-cells'
import { type RecordBatch, cellText } from './scan/scan'

/** Counts the rows that a table has although a column of it says that they are removed. */
export interface RemovedRows {
  add(batch: RecordBatch, record: number): void
  report(problems: ProblemLog): void
}

const words = (text: string) => text.split(' ')
/** Normalized names of columns that say yes or no, and what they say for yes. */
const FLAG_NAMES = words(
  'deleted isdeleted removed isremoved discontinued isdiscontinued deletedflag deleteflag deletionflag deletionindicator ' +
    'geloescht geloscht loeschkennzeichen loschkennzeichen supprime eliminado',
)
const YES = new Set(words('true 1 yes y ja j oui si x t'))
/** Of columns that say what is to be done with the row, or how it stands, and what they say for a removed one. */
const ACTION_NAMES = words(
  'action rowaction op operation mode changetype changemode updatetype updatemode changestatus aktion verb command status ' +
    'itemstatus productstatus recordstatus',
)
const REMOVALS = new Set(
  words(
    'delete deleted del remove removed geloscht geloescht loschen loeschen supprime supprimer eliminado',
  ),
)

/** @param arePaths whether columns are called by paths: `findNamed` */
export function createRemovedRows(columns: readonly string[], arePaths: boolean): RemovedRows {
  const marks = [
    ...markIn(columns, FLAG_NAMES, YES, arePaths),
    ...markIn(columns, ACTION_NAMES, REMOVALS, arePaths),
  ]
  return {
    add(batch, record) {
      for (const mark of marks) if (mark.reads(batch, record)) mark.count++
    },
    report(problems) {
      for (const { column, example, count } of marks) {
        if (count === 0) continue
        const note = `Rows say in “${column}” that they are removed (“${example()}”); they were kept as items.`
        problems.add(null, note, { count })
      }
    },
  }
}

/** The first of the columns with one of these names. */
function markIn(
  columns: readonly string[],
  names: readonly string[],
  values: ReadonlySet<string>,
  arePaths: boolean,
) {
  const [place] = findNamed(columns, names, arePaths)
  if (place === undefined) return []
  let example = ''
  const read = rememberCells(place, (batch, record) => {
    const text = cellText(batch, record, place)
    return values.has(normalizeName(text)) ? text : ''
  })
  const reads = (batch: RecordBatch, record: number) => {
    const text = read(batch, record)
    example ||= text
    return text !== ''
  }
  return [{ column: columns[place] as string, example: () => example, reads, count: 0 }]
}

import { formatCount } from '../../../../shared/format'
import type { ProblemLog } from '../../read/problems'
import { listNames } from '../names'
import { MAX_CELL_CHARACTERS } from '../workbook'
import type { RecordCollector } from './collect'

const LISTS_TOO_LONG = `Lists of values with more than ${formatCount(MAX_CELL_CHARACTERS)} characters were left out.`

/** Tells what people should know of the records of a document. */
export function reportRecords(
  { columns, counts, several, kinds, surroundings }: RecordCollector,
  { header, renamed }: { header: readonly string[] | null; renamed: readonly string[] },
  problems: ProblemLog,
): void {
  const { blank, tooLong, firstTooLong, repeated } = counts
  if (blank > 0) problems.add(null, 'Records without any text were left out.', { count: blank })
  if (tooLong > 0) problems.add(firstTooLong, LISTS_TOO_LONG, { count: tooLong })
  if (repeated > 0) {
    const note = 'Names stand twice in an object; their values were joined with “|”.'
    problems.add(null, note, { count: repeated })
  }
  const joined = columns.map((node) => several.get(node) ?? 0)
  const names = (header ?? []).filter((_, column) => joined[column])
  if (names.length > 0) {
    const note = `Several values of ${listNames(names)} in one record were joined with “|”.`
    problems.add(null, note, { count: joined.reduce((sum, count) => sum + count, 0) })
  }
  if (renamed.length > 0) {
    const note = `Fields whose names differ from others only in upper and lower case, or not at all, were called ${listNames(renamed)}.`
    problems.add(null, note)
  }
  reportOthers(kinds, header, problems)
  reportSurroundings(surroundings, counts.records, problems)
  if (counts.mixed > 0) {
    const note = 'Records have texts between their fields, which were joined to one.'
    problems.add(null, note, { count: counts.mixed })
  }
  if (counts.nested > 0) {
    const note = 'Records have others of the same name in them, which were read as their fields.'
    problems.add(null, note, { count: counts.nested })
  }
}

/** Tells of records that may be other things than items. */
function reportOthers(
  kinds: RecordCollector['kinds'],
  header: readonly string[] | null,
  problems: ProblemLog,
): void {
  const others = kinds.others()
  if (!others) return
  const name = others.column === null ? undefined : header?.[others.column]
  const what = name === undefined ? '' : `, but have ${listNames([name])}, which no item has`
  const note = `Records have nothing by which items are known${what}: the list may have other things, too.`
  problems.add(null, note, { count: others.count })
}

function reportSurroundings(
  { next, total, count, isPaged, hasRemoved, hasFailed, key }: RecordCollector['surroundings'],
  records: number,
  problems: ProblemLog,
): void {
  const all = total ?? (isPaged ? count : null)
  const more = next ?? (all && all.count > records ? all.name : null)
  if (more !== null) {
    const note = `The file says in ${listNames([more])} that it is one page of several. Only this one was read: enter an address that gives all of them.`
    problems.add(null, note)
  }
  if (hasRemoved) problems.add(null, 'The file also lists what was removed, which was left out.')
  if (hasFailed) problems.add(null, 'The file tells beside its records that a part of it failed.')
  if (key !== null) {
    const note = `The records may be parts of one item, which has ${listNames([key])} beside them.`
    problems.add(null, note)
  }
}

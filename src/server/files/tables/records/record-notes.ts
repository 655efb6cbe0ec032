import { formatCount } from '../../../../shared/format'
import type { ProblemLog } from '../../read/problems'
import { listNames } from '../names'
import { MAX_CELL_CHARACTERS } from '../workbook'
import type { RecordCollector } from './collect'
import { type ShapeNode, pathOf } from './shape'
import { findNext } from './surroundings'
import { kindOfField } from './worth'

const LISTS_TOO_LONG = `Lists of values with more than ${formatCount(MAX_CELL_CHARACTERS)} characters were left out.`

/** Tells what people should know of the records of a document. */
export function reportRecords(
  collector: RecordCollector,
  { header, renamed }: { header: readonly string[] | null; renamed: readonly string[] },
  problems: ProblemLog,
): void {
  const { columns, counts, several, gaps, kinds } = collector
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
  const missing = (header ?? []).filter((_, column) => gaps.has(columns[column] as ShapeNode))
  if (missing.length > 0) {
    const note = `Some values of ${listNames(missing)} are missing in lists of records: those that follow do not stand in their places.`
    problems.add(null, note)
  }
  if (renamed.length > 0) {
    const note = `Fields whose names differ from others only in upper and lower case, or not at all, were called ${listNames(renamed)}.`
    problems.add(null, note)
  }
  reportOthers(kinds, header, problems)
  reportVarying(columns, header, problems)
  reportSurroundings(collector, problems)
  if (counts.mixed > 0) {
    const note = 'Records have texts between their fields, which were joined to one.'
    problems.add(null, note, { count: counts.mixed })
  }
  if (counts.nested > 0) {
    const note = 'Records have others of the same name in them, which were read as their fields.'
    problems.add(null, note, { count: counts.nested })
  }
}

/** Tells of fields that are a value in some records and have others in them in some. */
function reportVarying(
  columns: readonly ShapeNode[],
  header: readonly string[] | null,
  problems: ProblemLog,
): void {
  const outer = new Set<ShapeNode>()
  for (const { kind, parent } of columns) {
    for (let at = kind === 'element' ? parent : null; at && !outer.has(at); at = at.parent) {
      outer.add(at)
    }
  }
  const isVarying = (node: ShapeNode) =>
    node.kind === 'element' &&
    node.role?.base !== node &&
    (node.texts > 0 || node.isItem) &&
    outer.has(node)
  const names = columns.flatMap((node, column) =>
    isVarying(node) ? [header?.[column] ?? node.name] : [],
  )
  if (names.length === 0) return
  const note = `Some records have a value in ${listNames(names)}, and others fields, which are in columns of their own.`
  problems.add(null, note)
}

/** Tells of records that may be other things than items. */
function reportOthers(
  kinds: RecordCollector['kinds'],
  header: readonly string[] | null,
  problems: ProblemLog,
): void {
  const nameOf = (column: number) => listNames([header?.[column] ?? String(column + 1)])
  const types = kinds.kindsIn()
  if (types) {
    const note = `Records have other fields where ${nameOf(types.column)} is ${listNames(types.kinds)}: the list may have other things, too.`
    problems.add(null, note)
  }
  const others = kinds.others()
  const apart = others || types ? null : kinds.apart()
  if (apart !== null) {
    const note = `Records with ${nameOf(apart)} have no field in common with others: the list may have other things, too.`
    problems.add(null, note)
  }
  if (!others) return
  const name = others.column === null ? undefined : header?.[others.column]
  const what = name === undefined ? '' : `, but have ${listNames([name])}, which no item has`
  const note = `Records have nothing by which items are known${what}: the list may have other things, too.`
  problems.add(null, note, { count: others.count })
}

function reportSurroundings(
  { surroundings, counts: { records, rows, cut }, columns, outer }: RecordCollector,
  problems: ProblemLog,
): void {
  const { hasRemoved, hasFailed, order, key } = surroundings
  const next = findNext(surroundings, records, rows)
  if (next !== null) {
    const note = `The file says in ${listNames([next])} that it is one page of several. Only this one was read: enter an address that gives all of them.`
    problems.add(null, note)
  }
  if (cut > 0) {
    const note =
      'Records say that a list in them goes on elsewhere; only what is in the file was read.'
    problems.add(null, note, { count: cut })
  }
  const { late, tooLong } = outer.left
  if (late.size > 0) {
    const note = `The file has ${listNames([...late])} behind the records that stand in it, which was left out.`
    problems.add(null, note)
  }
  if (tooLong.size > 0) {
    const note = `What records stand in has ${listNames([...tooLong])}, which is too long to be repeated for each of them, and was left out.`
    problems.add(null, note)
  }
  if (hasRemoved) problems.add(null, 'The file also lists what was removed, which was left out.')
  if (hasFailed) problems.add(null, 'The file tells beside its records that a part of it failed.')
  if (order !== null) {
    const note = `The file has ${listNames([order])} beside its records, as orders and events do: they may be no inventory.`
    problems.add(null, note)
  }
  if (key !== null) {
    const note = `The records may be parts of one item, which has ${listNames([key])} beside them.`
    problems.add(null, note)
  }
  const kinds = new Set(
    columns.map((node) => kindOfField(pathOf(node, node.role?.base ?? node.role?.outer))),
  )
  // Several are those of other things.
  const isForAll = (kind: 'price' | 'quantity') =>
    surroundings[kind]?.count === 1 && !kinds.has(kind)
  const apart = (['price', 'quantity'] as const)
    .filter(isForAll)
    .map((kind) => surroundings[kind]?.name ?? '')
  if (apart.length > 0) {
    const note = `The records have none, but the file has ${listNames(apart)} beside them, which was left out.`
    problems.add(null, note)
  }
}

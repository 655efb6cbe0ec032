import { formatCount, formatCountOf } from '../../../../shared/format'
import type { RecordPlace } from '../../../../shared/schemas/record-place'
import type { DocumentForm } from '../../../../shared/table-forms'
import { FileError } from '../../file-error'
import type { ProblemLog } from '../../read/problems'
import { listNames } from '../names'
import { type Candidate, findCandidates, isElsewhere } from './candidates'
import { findListsOfGoods } from './inner-lists'
import { isSyndication, noRecords, refuseOtherDocuments } from './no-records'
import { ANY_NAME } from './node-handler'
import { describePlace, hasPlace, isSamePlace, toPlace } from './record-places'
import { type ShapeNode, pathOf } from './shape'

/** What decides which records are read. */
export interface RecordChoice {
  chosen: RecordPlace | null
  /** Those of the file before. */
  previous: RecordPlace | null
}

/** Which records of a document are read. */
export interface ChosenRecords {
  place: RecordPlace
  by: 'supplier' | 'file before' | 'content'
  /** Where there may be records, the best place first. */
  candidates: readonly Candidate[]
  /** Another list that is as good. */
  rival: Candidate | undefined
  /** Whether they are goods, as far as nobody has chosen them. */
  areGoods: Candidate['areGoods']
}

/** How much of the best one's score another list has that may be meant as well; and one that is told. */
const RIVAL = 0.6
const TOLD = 0.05

/**
 * Chooses the records that the supplier has chosen, or else those that were read of the file before, or else the
 * best ones.
 * @param root what is known of the document
 * @param isWhole whether that is all of it; otherwise what is missing may still come
 * @throws FileError `wrong-choice` for chosen records that do not exist, `not-csv-xml`, `not-csv-json`
 */
export function chooseRecords(
  root: ShapeNode,
  isWhole: boolean,
  form: DocumentForm,
  { chosen, previous }: RecordChoice,
): ChosenRecords {
  refuseOtherDocuments(root, form)
  const candidates = findCandidates(root)
  const mayCome = (place: RecordPlace) => !isWhole || hasPlace(root, place, form)
  if (chosen) {
    if (!mayCome(chosen)) throw wrongPlace(chosen, candidates, form)
    return { place: chosen, by: 'supplier', candidates, ...CLEAR }
  }
  if (previous && mayCome(previous)) {
    return { place: previous, by: 'file before', candidates, ...CLEAR }
  }
  const [best] = candidates
  if (!best) throw noRecords(root, form)
  const rival = candidates.find(
    (other) => other.hasKey && other.score >= RIVAL * best.score && isElsewhere(other, best),
  )
  const areGoods = best.areGoods === 'perhaps' && isSyndication(root) ? 'no' : best.areGoods
  return { place: toPlace(best, form), by: 'content', candidates, rival, areGoods }
}

const CLEAR = { rival: undefined, areGoods: 'yes' } as const

/** The error for records that were chosen and do not exist. */
export function wrongPlace(
  place: RecordPlace,
  candidates: readonly Candidate[],
  form: DocumentForm,
): FileError {
  const others = candidates
    .slice(0, 3)
    .map((other) => `“${describePlace(toPlace(other, form), form)}”`)
  const has = others.length > 0 ? ` It has ${others.join(', ')}.` : ''
  return new FileError(
    'wrong-choice',
    `The file has no records at the chosen “${describePlace(place, form)}”.${has}`,
  )
}

/** Refuses a sync of records of which nobody knows whether they are the table. */
export function refuseUnclear({ place, rival, areGoods }: ChosenRecords, form: DocumentForm): void {
  const name = describePlace(place, form)
  if (rival) {
    const other = describePlace(toPlace(rival, form), form)
    throw new FileError(
      'several-tables',
      `The file has several lists that may be the table: “${name}” and “${other}”. Choose one of them in the preview.`,
    )
  }
  if (areGoods === 'no') {
    throw new FileError(
      'several-tables',
      `The file may have no inventory: of its lists, “${name}” is the most like one, but its fields are not known as those of goods. Choose the records in the preview.`,
    )
  }
}

/** Tells what was read, where the supplier might have meant something else. */
export function reportChoice(
  { place, by, candidates, rival, areGoods }: ChosenRecords,
  { records, areKeyed }: { records: number; areKeyed: boolean },
  form: DocumentForm,
  problems: ProblemLog,
): void {
  if (by === 'supplier') return
  const used = candidates.find((candidate) => isSamePlace(toPlace(candidate, form), place))
  const others = used ? listOthers(candidates, used) : []
  const inner = used ? listInner(candidates, used) : []
  const isNamed = place.path.includes(ANY_NAME)
  const isClear = others.length + inner.length === 0 && place.variants === null
  if (isClear && !isNamed && areGoods === 'yes') return
  const names = others.map(
    (other) => `${describePlace(toPlace(other, form), form)} (${formatCount(other.record.count)})`,
  )
  const also = names.length > 0 ? ` The file also has ${names.join(' and ')}.` : ''
  const lists = inner.length > 0 ? ` Each list of ${listNames(inner)} is in one cell.` : ''
  const keys = areKeyed ? ' Each has a name of its own, which is in the column “key”.' : ''
  const guess =
    areGoods === 'perhaps' ? ' It is not certain that they are the items of an inventory.' : ''
  const none = rival || areGoods === 'no' ? ' A sync reads none of them until they are chosen.' : ''
  problems.add(
    null,
    `${formatCountOf(records, 'item')} of ${describePlace(place, form)}${place.variants ? ',' : ''} were read.${keys}${lists}${guess}${also}${none}`,
    { setting: 'records' },
  )
}

/** The names of lists in the records that have what items have, and are not read as rows. */
function listInner(candidates: readonly Candidate[], used: Candidate): string[] {
  const lists = candidates
    .filter(({ record, areItems }) => used.variant === null && record === used.record && areItems)
    .map(nameVariants)
  const deeper = findListsOfGoods(used.record, used.variant)
  const isKnown = (path: string[]) => lists.includes(path.at(-1) ?? '')
  const others = deeper.filter((path) => !isKnown(path)).map((path) => path.join('.'))
  return [...new Set([...lists, ...others])]
}

const nameVariants = ({ record, variant }: Candidate) =>
  variant ? (pathOf(variant, record).at(-1) ?? '') : ''
/** The best other lists, each without its variants. */
function listOthers(candidates: readonly Candidate[], used: Candidate): Candidate[] {
  const others = candidates.filter(
    (other) =>
      other.variant === null &&
      (other.isKeyed || other.score >= TOLD * used.score) &&
      isElsewhere(other, used),
  )
  return others.slice(0, 2)
}

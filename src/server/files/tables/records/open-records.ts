import { HEAD_ROWS } from '../../../../shared/constants'
import type { TableParts } from '../../../../shared/schemas/connection'
import type { RecordPlace } from '../../../../shared/schemas/record-place'
import type { DocumentForm } from '../../../../shared/table-forms'
import type { ScratchFile } from '../../../storage/scratch-file'
import { FileError } from '../../file-error'
import type { ProblemLog } from '../../read/problems'
import type { TableRows } from '../table-rows'
import { findCandidates } from './candidates'
import {
  type ChosenRecords,
  type RecordChoice,
  chooseRecords,
  refuseUnclear,
  reportChoice,
  wrongPlace,
} from './choose-records'
import { type CollectedRows, collectRows } from './collect-rows'
import { findColumnLists, readColumnLists } from './column-lists'
import { createDocumentParser } from './document-parser'
import { type DocumentSource, headOf } from './document-source'
import { listExamples, listPlaces } from './list-places'
import { hasMoreToLearn } from './more-to-learn'
import { describePlace, isSamePlace, toPlace } from './record-places'
import { createRowStore } from './row-store'
import { type ShapeNode, createShapeNode } from './shape'
import { createWalk } from './walk'

/** Where a preview stops that has found none of the records that it is to show. */
const MAX_PREVIEW_BYTES = 32 * 1024 * 1024
const PREVIEW_LIMIT = { rows: 5 * HEAD_ROWS, bytes: 4 * 1024 * 1024 }
const NO_LIMIT = { rows: Infinity, bytes: Infinity }
const NO_CHOICE: RecordChoice = { chosen: null, previous: null }
/** How much better another list must be for what the beginning has shown to be overruled. */
const CLEARLY_BETTER = 1.5

/** The table of a document. */
export interface OpenedRecords {
  rows: TableRows
  place: RecordPlace
  parts: TableParts['records']
  report(problems: ProblemLog): void
}

interface OpenOptions extends RecordChoice {
  openScratch: () => Promise<ScratchFile>
}

/**
 * Reads the records of a document. All of it is read before this returns.
 * @throws FileError
 */
export async function openRecords(
  form: DocumentForm,
  source: DocumentSource,
  { openScratch, ...choice }: OpenOptions,
): Promise<OpenedRecords> {
  const shown = learnShape(form, source)
  const columns = await openColumnLists(form, source, shown, choice)
  if (columns) return columns
  const first = chooseRecords(shown, source.isWhole, form, choice)
  const read = (place: RecordPlace, hints: ShapeNode) =>
    collectRows(source.read(), {
      form,
      encoding: source.encoding,
      place,
      hints,
      limit: NO_LIMIT,
      store: createRowStore(openScratch),
      isEnough: () => false,
    })
  // What is unknown may be followed by what is not.
  if (first.rival || source.isWhole) refuseUnclear(first, form)
  let collected = await read(first.place, shown)
  const better = findBetter(collected, first, form)
  if (better) refuseUnclear(better, form)
  const chosen = better ?? first
  if (better || (!source.isWhole && hasMoreToLearn(collected.root))) {
    collected = await read(chosen.place, await learnAll(form, source))
  }
  const { counts } = collected
  if (counts.rows === 0) throw withoutText()
  return {
    rows: toTableRows(collected),
    place: chosen.place,
    parts: [],
    report(problems) {
      reportChoice(chosen, toReported(collected), form, problems)
      if (better) reportBetter(better, first, form, problems)
    },
  }
}

/**
 * Reads the first records of a document as `openRecords` does, and shows what else could be read.
 * @throws FileError
 */
export async function previewRecords(
  form: DocumentForm,
  source: DocumentSource,
  choice: RecordChoice,
): Promise<OpenedRecords> {
  const hints = learnShape(form, source)
  const columns = await openColumnLists(form, source, hints, choice)
  if (columns) return columns
  const read = (chunks: AsyncIterable<Uint8Array>, place: RecordPlace) =>
    collectRows(chunks, {
      form,
      encoding: source.encoding,
      place,
      hints,
      limit: PREVIEW_LIMIT,
      store: createRowStore(null),
      isEnough: (rows, bytes) =>
        !source.isWhole && bytes >= (rows > 0 ? source.head.length : MAX_PREVIEW_BYTES),
    })
  let chosen = chooseRecords(hints, source.isWhole, form, choice)
  let collected = await read(source.read(), chosen.place)
  if (!isFound(collected, chosen)) {
    if (chosen.by === 'supplier') throw wrongPlace(chosen.place, chosen.candidates, form)
    chosen = chooseRecords(hints, source.isWhole, form, NO_CHOICE)
    collected = await read(headOf(source), chosen.place)
  }
  const { counts } = collected
  if (counts.rows === 0) throw withoutText()
  return {
    rows: toTableRows(collected),
    place: chosen.place,
    parts: await listPlaces(form, source, hints, chosen),
    report: (problems) => reportChoice(chosen, toReported(collected), form, problems),
  }
}

/** Makes rows of lists of columns, unless other records are chosen. */
async function openColumnLists(
  form: DocumentForm,
  source: DocumentSource,
  shown: ShapeNode,
  { chosen }: RecordChoice,
): Promise<OpenedRecords | undefined> {
  const lists = form === 'json' ? findColumnLists(shown, source.isWhole) : undefined
  if (!lists) return undefined
  // The documents of JSON have no name.
  const place: RecordPlace = { path: lists.path.slice(1), variants: null }
  if (chosen && !isSamePlace(chosen, place)) return undefined
  const rows = await readColumnLists(source, lists)
  const examples = await listExamples(rows.read(), true, rows.width())
  const parts = [{ ...place, rows: rows.count, isWhole: true, ...examples }]
  return { rows, place, parts, report: () => undefined }
}

/** Whether a document may be a table. */
export function hasRecords(
  form: DocumentForm,
  source: Pick<DocumentSource, 'head' | 'isWhole' | 'encoding'>,
): boolean {
  try {
    const shown = learnShape(form, source)
    if (form === 'json' && findColumnLists(shown, source.isWhole)) return true
    chooseRecords(shown, source.isWhole, form, NO_CHOICE)
    return true
  } catch (error) {
    if (error instanceof FileError && error.code.startsWith('not-csv-')) return false
    // What is damaged may be the table nevertheless.
    if (error instanceof FileError) return true
    throw error
  }
}

/** Whether the records and variants are there that were read before, or are chosen. */
function isFound({ counts, isWhole }: CollectedRows, { place, by }: ChosenRecords): boolean {
  if (counts.records === 0) return false
  return place.variants === null || counts.variants > 0 || by !== 'supplier' || !isWhole
}

function learnShape(
  form: DocumentForm,
  source: Pick<DocumentSource, 'head' | 'isWhole' | 'encoding'>,
): ShapeNode {
  const { head, isWhole } = source
  const root = createShapeNode(null, '')
  const parser = createDocumentParser(form, createWalk(root, form === 'xml'), source.encoding)
  parser.write(head)
  if (isWhole) parser.end()
  return root
}

async function learnAll(form: DocumentForm, source: DocumentSource): Promise<ShapeNode> {
  const root = createShapeNode(null, '')
  const parser = createDocumentParser(form, createWalk(root, form === 'xml'), source.encoding)
  for await (const chunk of source.read()) parser.write(chunk)
  parser.end()
  return root
}

/** What the whole document shows to be right, if it is something else than its beginning has shown. */
function findBetter(
  collected: CollectedRows,
  chosen: ChosenRecords,
  form: DocumentForm,
): ChosenRecords | undefined {
  const { root } = collected
  if (!isFound(collected, chosen)) {
    if (chosen.by === 'supplier') throw wrongPlace(chosen.place, findCandidates(root), form)
    return chooseRecords(root, true, form, NO_CHOICE)
  }
  if (chosen.by !== 'content') return undefined
  const whole = chooseRecords(root, true, form, NO_CHOICE)
  const [best] = whole.candidates
  const used = whole.candidates.find((one) => isSamePlace(toPlace(one, form), chosen.place))
  // Variants are known as such, however few records have them.
  const hasVariants = used?.variant === null && best?.variant && best.record === used.record
  const isBetter =
    hasVariants || (best !== used && (best?.score ?? 0) > CLEARLY_BETTER * (used?.score ?? 0))
  return isBetter || whole.rival || whole.areGoods === 'no' ? whole : undefined
}

const toReported = ({ counts: { records }, areKeyed }: CollectedRows) => ({ records, areKeyed })

function toTableRows({ header, width, counts, isWhole, read, report }: CollectedRows): TableRows {
  return {
    read,
    width: () => width,
    hasNames: header !== null,
    isCut: !isWhole || counts.written < counts.rows,
    arePaths: true,
    report,
  }
}

function reportBetter(
  better: ChosenRecords,
  first: ChosenRecords,
  form: DocumentForm,
  problems: ProblemLog,
): void {
  problems.add(
    null,
    `“${describePlace(better.place, form)}” was read, although the beginning of the file has “${describePlace(first.place, form)}”, because it has more of what an inventory has.`,
    { setting: 'records' },
  )
}

const withoutText = () =>
  new FileError('empty', 'The records of the file have no fields with a text.')

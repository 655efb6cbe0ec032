import { MAX_RECORD_CANDIDATES } from '../../../../shared/reading'
import type { TableParts } from '../../../../shared/schemas/connection'
import type { RecordPlace } from '../../../../shared/schemas/record-place'
import type { DocumentForm } from '../../../../shared/table-forms'
import { displayCell } from '../../read/scan/display-cell'
import { MAX_CHUNK_BYTES, listCells } from '../../read/scan/scan'
import { createScanner } from '../../read/scan/scanner'
import { splitChunk } from '../../read/table/table-reader'
import { type Candidate, isElsewhere } from './candidates'
import type { ChosenRecords } from './choose-records'
import { collectRows } from './collect-rows'
import type { DocumentSource } from './document-source'
import { isSamePlace, toPlace } from './record-places'
import { createRowStore } from './row-store'
import type { ShapeNode } from './shape'

/** A place that a preview offers. */
type ListedPlace = TableParts['records'][number]

const EXAMPLE_ROWS = 3
const EXAMPLE_COLUMNS = 12
const EXAMPLE_CHARACTERS = 100

/** The best places of records in the beginning of a document, and the one that is read, with their first rows. */
export async function listPlaces(
  form: DocumentForm,
  source: DocumentSource,
  hints: ShapeNode,
  { place: used, candidates }: ChosenRecords,
): Promise<ListedPlace[]> {
  const best = pickBest(candidates).map((candidate) => toPlace(candidate, form))
  const isUsed = (place: RecordPlace) => isSamePlace(place, used)
  if (!best.some(isUsed)) best.splice(MAX_RECORD_CANDIDATES - 1, 1, used)
  const listed: ListedPlace[] = []
  for (const place of best) {
    const rows = candidates.find((one) => isSamePlace(toPlace(one, form), place))?.rows ?? 0
    const examples = await readExamples(form, source, hints, place)
    listed.push({ ...place, rows, isWhole: source.isWhole, ...examples })
  }
  return listed
}

/** The best ones, of which one is elsewhere if there is any: all others may be in the same list. */
function pickBest(candidates: readonly Candidate[]): Candidate[] {
  const picked = candidates.slice(0, MAX_RECORD_CANDIDATES)
  const [best] = picked
  if (!best || picked.some((other) => isElsewhere(other, best))) return picked
  const elsewhere = candidates.find((other) => isElsewhere(other, best))
  return elsewhere ? [...picked.slice(0, MAX_RECORD_CANDIDATES - 1), elsewhere] : picked
}

async function readExamples(
  form: DocumentForm,
  source: DocumentSource,
  hints: ShapeNode,
  place: RecordPlace,
): Promise<Pick<ListedPlace, 'header' | 'columnCount' | 'firstRows'>> {
  const collected = await collectRows(pieces(source.head), {
    form,
    encoding: source.encoding,
    place,
    hints,
    limit: { rows: EXAMPLE_ROWS, bytes: MAX_CHUNK_BYTES },
    store: createRowStore(null),
    isEnough: (rows, bytes) =>
      rows >= EXAMPLE_ROWS || (!source.isWhole && bytes >= source.head.length),
  })
  return listExamples(collected.read(), collected.header !== null, collected.width)
}

/** The first of some rows, as a preview shows them. */
export async function listExamples(
  chunks: AsyncIterable<Uint8Array>,
  hasHeader: boolean,
  width: number,
): Promise<Pick<ListedPlace, 'header' | 'columnCount' | 'firstRows'>> {
  const rows: string[][] = []
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  for await (const chunk of chunks) {
    for (const piece of splitChunk(chunk)) {
      const batch = scanner.push(piece)
      for (let record = 0; record < batch.count; record++) rows.push(listCells(batch, record))
    }
    if (rows.length > EXAMPLE_ROWS) break
  }
  const shown = rows
    .slice(0, EXAMPLE_ROWS + Number(hasHeader))
    .map((cells) =>
      cells.slice(0, EXAMPLE_COLUMNS).map((cell) => displayCell(cell, EXAMPLE_CHARACTERS)),
    )
  return {
    header: hasHeader ? (shown[0] ?? []) : [],
    columnCount: width,
    firstRows: shown.slice(hasHeader ? 1 : 0),
  }
}

async function* pieces(head: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < head.length; at += MAX_CHUNK_BYTES) {
    yield head.subarray(at, at + MAX_CHUNK_BYTES)
  }
}

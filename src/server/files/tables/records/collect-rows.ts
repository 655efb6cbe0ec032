import type { RecordPlace } from '../../../../shared/schemas/record-place'
import type { DocumentForm } from '../../../../shared/table-forms'
import type { ProblemLog } from '../../read/problems'
import { writeCell, cellBytes } from '../csv-cell'
import { listNames } from '../names'
import { type RecordCollector, type RowLimit, createRecordCollector } from './collect'
import { nameColumns } from './column-names'
import { createDocumentParser } from './document-parser'
import { ANY_NAME } from './node-handler'
import { reportRecords } from './record-notes'
import { separatorOf, toChosenPath } from './record-places'
import { readFrames } from './row-frames'
import type { RowStore } from './row-store'
import { type ShapeNode, createShapeNode } from './shape'
import { findValuesByName } from './surroundings'
import { createWalk } from './walk'

/** The records of a document as rows. */
export interface CollectedRows {
  counts: RecordCollector['counts']
  /** Whether each has a name of its own, which is in a column. */
  areKeyed: boolean
  /** What was learned of the document on the way. */
  root: ShapeNode
  /** Whether the end of the document was reached. */
  isWhole: boolean
  /** The names of the columns; null if lists in a list have none. */
  header: string[] | null
  width: number
  /** As CSV, with the header if there is one. */
  read(): AsyncGenerator<Buffer>
  /** Tells what people should know of the records. */
  report(problems: ProblemLog): void
}

interface CollectRowsOptions {
  form: DocumentForm
  encoding: string | null
  place: RecordPlace
  /** What the beginning of the document has shown. */
  hints: ShapeNode
  limit: RowLimit
  store: RowStore
  /** Asked after each piece. */
  isEnough: (rows: number, bytes: number) => boolean
}

/** Goes through a document once, and stores its rows as they are with the columns that are known by then. */
export async function collectRows(
  chunks: AsyncIterable<Uint8Array>,
  { form, encoding, place, hints, limit, store, isEnough }: CollectRowsOptions,
): Promise<CollectedRows> {
  const root = createShapeNode(null, '')
  const chosen = toChosenPath(place, form)
  const collector = createRecordCollector(root, { chosen, hints, limit })
  const parser = createDocumentParser(form, createWalk(root, form === 'xml', collector), encoding)
  let bytes = 0
  let isWhole = true
  for await (const chunk of chunks) {
    parser.write(chunk)
    await store.add(collector.takeRows(false))
    bytes += chunk.length
    if (isEnough(collector.counts.rows, bytes)) {
      isWhole = false
      break
    }
  }
  if (isWhole) parser.end()
  await store.add(collector.takeRows(true))
  const { counts } = collector
  const { names: header, renamed } = findHeader(collector, form, place)
  const width = collector.columns.length
  return {
    counts,
    areKeyed: collector.columns.some((node) => node.role?.base?.attributes?.get(ANY_NAME) === node),
    root,
    isWhole,
    header,
    width,
    async *read() {
      if (header) yield writeHeader(header)
      yield* readFrames(store.read(), width)
    },
    report(problems) {
      parser.report(problems)
      reportRecords(collector, { header, renamed }, problems)
      const values = findValuesByName(root, counts.records)
      if (values) problems.add(null, leftOutValues(values))
    },
  }
}

const leftOutValues = ({ name, isItem, isTuple }: ShapeNode) =>
  isItem || isTuple
    ? `The file also has the list ${listNames([name])}, which was left out.`
    : `The file also has ${listNames([name])}, with values by name, which were left out.`

function findHeader(
  { columns, listedNames }: RecordCollector,
  form: DocumentForm,
  place: RecordPlace,
): { names: string[] | null; renamed: string[] } {
  const isTuple = columns[0]?.role?.base?.isTuple === true
  // Objects in a list have names, whatever their places.
  if (isTuple && columns.every((node) => node.parent === node.role?.base)) {
    return { names: listedNames.find(columns.length)?.slice() ?? null, renamed: [] }
  }
  const { names, recordSteps } = toChosenPath(place, form)
  return nameColumns(columns, {
    separator: separatorOf(form),
    recordName: place.path.findLast((name) => name !== ANY_NAME) ?? 'record',
    isVariant: ({ role }) => names.length > recordSteps && role?.steps === names.length,
  })
}

function writeHeader(names: string[]): Buffer {
  const line = Buffer.allocUnsafe(names.reduce((bytes, name) => bytes + cellBytes(name) + 1, 1))
  let at = 0
  for (const [column, name] of names.entries()) {
    if (column > 0) line[at++] = 0x2c
    at = writeCell(name, line, at)
  }
  line[at++] = 0x0a
  return line.subarray(0, at)
}

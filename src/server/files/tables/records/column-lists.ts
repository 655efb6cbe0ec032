import { FileError } from '../../file-error'
import { countKnownNames } from '../../read/dialect/header'
import type { ProblemLog } from '../../read/problems'
import { MAX_CHUNK_BYTES, MAX_COLUMNS } from '../../read/scan/scan'
import { cellBytes, csvLine, writeCell } from '../csv-cell'
import { listNames } from '../names'
import type { TableRows } from '../table-rows'
import { MAX_CELL_CHARACTERS } from '../workbook'
import { documentTooLarge, fieldTooLong } from './document-errors'
import { createDocumentParser } from './document-parser'
import type { DocumentSource } from './document-source'
import { ANY_NAME, type NodeHandler } from './node-handler'
import { type ShapeNode, childrenOf, pathOf } from './shape'
import { judgeFields, kindOfField } from './worth'

/** A document with the values of each column, one after another, instead of rows. */
export interface ColumnLists {
  /** From above the root of the document to what has the columns. */
  path: string[]
  /** Whether the columns are objects with the names of the rows: `{ "sku": { "0": "A1" } }`. */
  haveRowNames: boolean
}

/** Rows are made of all columns at once, which are kept in memory until then. */
const MAX_BYTES = 32 * 1024 * 1024
const FIRST_BYTES = 4 * 1024

/**
 * Finds such columns: lists or objects of the same length, called like those of an inventory.
 * @param isWhole whether all of the document is known; otherwise lists may be such columns whatever they are called
 * @throws FileError `not-csv-json` if there are such lists, but of no inventory or of different lengths
 */
export function findColumnLists(root: ShapeNode, isWhole: boolean): ColumnLists | undefined {
  const [document] = childrenOf(root)
  if (!document || document.isItem) return undefined
  const nodes = [document, ...childrenOf(document)]
  if (!isWhole) return toColumnLists(nodes.find(hasOnlyLists))
  const uneven = nodes.find(hasUnevenLists)
  if (uneven) throw unequal(namesIn(uneven))
  const node = nodes.find(isListOfColumns)
  if (node && judge(namesIn(node)) === 'no') throw noRows(namesIn(node))
  return toColumnLists(node)
}

const toColumnLists = (node: ShapeNode | undefined): ColumnLists | undefined =>
  node && { path: pathOf(node), haveRowNames: !childrenOf(node).every(({ isItem }) => isItem) }

const namesIn = (node: ShapeNode) => childrenOf(node).map(({ name }) => name)

const judge = (names: readonly string[]) =>
  judgeFields(names.map((name) => ({ path: [name], share: 1 }))).areGoods

function hasOnlyLists(node: ShapeNode): boolean {
  const columns = childrenOf(node)
  return columns.length > 0 && columns.every(isListOfTexts)
}

/** Whether there are several keys, prices or quantities, and not as many of each. */
function hasUnevenLists(node: ShapeNode): boolean {
  if (!hasOnlyLists(node)) return false
  const counts = childrenOf(node).flatMap(({ name, count }) => {
    const kind = kindOfField([name])
    return kind === undefined || kind === 'id' ? [] : [count]
  })
  return new Set(counts).size > 1 && counts.every((count) => count > 0)
}

const isListOfTexts = ({ isItem, isTuple, children }: ShapeNode) => isItem && !isTuple && !children

/** `{ "sku": ["A1", "A2"], "qty": [5, 7] }`, or the same with objects whose names are numbers. */
function isListOfColumns(node: ShapeNode): boolean {
  const columns = childrenOf(node)
  if (columns.length < 2) return false
  if (columns.every(isListOfTexts)) {
    return columns.every(({ count }) => count > 1 && count === columns[0]?.count)
  }
  const inner = columns.map((column) => childrenOf(column).map(({ name }) => name))
  if (inner.some((names, at) => names.length === 0 || columns[at]?.isItem)) return false
  // Each has the names of the same rows.
  const [first = []] = inner
  const areRows =
    first.length > 1 && inner.every(([name]) => name === first[0] || name === ANY_NAME)
  if (!areRows) return false
  if (inner.every((names) => names.every((name) => /^\d+$/.test(name) || name === ANY_NAME)))
    return true
  const known = countKnownNames(columns.map(({ name }) => name))
  return known > 1 && known > countKnownNames(inner.flat().slice(0, 100))
}

/**
 * Makes rows of such columns.
 * @throws FileError `not-csv-json` for columns of different lengths, or objects with the names of different rows;
 * `document-too-large`
 */
export async function readColumnLists(
  source: DocumentSource,
  { path, haveRowNames }: ColumnLists,
): Promise<TableRows & { count: number }> {
  const collector = createColumnCollector(path, haveRowNames)
  const parser = createDocumentParser('json', collector.nodes, source.encoding)
  for await (const chunk of source.read()) parser.write(chunk)
  parser.end()
  const columns = collector.columns()
  const areGoods = judge(columns.map(({ name }) => name))
  if (areGoods === 'no') throw noRows(columns.map(({ name }) => name))
  return {
    count: columns[0]?.count ?? 0,
    read: () => joinColumns(columns),
    width: () => columns.length,
    hasNames: true,
    isCut: false,
    arePaths: true,
    report(problems: ProblemLog) {
      parser.report(problems)
      if (areGoods === 'perhaps') problems.add(null, DOUBTFUL)
    },
  }
}

const DOUBTFUL =
  'The file lists the values of each column, of which rows were made. It is not certain that they are the items of an inventory.'

interface Column {
  name: string
  count: number
  /** Cells as they stand in CSV, each after its length. */
  bytes: Buffer
  end: number
}

function createColumnCollector(path: readonly string[], haveRowNames: boolean) {
  const columns = new Map<string, Column>()
  const rowNames: Column = { name: 'key', count: 0, bytes: Buffer.alloc(FIRST_BYTES), end: 0 }
  const open: string[] = []
  let total = 0
  let areNumbered = true
  /** Whether there is anything else beside the columns, which the beginning has not shown. */
  let hasOthers = false
  let nextRowName = createCellReader(rowNames)

  const isAt = (depth: number) =>
    open.length === depth && path.every((name, at) => open[at] === name)

  function columnOf(name: string): Column {
    const known = columns.get(name)
    if (known) return known
    if (columns.size >= MAX_COLUMNS - 1) {
      throw documentTooLarge(`more than ${MAX_COLUMNS.toLocaleString('en')} lists`)
    }
    const column = { name, count: 0, bytes: Buffer.alloc(FIRST_BYTES), end: 0 }
    columns.set(name, column)
    return column
  }

  function add(column: Column, text: string): void {
    if (text.length > MAX_CELL_CHARACTERS) throw fieldTooLong(column.name, column.count + 1)
    const most = column.end + 4 + cellBytes(text)
    if (most > column.bytes.length) {
      const larger = Buffer.alloc(2 * most)
      column.bytes.copy(larger, 0, 0, column.end)
      column.bytes = larger
    }
    const end = writeCell(text, column.bytes, column.end + 4)
    column.bytes.writeUInt32LE(end - column.end - 4, column.end)
    total += end - column.end
    column.end = end
    column.count++
    if (total > MAX_BYTES) {
      throw documentTooLarge(
        'lists of the values of each column, which are larger than 32 MB together. Write a list with an object for each row',
      )
    }
  }

  /** Rows are those of the first column; others must have the same. */
  function addRowName(column: Column, name: string): void {
    const [first] = columns.values()
    areNumbered &&= /^\d+$/.test(name)
    if (column === first) add(rowNames, name)
    else {
      if (column.count === 0) nextRowName = createCellReader(rowNames)
      if (nextRowName() !== name) throw unequal([...columns.keys()])
    }
  }

  const nodes: NodeHandler = {
    open(name) {
      if (!haveRowNames && isAt(path.length)) hasOthers = true
      open.push(name)
    },
    close: () => void open.pop(),
    text: () => undefined,
    leaf(name, kind, text) {
      if (!haveRowNames) {
        if (!isAt(path.length)) return
        if (kind === 'item') add(columnOf(name), text)
        else hasOthers = true
      } else if (isAt(path.length + 1)) {
        const column = columnOf(open.at(-1) as string)
        addRowName(column, name)
        add(column, text)
      }
    },
    empty: () => undefined,
    beginList: () => false,
    endList: () => undefined,
  }
  return {
    nodes,
    columns(): Column[] {
      const all = [...columns.values()]
      if (hasOthers || all.some(({ count }) => count !== all[0]?.count))
        throw unequal([...columns.keys()])
      return haveRowNames && !areNumbered ? [rowNames, ...all] : all
    },
  }
}

/** Gives the texts of a column, one after another. */
function createCellReader({ bytes, end }: Column): () => string | undefined {
  let at = 0
  return () => {
    if (at >= end) return undefined
    const start = at + 4
    at = start + bytes.readUInt32LE(at)
    const cell = bytes.toString('utf8', start, at)
    return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
  }
}

async function* joinColumns(columns: readonly Column[]): AsyncGenerator<Buffer> {
  yield Buffer.concat([csvLine(columns.map(({ name }) => name)), Buffer.from('\n')])
  const places = columns.map(() => 0)
  const rows = columns[0]?.count ?? 0
  let chunk = Buffer.alloc(MAX_CHUNK_BYTES)
  let end = 0
  for (let row = 0; row < rows; row++) {
    for (const [at, { bytes }] of columns.entries()) {
      const start = (places[at] as number) + 4
      const length = bytes.readUInt32LE(start - 4)
      if (end + length + 1 > chunk.length) {
        yield chunk.subarray(0, end)
        chunk = Buffer.alloc(Math.max(MAX_CHUNK_BYTES, length + 1))
        end = 0
      }
      end += bytes.copy(chunk, end, start, start + length)
      chunk[end++] = at < columns.length - 1 ? 0x2c : 0x0a
      places[at] = start + length
    }
  }
  if (end > 0) yield chunk.subarray(0, end)
}

const LISTS =
  'instead of rows. Write a list with an object for each row; in pandas that is to_json(orient="records").'

const noRows = (names: string[]) =>
  new FileError(
    'not-csv-json',
    `The JSON file lists the values of each column (${listNames(names)}) ${LISTS}`,
  )

const unequal = (names: string[]) =>
  new FileError(
    'not-csv-json',
    `The JSON file lists the values of each column (${listNames(names)}), which are not of the same rows, ${LISTS}`,
  )

import { MAX_COLUMNS, MAX_RECORD_BYTES } from '../../read/scan/scan'
import { MAX_CELL_CHARACTERS } from '../workbook'
import { documentTooLarge, fieldTooLong } from './document-errors'
import { findKey } from './key-evidence'
import { type ListedNames, createListedNames } from './listed-names'
import { ANY_NAME, VALUE_SEPARATOR } from './node-handler'
import { type OuterFields, createMiddleFields, createOuterFields } from './outer-fields'
import { type Cell, type RecordKinds, createRecordKinds } from './record-kinds'
import { createFrameWriter } from './row-frames'
import {
  type NodeRole,
  type ShapeNode,
  createShapeNode,
  findNode,
  isComplex,
  isRepeated,
  isShownText,
  mergeChildren,
  pathOf,
} from './shape'
import {
  type Surroundings,
  addOuterField,
  createSurroundings,
  isFieldSign,
  isCutSign,
  outerSignOf,
  saysSomething,
  tellingName,
} from './surroundings'
import type { WalkSink } from './walk'
import { kindOfField } from './worth'

/** The records that are collected, by names from above the root of the document on. */
export interface ChosenPath {
  names: readonly string[]
  /** How many of the names lead to the record; any others lead on to its variants. */
  recordSteps: number
}

/** Makes rows of the records of a document. */
export interface RecordCollector extends WalkSink {
  /** The nodes that are columns, in the order in which they came. */
  columns: readonly ShapeNode[]
  /** The names in a list beside the records. */
  listedNames: Pick<ListedNames, 'find'>
  counts: Readonly<CollectedCounts>
  /** How many records have several values of a column that is to have one, as prices and keys are. */
  several: ReadonlyMap<ShapeNode, number>
  /** Columns of lists in which values are missing before others, so that these do not stand in their places. */
  gaps: ReadonlySet<ShapeNode>
  kinds: Pick<RecordKinds, 'others' | 'apart' | 'kindsIn'>
  surroundings: Readonly<Surroundings>
  outer: Pick<OuterFields, 'left'>
  /** The rows since the last call, as frames; without `all` only what fills a chunk. */
  takeRows(all: boolean): Buffer[]
}

interface CollectedCounts {
  records: number
  rows: number
  /** Those that were written. */
  written: number
  variants: number
  /** Records without any text, which are no rows. */
  blank: number
  /** Cells that were left out because they have too many values, and the first record with one. */
  tooLong: number
  firstTooLong: number
  /** Names that stand twice in an object, of which each may have one value. */
  repeated: number
  /** Records in records. */
  nested: number
  /** Texts of records between their fields. */
  mixed: number
  /** Records with a list that goes on elsewhere. */
  cut: number
}

interface CollectOptions {
  chosen: ChosenPath
  /** What the beginning of the document has shown. */
  hints: ShapeNode
  /** Rows after so many, or so many bytes of them, are not written. */
  limit: RowLimit
}

export interface RowLimit {
  rows: number
  bytes: number
}

/** What the rows of a record may have in all, because each of its variants repeats what the record has. */
const FREE_ROWS_BYTES = 8 * 1024 * 1024
const ROWS_BYTES_PER_CHARACTER = 32
const MAX_ROWS_BYTES = 64 * 1024 * 1024
const MAX_RECORD_NODES = 50_000
/** What a node adds to the size of its record, besides its text. */
const NODE_CHARACTERS = 8

/** @param root stands above the root of the document */
export function createRecordCollector(
  root: ShapeNode,
  { chosen, hints, limit }: CollectOptions,
): RecordCollector {
  const { names, recordSteps } = chosen
  const hasVariants = names.length > recordSteps
  const frames = createFrameWriter()
  const columns: ShapeNode[] = []
  const listedNames = createListedNames()
  const counts = {
    records: 0,
    rows: 0,
    written: 0,
    variants: 0,
    blank: 0,
    tooLong: 0,
    firstTooLong: 0,
    repeated: 0,
    nested: 0,
    mixed: 0,
    cut: 0,
  }
  const several = new Map<ShapeNode, number>()
  const gaps = new Set<ShapeNode>()
  const listed = createListedValues()
  const kinds = createRecordKinds()
  const surroundings = createSurroundings()
  const outer = createOuterFields((known, text) => known + VALUE_SEPARATOR + text)
  const middle = createMiddleFields(join)
  // Positions are no names beside which others can stand.
  const hasOuter = findNode(hints, names.slice(0, recordSteps))?.isTuple !== true
  /** The cells of the record itself, by column, without holes: these are slow to read. */
  const cells: Cell[] = []
  /** Those of its variants, one after another: their columns, their texts, and where each variant ends. */
  let variantColumns: number[] = []
  let variantCells: Cell[] = []
  let variantEnds: number[] = []
  /** Where the open variant has its cell of a column. */
  const variantPlaces = new Int32Array(MAX_COLUMNS).fill(-1)
  let characters = 0
  let recordNodes = 0
  let writtenBytes = 0
  /** The name of the node of any name that is open on the way to the records. */
  let anyName = ''

  root.role = {
    hint: hints,
    steps: 0,
    base: null,
    key: null,
    isText: false,
    hasAnyNames: names[0] === ANY_NAME,
    areNamesKeys: names[0] === ANY_NAME && !areCounted(hints),
    isOnTheWay: false,
    isOuter: false,
    outer: null,
    outerSign: null,
    isCutSign: false,
    column: -1,
  }

  const isVariant = ({ role }: ShapeNode) => hasVariants && role?.steps === names.length

  function columnOf(node: ShapeNode): number {
    const role = node.role as NodeRole
    if (role.column >= 0) return role.column
    if (columns.length >= MAX_COLUMNS) {
      const most = MAX_COLUMNS.toLocaleString('en')
      throw documentTooLarge(`records with more than ${most} different fields`)
    }
    columns.push(node)
    cells.push(undefined)
    const path = pathOf(node, role.base ?? role.outer)
    const kind = kindOfField(path)
    kinds.addColumn(kind === 'key' && role.base !== null, path)
    if (kind !== undefined && kind !== 'id') several.set(node, 0)
    return (role.column = columns.length - 1)
  }

  function leaveOut(): null {
    counts.tooLong++
    counts.firstTooLong ||= counts.records
    return null
  }

  function join(known: Cell, text: string | null): Cell {
    if (text === null) return leaveOut()
    if (known === undefined || known === '') return text
    if (known === null || text === '') return known
    const joined = known + VALUE_SEPARATOR + text
    return joined.length > MAX_CELL_CHARACTERS ? leaveOut() : joined
  }

  function addCell(node: ShapeNode, base: ShapeNode, text: string | null): void {
    const column = columnOf(node)
    if (text && isInList(node, base) && listed.add(column, node.parent as ShapeNode)) gaps.add(node)
    if (!isVariant(base)) {
      if (cells[column] && text) countSeveral(node)
      cells[column] = join(cells[column], text)
      return
    }
    const place = variantPlaces[column] as number
    if (place >= 0) {
      if (variantCells[place] && text) countSeveral(node)
      variantCells[place] = join(variantCells[place], text)
    } else {
      variantPlaces[column] = variantCells.length
      variantColumns.push(column)
      variantCells.push(join(undefined, text))
    }
  }

  function countSeveral(node: ShapeNode): void {
    const count = several.get(node)
    if (count !== undefined) several.set(node, count + 1)
  }

  function addKey(base: ShapeNode, name: string): void {
    const attributes = (base.attributes ??= new Map())
    let key = attributes.get(ANY_NAME)
    if (!key) {
      key = createShapeNode(base, 'key', 'key', 'attribute')
      key.role = { ...(base.role as NodeRole), column: -1 }
      attributes.set(ANY_NAME, key)
    }
    addCell(key, base, name)
  }

  function beginRecord(node: ShapeNode): void {
    counts.records++
    cells.fill(undefined)
    variantColumns = []
    variantCells = []
    variantEnds = []
    middle.clear()
    characters = 0
    if (anyName !== '') addKey(node, anyName)
  }

  function endVariant(): void {
    const start = variantEnds.at(-1) ?? 0
    for (let at = start; at < variantColumns.length; at++) {
      variantPlaces[variantColumns[at] as number] = -1
    }
    if (hasText(variantCells, start)) variantEnds.push(variantColumns.length)
    else variantColumns.length = variantCells.length = start
  }

  function endRecord(): void {
    const isBlank = variantEnds.length === 0 && !hasText(cells, 0)
    if (!isBlank) {
      kinds.count(cells, variantColumns)
      outer.repeatIn(cells)
    }
    if (variantEnds.length === 0) {
      if (isBlank) counts.blank++
      else writeRow(cells)
      return
    }
    const most = Math.min(MAX_ROWS_BYTES, FREE_ROWS_BYTES + ROWS_BYTES_PER_CHARACTER * characters)
    let bytes = 0
    let at = 0
    for (const [variant, end] of variantEnds.entries()) {
      const row = cells.slice()
      middle.repeatIn(row, variant)
      for (; at < end; at++) row[variantColumns[at] as number] = variantCells[at]
      bytes += writeRow(row)
      if (bytes > most) {
        throw documentTooLarge(
          `a record with too many variants for what each of them repeats, number ${counts.records}`,
        )
      }
    }
    counts.variants += variantEnds.length
  }

  function writeRow(row: readonly Cell[]): number {
    counts.rows++
    if (counts.rows > limit.rows || writtenBytes > limit.bytes) return 0
    const bytes = frames.writeRow(row)
    counts.written++
    writtenBytes += bytes
    if (bytes > MAX_RECORD_BYTES) {
      throw documentTooLarge(`a row that is larger than 4 MB, of record ${counts.records}`)
    }
    return bytes
  }

  function addSize(count: number): void {
    characters += count
    if (characters > MAX_RECORD_BYTES) {
      throw documentTooLarge(`a record that is larger than 4 MB, number ${counts.records}`)
    }
  }

  function hintOf({ kind, name, qualifiedName }: ShapeNode, parent: NodeRole) {
    if (kind === 'keyed') return parent.hint
    if (kind === 'attribute') return parent.hint?.attributes?.get(qualifiedName)
    if (parent.hasAnyNames && name === ANY_NAME) return parent.hint && mergeChildren(parent.hint)
    return parent.hint?.children?.get(qualifiedName)
  }

  function roleOf(node: ShapeNode, parent: NodeRole): NodeRole {
    const isNext = node.kind === 'element' && parent.steps >= 0 && names[parent.steps] === node.name
    const steps = isNext ? parent.steps + 1 : -1
    const isBase = steps === recordSteps || (hasVariants && steps === names.length)
    const base = isBase ? node : parent.base
    const hint = hintOf(node, parent)
    const isField = base !== null && steps < 0 && node.kind !== 'attribute'
    const hasAnyNames = steps >= 0 && names[steps] === ANY_NAME
    const isOnTheWay = steps > 0 && steps < names.length && steps !== recordSteps
    return {
      hint,
      steps,
      base,
      key: (isField && hint && findKey(hint)?.qualifiedName) || null,
      isText: isField && hint !== undefined && isShownText(hint),
      hasAnyNames,
      areNamesKeys: hasAnyNames && !(hint && areCounted(hint)),
      isOnTheWay,
      isOuter: isOnTheWay && hasOuter && hint !== undefined && isRepeated(hint),
      outer: steps >= 0 ? null : parent.isOuter ? node.parent : parent.outer,
      outerSign: base === null && steps < 0 ? outerSignOf(node) : null,
      isCutSign: base !== null && steps < 0 && isCutSign(node, base),
      column: -1,
    }
  }

  return {
    columns,
    listedNames,
    counts,
    several,
    gaps,
    kinds,
    surroundings,
    outer,
    takeRows: (all) => frames.take(all),
    add(node) {
      const parent = node.parent?.role
      if (!parent) throw new Error('A node has no parent that is known')
      node.role = roleOf(node, parent)
      if (node.role.base && ++recordNodes > MAX_RECORD_NODES) {
        throw documentTooLarge('records with too many different elements')
      }
    },
    open(node, name) {
      const { base, steps } = node.role as NodeRole
      const isKey = node.name === ANY_NAME && node.parent?.role?.areNamesKeys === true
      if (isKey && steps >= 0 && steps <= recordSteps) anyName = name
      if (node.role?.isOuter) {
        if (base === null) outer.begin(node, counts.records)
        else middle.begin(node, variantEnds.length)
      }
      if (base === null) return
      if (base !== node) {
        addSize(NODE_CHARACTERS)
        if (node.name === base.name && isComplex(node)) counts.nested++
      } else if (!isVariant(node)) beginRecord(node)
      else if (isKey) addKey(node, name)
    },
    value(node, text) {
      const { base, hint, column, outerSign, isCutSign: isCut } = node.role as NodeRole
      if (base === null) {
        if (outerSign) addOuterField(surroundings, outerSign, tellingName(node), text)
        listedNames.add(node, text)
        const isField = text !== '' && isOuterField(node) && isFieldSign(outerSign)
        if (isField) outer.add(node, columnOf(node), text, counts.records)
        return
      }
      if (base === node && text !== '' && node.children) counts.mixed++
      if (isCut && saysSomething(text)) counts.cut++
      addSize(text.length + NODE_CHARACTERS)
      if (text.length > MAX_CELL_CHARACTERS) throw fieldTooLong(node.name, counts.records)
      if (text === '' && column < 0 && hint && isComplex(hint)) return
      if (isOuterField(node)) middle.add(node, columnOf(node), text)
      else addCell(node, base, text)
    },
    close(node) {
      const isMiddle = node.role?.isOuter && node.role.base !== null
      if (isMiddle && middle.end(variantEnds.length)) variantEnds.push(variantColumns.length)
      if (node.role?.base !== node) return
      if (isVariant(node)) endVariant()
      else endRecord()
    },
    isText({ role }) {
      return role !== null && role.base !== null && role.steps < 0
    },
    repeated({ role }) {
      if (role?.base) counts.repeated++
    },
    joined: countSeveral,
    tooLong(list) {
      const base = list.role?.base
      if (base) addCell(list, base, null)
    },
  }
}

/** Whether it may belong to one of several elements of its record. */
const isInList = ({ kind, parent }: ShapeNode, base: ShapeNode): boolean =>
  kind !== 'keyed' && parent !== null && parent !== base && parent.kind === 'element'

/** Whether it is a field of what records or variants stand in, and not of a list in that. */
function isOuterField(node: ShapeNode): boolean {
  const outer = node.role?.outer
  if (!outer || node.isTuple) return false
  for (let at = node.parent; at && at !== outer; at = at.parent) {
    if (at.isItem || at.isTuple || at.most > 1) return false
  }
  return true
}

/** Counts the values that each column has of the elements of a list. */
function createListedValues() {
  const counts: number[] = []
  /** In which parent of the list they are. */
  const parents: number[] = []
  return {
    /** Returns whether one is missing before this one. */
    add(column: number, element: ShapeNode): boolean {
      const known = parents[column] === element.lastParent ? (counts[column] as number) : 0
      parents[column] = element.lastParent
      // Several of one element count once.
      counts[column] = Math.min(known + 1, element.inParent)
      return known < element.inParent - 1
    },
  }
}

const COUNTED = /^(?:item|row|record|entry|element|node|line|product|article|offer)_?(\d{1,9})$/i

/** Whether names only count: `item1`, `item2`, or the places in a list. Keys of items may be consecutive, too. */
function areCounted({ isTuple, children }: ShapeNode): boolean {
  if (isTuple) return true
  const names = [...(children?.keys() ?? [])].filter((name) => name !== ANY_NAME)
  const numbers = names.map((name) => Number(COUNTED.exec(name)?.[1]))
  return names.length > 0 && numbers.every((number, at) => number === (numbers[0] as number) + at)
}

function hasText(cells: readonly Cell[], from: number): boolean {
  for (let at = from; at < cells.length; at++) if (cells[at]) return true
  return false
}

import { MAX_COLUMNS } from '../../read/scan/scan'
import { localName } from '../xml-parser'
import { mayListNames } from './listed-names'
import type { ElementNodes } from './node-handler'

/** What is in a list of columns, or above them. */
const COLUMNS = new Set('column columnname col field item header name'.split(' '))
/** The names of a column: in its attributes or elements, those for people first. */
const NAMES = 'displayname label caption title name columnname fieldname'.split(' ')
const ROWS = new Set('row record r tr'.split(' '))
const CELLS = new Set('value cell col c v d td data'.split(' '))
/** By which a cell is known without its place. */
const CELL_NAMES = new Set('name key field column label caption'.split(' '))
const LISTS_OF_COLUMNS = new Set(['metadata', 'schema'])
const MAX_NAME_CHARACTERS = 200

/** A column of a list, as it is read. */
interface NamedColumn {
  /** Its place in NAMES; what it has as a text is known by none. */
  rank: number
  name: string
}

/**
 * For XML that lists the names of columns before rows whose cells have none, as Cognos and SQLiteStudio write it: such
 * cells are told as elements of these names. All else is told as it is.
 */
export function createNamedColumns(nodes: ElementNodes): ElementNodes {
  const open: string[] = []
  let names = new Set<string>()
  /** How many columns the list has so far. */
  let count = 0
  /** Those of the last list. */
  let cellNames: string[] = []
  /** How many elements are open around the list of columns, or the row; 0 outside of them. */
  let listDepth = 0
  let rowDepth = 0
  let column: NamedColumn | null = null
  let cell = 0

  function addText(rank: number, text: string): void {
    if (!column || rank > column.rank) return
    if (rank < column.rank && text.trim() === '') return
    const name = rank < column.rank ? text : column.name + text
    column = { rank, name: name.slice(0, MAX_NAME_CHARACTERS) }
  }

  function openInList(local: string, attributes: readonly string[]): void {
    if (open.length !== listDepth + 1 || !COLUMNS.has(local)) return
    column = { rank: NAMES.length, name: '' }
    for (let at = 0; at < attributes.length; at += 2) {
      addText(rankOf(localName(attributes[at] as string)), attributes[at + 1] as string)
    }
  }

  function addColumn(): void {
    const name = column?.name.trim() || nameOf(count)
    column = null
    count++
    if (count <= MAX_COLUMNS) names.add(names.has(name) ? `${name} ${count}` : name)
  }

  return {
    open(name, kind, attributes = []) {
      const local = localName(name).toLowerCase()
      open.push(local)
      const depth = open.length
      if (listDepth > 0) openInList(local, attributes)
      else if (rowDepth === 0 && (mayListNames(local) || LISTS_OF_COLUMNS.has(local))) {
        listDepth = depth
        names = new Set()
        count = 0
      } else if (rowDepth > 0) {
        if (depth === rowDepth + 1 && CELLS.has(local) && !hasName(attributes)) {
          nodes.open(cellNames[cell] ?? nameOf(cell), kind)
          cell++
          return
        }
      } else if (cellNames.length > 1 && ROWS.has(local)) {
        rowDepth = depth
        cell = 0
      }
      nodes.open(name, kind, attributes)
    },
    text(text, isVerbatim) {
      if (column)
        addText(open.length === listDepth + 1 ? NAMES.length : rankOf(open.at(-1) as string), text)
      nodes.text(text, isVerbatim)
    },
    close() {
      const depth = open.length
      if (column && depth === listDepth + 1) addColumn()
      if (depth === listDepth) {
        listDepth = 0
        // A list that is too long is given up, as is one whose names are not told apart.
        cellNames = names.size === count ? [...names] : []
      }
      if (depth === rowDepth) rowDepth = 0
      open.pop()
      nodes.close()
    },
  }
}

const nameOf = (column: number) => `COL ${column + 1}`

/** Of what has no name, after all names. */
function rankOf(name: string): number {
  const rank = NAMES.indexOf(name.toLowerCase().replaceAll('_', ''))
  return rank < 0 ? Infinity : rank
}

/** Whether a cell says what it is; numbers say only where. */
function hasName(attributes: readonly string[]): boolean {
  return attributes.some(
    (name, at) =>
      at % 2 === 0 &&
      CELL_NAMES.has(localName(name).toLowerCase()) &&
      /\D/.test(attributes[at + 1] as string),
  )
}

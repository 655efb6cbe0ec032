import { MAX_COLUMNS } from '../../read/scan/scan'
import { localName } from '../xml-parser'
import { documentTooLarge } from './document-errors'
import type { NodeHandler } from './node-handler'
import { isBlank } from './node-text'

/** Of XML, the nodes alone: it has no values in lists. */
export type ElementNodes = Pick<NodeHandler, 'open' | 'text' | 'close'>

/**
 * For XML in which elements do not say what a value is, but other ones do: XML-RPC names it beside the value, and
 * FileMaker above all rows. Their values are told as elements of these names.
 * @param root the local name of the first element
 */
export function namedValues(root: string, nodes: ElementNodes): ElementNodes {
  if (root === 'methodResponse' || root === 'methodCall') return createXmlRpcNodes(nodes)
  return root === 'FMPXMLRESULT' ? createFileMakerNodes(nodes) : nodes
}

const MAX_NAME_CHARACTERS = 2_000
/** What stands around values, and what they are. */
const XML_RPC_PARTS = new Set(
  'params param array data struct member name string int i4 i8 double boolean base64 nil dateTime.iso8601'.split(
    ' ',
  ),
)

interface OpenElement {
  local: string
  isShown: boolean
  /** Of a member: what its value is called. */
  name: string
}

/** A `member` is an element with the name that it has before its value, and a `value` of an array an item of a list. */
function createXmlRpcNodes(nodes: ElementNodes): ElementNodes {
  const open: OpenElement[] = []
  return {
    open(name, kind, attributes) {
      const local = localName(name)
      const outer = open.at(-1)
      const isShown = !XML_RPC_PARTS.has(local)
      open.push({ local, isShown, name: '' })
      if (!isShown) return
      const memberName = outer?.local === 'member' ? outer.name.trim() : ''
      if (local === 'value' && memberName !== '') nodes.open(memberName, 'node')
      else nodes.open(name, outer?.local === 'data' ? 'item' : kind, attributes)
    },
    text(text, isVerbatim) {
      const { local } = open.at(-1) ?? {}
      if (local === 'name') {
        const member = open.at(-2)
        if (member && member.name.length < MAX_NAME_CHARACTERS) member.name += text
      } else if (local !== 'value' || !isBlank(text)) nodes.text(text, isVerbatim)
    },
    close() {
      if (open.pop()?.isShown) nodes.close()
    },
  }
}

/** What rows have one after another is called like the fields that are listed before them. */
function createFileMakerNodes(nodes: ElementNodes): ElementNodes {
  const open: OpenElement[] = []
  const names: string[] = []
  let column = 0

  function addName(attributes: readonly string[]): void {
    if (names.length >= MAX_COLUMNS) {
      throw documentTooLarge(`more than ${MAX_COLUMNS.toLocaleString('en')} fields`)
    }
    const at = attributes.indexOf('NAME')
    const name = (at >= 0 && attributes[at + 1]?.trim()) || nameOf(names.length)
    names.push(names.includes(name) ? `${name} ${names.length + 1}` : name)
  }

  return {
    open(name, kind, attributes = []) {
      const local = localName(name)
      const isField = local === 'FIELD' && open.at(-1)?.local === 'METADATA'
      const isShown = !isField && local !== 'COL'
      open.push({ local, isShown, name: '' })
      if (isField) addName(attributes)
      else if (local === 'COL') column++
      else if (local === 'DATA') nodes.open(names[column - 1] ?? nameOf(column - 1), kind)
      else {
        if (local === 'ROW') column = 0
        nodes.open(name, local === 'ROW' ? 'item' : kind, attributes)
      }
    },
    text(text, isVerbatim) {
      if (open.at(-1)?.isShown) nodes.text(text, isVerbatim)
    },
    close() {
      if (open.pop()?.isShown) nodes.close()
    },
  }
}

const nameOf = (column: number) => `COL ${column + 1}`

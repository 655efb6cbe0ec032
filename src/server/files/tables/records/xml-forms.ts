import { MAX_COLUMNS } from '../../read/scan/scan'
import { localName } from '../xml-parser'
import { documentTooLarge } from './document-errors'
import { createNamedColumns } from './named-columns'
import type { ElementNodes } from './node-handler'
import { isBlank } from './node-text'

/**
 * For XML in which elements do not say what a value is, but other ones do: XML-RPC and property lists name it beside
 * the value, FileMaker above all rows, and PowerShell in an attribute. In any other document, names may stand in a list above rows. Their values are told as elements of these names.
 * @param root the local name of the first element
 */
export function namedValues(root: string, nodes: ElementNodes): ElementNodes {
  return FORMS[root]?.(nodes) ?? createNamedColumns(nodes)
}

const FORMS: Record<string, ((nodes: ElementNodes) => ElementNodes) | undefined> = {
  methodResponse: createXmlRpcNodes,
  methodCall: createXmlRpcNodes,
  plist: createPropertyNodes,
  FMPXMLRESULT: createFileMakerNodes,
  Objs: createPowerShellNodes,
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
  /** What is in it is called so, or its next value. */
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
      else if (local === 'ROW') {
        column = 0
        // Its attributes are the database's own: they number records and their changes.
        nodes.open(name, 'item')
      } else if (local === 'DATA') nodes.open(names[column - 1] ?? nameOf(column - 1), kind)
      else {
        nodes.open(name, kind, attributes)
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

/** What is in a `dict` is called by the `key` before it, and what is in an `array` as that is. */
function createPropertyNodes(nodes: ElementNodes): ElementNodes {
  const open: OpenElement[] = []
  return {
    open(name, kind, attributes) {
      const local = localName(name)
      const outer = open.at(-1)
      const own = outer?.isShown === false || outer?.local === 'dict' ? outer.name : ''
      const isShown = local !== 'array' && local !== 'key'
      open.push({ local, isShown, name: local === 'array' ? own : '' })
      if (local === 'key' && outer) outer.name = ''
      if (!isShown) return
      nodes.open(own.trim() || name, outer?.local === 'array' ? 'item' : kind, attributes)
      if (local === 'true' || local === 'false') nodes.text(local, false)
    },
    text(text, isVerbatim) {
      const outer = open.at(-2)
      if (open.at(-1)?.isShown) nodes.text(text, isVerbatim)
      else if (open.at(-1)?.local === 'key' && outer && outer.name.length < MAX_NAME_CHARACTERS) {
        outer.name += text
      }
    },
    close() {
      if (open.pop()?.isShown) nodes.close()
    },
  }
}

/** What an object is, which says nothing of what it has. */
const POWERSHELL_TYPES = new Set(['TN', 'TNRef', 'T', 'ToString'])

function createPowerShellNodes(nodes: ElementNodes): ElementNodes {
  const open: boolean[] = []
  return {
    open(name, kind, attributes = []) {
      const isShown = !POWERSHELL_TYPES.has(localName(name))
      const at = attributes.indexOf('N')
      const isNamed = at >= 0 && at % 2 === 0
      if (isNamed) nodes.open(attributes[at + 1] || name, kind)
      else if (isShown) nodes.open(name, kind, attributes)
      open.push(isShown || isNamed)
    },
    text(text, isVerbatim) {
      if (open.at(-1)) nodes.text(text, isVerbatim)
    },
    close() {
      if (open.pop()) nodes.close()
    },
  }
}

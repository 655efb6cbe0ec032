import { MAX_CELL_CHARACTERS } from '../workbook'
import type { JsonHandler } from './json-parser'
import { type NodeHandler, type NodeKind, VALUE_SEPARATOR } from './node-handler'

interface Container {
  kind: 'object' | 'list' | 'tuple'
  /** Of the items of a list. */
  name: string
  /** Values so far. */
  count: number
}

/** The name of the documents themselves. */
export const DOCUMENT = ''

/**
 * Tells of the values of JSON as nodes.
 * @param isLines whether each line is a document, which is an item then, and its list a tuple
 */
export function createJsonNodes(nodes: NodeHandler, isLines: boolean): JsonHandler {
  const containers: Container[] = []
  let key = DOCUMENT
  let list: ListText | undefined
  /** How many containers are open around the list that is wanted as a text. */
  let listDepth = 0

  /** Counts the next value in the innermost container, and returns its name. */
  function nextName(): string {
    const container = containers.at(-1)
    if (!container) return DOCUMENT
    container.count++
    if (container.kind === 'object') return key
    return container.kind === 'tuple' ? String(container.count) : container.name
  }

  function nextKind(): NodeKind {
    const container = containers.at(-1)
    if (!container) return isLines ? 'item' : 'node'
    return container.kind === 'list' ? 'item' : 'node'
  }

  function push(kind: Container['kind'], name: string): void {
    containers.push({ kind, name, count: 0 })
  }

  function openArray(): void {
    const name = nextName()
    if (nextKind() === 'item') {
      nodes.open(name, 'tuple')
      push('tuple', name)
      return
    }
    push('list', name)
    if (!list && nodes.beginList(name)) {
      list = createListText()
      listDepth = containers.length
    }
  }

  function closeArray(): void {
    const { kind, name, count } = containers.pop() as Container
    if (kind === 'tuple') nodes.close()
    else if (list && containers.length < listDepth) {
      nodes.endList(name, list.text(), list.hasSeveral())
      list = undefined
    } else if (count === 0) nodes.empty(name)
  }

  function leaf(text: string, written: string): void {
    list?.value(text, written)
    nodes.leaf(nextName(), nextKind(), text)
  }

  return {
    openObject() {
      list?.open('{')
      const name = nextName()
      nodes.open(name, nextKind())
      push('object', name)
    },
    closeObject() {
      list?.close('}')
      containers.pop()
      nodes.close()
    },
    openArray() {
      list?.open('[')
      openArray()
    },
    closeArray() {
      if (containers.length > listDepth) list?.close(']')
      closeArray()
    },
    key(name) {
      key = name
      list?.key(name)
    },
    string: (text) => leaf(text, list ? JSON.stringify(text) : ''),
    scalar: (text) => leaf(text === 'null' ? '' : text, text),
  }
}

/** Collects the text of a list. */
interface ListText {
  open(bracket: '{' | '['): void
  close(bracket: '}' | ']'): void
  key(name: string): void
  value(text: string, written: string): void
  text(): string | null
  /** Whether it joins several texts that are not empty. */
  hasSeveral(): boolean
}

/** Longer lists are given up. */
const MAX_CHARACTERS = MAX_CELL_CHARACTERS

function createListText(): ListText {
  let json = ''
  let joined = ''
  let depth = 0
  let isFirst = true
  let texts = 0
  let hasStructure = false
  /** Whether a value or a key comes after another one. */
  let isNext = false

  function add(piece: string, isNextAfter: boolean): void {
    if (json.length <= MAX_CHARACTERS) json += isNext ? `,${piece}` : piece
    isNext = isNextAfter
  }

  return {
    open(bracket) {
      hasStructure = true
      depth++
      add(bracket, false)
    },
    close(bracket) {
      depth--
      isNext = false
      add(bracket, true)
    },
    key: (name) => add(`${JSON.stringify(name)}:`, false),
    value(text, written) {
      add(written, true)
      if (depth > 0 || joined.length > MAX_CHARACTERS) return
      // Empty ones too: several lists of a record may belong together.
      joined += isFirst ? text : VALUE_SEPARATOR + text
      isFirst = false
      if (text !== '') texts++
    },
    text() {
      const text = hasStructure ? `[${json}]` : joined
      return text.length > MAX_CHARACTERS ? null : text
    },
    hasSeveral: () => !hasStructure && texts > 1,
  }
}

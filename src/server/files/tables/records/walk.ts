import { MAX_CELL_CHARACTERS } from '../workbook'
import { localName } from '../xml-parser'
import { addKeyEvidence, createKeyEvidence, mayBeKey } from './key-evidence'
import { ANY_NAME, type NodeHandler, type NodeKind } from './node-handler'
import { isBlank, trimLines } from './node-text'
import { type ShapeNode, countNode, createShapeNode } from './shape'

/** Takes what belongs to rows. */
export interface WalkSink {
  /** Says what new nodes are to the rows. */
  add(node: ShapeNode): void
  /** @param name the one that it has where it may have any */
  open(node: ShapeNode, name: string): void
  value(node: ShapeNode, text: string): void
  close(node: ShapeNode): void
  /** Whether a list is wanted as one text. */
  isText(list: ShapeNode): boolean
  /** For a name that stands twice in an object of JSON. */
  repeated(node: ShapeNode): void
  /** For a list of several texts that are one cell. */
  joined(list: ShapeNode): void
  /** For a list that is too long for a cell. */
  tooLong(list: ShapeNode): void
}

/** More different names are taken for any name. */
const MAX_NODES = 20_000
const MAX_CHILDREN = 500
/** More than parsers allow. */
const MAX_DEPTH = 300
const NO_ATTRIBUTES: readonly string[] = []
/** What is said of the document itself. */
const NO_FIELD = /^(?:xmlns(?::|$)|xsi:|xml:space$)/
/** What ends a line where a text is shown, before and behind it. */
const BLOCKS = new Set('div h1 h2 h3 h4 h5 h6 li ol p table tr ul'.split(' '))

/**
 * Goes through a document and learns its shape.
 * @param root stands above the root of the document
 * @param isXml whether names have prefixes
 */
export function createWalk(root: ShapeNode, isXml: boolean, sink?: WalkSink): NodeHandler {
  const overflow = createShapeNode(null, ANY_NAME)
  /** The open nodes, the outermost first, in objects that are used again. */
  const frames = Array.from({ length: MAX_DEPTH }, () => createFrame(root))
  let top = frames[0] as Frame
  let depth = 0
  let serial = 0
  let nodeCount = 0
  /** The depth of the node of which everything is text; 0 outside of one. */
  let textDepth = 0
  /** Whether the list is open that is one text. */
  let isInList = false
  const isMuted = () => textDepth > 0 || isInList

  function createNode(parent: ShapeNode, name: string, kind: ShapeNode['kind']): ShapeNode {
    nodeCount++
    const own = flat(name)
    const node = createShapeNode(
      parent,
      isXml && kind !== 'keyed' ? localName(own) : own,
      own,
      kind,
    )
    sink?.add(node)
    return node
  }

  function childOf(parent: ShapeNode, name: string): ShapeNode {
    return parent.children?.get(name) ?? addChild(parent, name)
  }

  function addChild(parent: ShapeNode, name: string): ShapeNode {
    if (parent === overflow) return overflow
    const children = (parent.children ??= new Map())
    const isCounted = isMuted() || !parent.role?.base
    const isFull = isCounted && (children.size >= MAX_CHILDREN || nodeCount >= MAX_NODES)
    const wanted = parent.role?.hasAnyNames || isFull ? ANY_NAME : name
    const known = children.get(wanted)
    if (known) return known
    if (isCounted && nodeCount >= 2 * MAX_NODES) return overflow
    const child = createNode(parent, wanted, 'element')
    children.set(child.qualifiedName, child)
    return child
  }

  function attributeOf(node: ShapeNode, name: string): ShapeNode | undefined {
    const known = node.attributes?.get(name)
    if (known || NO_FIELD.test(name)) return known
    if (node === overflow || (!node.role?.base && nodeCount >= MAX_NODES)) return undefined
    const attribute = createNode(node, name, 'attribute')
    if (!sink && mayBeKey(attribute.name)) attribute.evidence = createKeyEvidence()
    ;(node.attributes ??= new Map()).set(attribute.qualifiedName, attribute)
    return attribute
  }

  function keyedOf(node: ShapeNode, value: string): ShapeNode {
    const known = node.keyed?.get(value)
    if (known) return known
    const keyed = createNode(node, value, 'keyed')
    ;(node.keyed ??= new Map()).set(keyed.name, keyed)
    return keyed
  }

  /** The child of the open node: comparing names is faster than looking them up. */
  function nextChild(name: string): ShapeNode {
    const { node: parent, lastChild } = top
    const expected = lastChild ? lastChild.next : parent.first
    if (expected && expected.qualifiedName === name) return (top.lastChild = expected)
    const child = childOf(parent, name)
    if (lastChild) lastChild.next = child
    else parent.first = child
    return (top.lastChild = child)
  }

  /** Counts a child of the open node. */
  function enter(name: string, kind: NodeKind): ShapeNode {
    const child = nextChild(name)
    top.hasNodes = true
    countNode(child, top.serial)
    if (kind === 'item') child.isItem = true
    else if (kind === 'tuple') child.isTuple = true
    else if (!isXml && child.inParent > 1 && child.name !== ANY_NAME) sink?.repeated(child)
    return child
  }

  function push(node: ShapeNode): void {
    top = frames[++depth] as Frame
    top.node = node
    top.lastChild = null
    top.serial = ++serial
    top.hasNodes = false
    top.hasText = false
    top.isVerbatim = false
    top.isPreserved = false
    top.text = ''
  }

  /** Ends a line of the text in which an element stands. */
  function breakLine(name: string): void {
    const frame = frames[textDepth] as Frame
    const tag = localName(name).toLowerCase()
    if (tag === 'br') frame.text += '\n'
    else if (BLOCKS.has(tag) && !/(?:^|\n)$/.test(frame.text)) frame.text += '\n'
  }

  function addAttributes(element: ShapeNode, node: ShapeNode, attributes: readonly string[]): void {
    const key = element === node ? null : element.role?.key
    for (let at = 0; at < attributes.length; at += 2) {
      const name = attributes[at] as string
      const attribute = name === key ? undefined : attributeOf(node, name)
      if (!attribute) continue
      const value = attributes[at + 1] as string
      attribute.count++
      if (attribute.evidence) addKeyEvidence(attribute.evidence, value, element.lastParent)
      if (!sink || isMuted()) continue
      if (node.kind === 'keyed' && attribute.name === 'value') sink.value(node, value)
      else sink.value(attribute, value)
    }
  }

  /** The node of an element; one that an attribute tells apart is one by itself. */
  function nodeOf(element: ShapeNode, attributes: readonly string[]): ShapeNode {
    const key = element.role?.key
    if (!key) return element
    for (let at = 0; at < attributes.length; at += 2) {
      if (attributes[at] === key) return keyedOf(element, attributes[at + 1] as string)
    }
    return element
  }

  return {
    open(name, kind, attributes = NO_ATTRIBUTES) {
      const element = enter(name, kind)
      const node = nodeOf(element, attributes)
      if (node !== element) node.count++
      if (textDepth > 0) breakLine(name)
      push(node)
      if (isXml && attributes.length > 0) top.isPreserved = isSpacePreserved(attributes)
      const isTold = sink !== undefined && !isMuted()
      if (isTold) sink.open(node, name)
      if (attributes.length > 0) addAttributes(element, node, attributes)
      if (isTold && node.role?.isText) textDepth = depth
    },
    text(text, isCdata) {
      const frame = textDepth === 0 ? top : (frames[textDepth] as Frame)
      const isMarked = isCdata || frame.isPreserved
      const isBlankText = isBlank(text)
      if (isBlankText && !isMarked && textDepth === 0 && (frame.hasNodes || frame.isVerbatim))
        return
      if (isMarked && !frame.isVerbatim) {
        if (!frame.hasText) frame.text = ''
        frame.isVerbatim = true
      }
      if (!isBlankText) frame.hasText = true
      if (frame.text.length <= MAX_CELL_CHARACTERS) frame.text += text
    },
    close() {
      const { node, text, hasText, hasNodes, isVerbatim } = top
      if (hasText) {
        node.texts++
        if (hasNodes) node.isMixed = true
      }
      if (textDepth === depth) textDepth = 0
      else if (textDepth > 0) breakLine(node.name === 'br' ? '' : node.name)
      if (sink && !isMuted()) {
        const isEmpty = !hasNodes && node.attributes === null
        if (hasText || (isEmpty && node.role?.base !== node)) {
          sink.value(node, isVerbatim ? text : trimLines(text))
        }
        sink.close(node)
      }
      top = frames[--depth] as Frame
    },
    leaf(name, kind, text) {
      const node = enter(name, kind)
      if (text !== '') node.texts++
      if (!sink || isMuted()) return
      if (node.role?.base !== node) sink.value(node, text)
      else if (text !== '') {
        sink.open(node, name)
        sink.value(node, text)
        sink.close(node)
      }
    },
    empty(name) {
      const node = childOf(top.node, name)
      if (sink && !isMuted()) sink.value(node, '')
    },
    beginList(name) {
      if (!sink || isMuted()) return false
      isInList = sink.isText(childOf(top.node, name))
      return isInList
    },
    endList(name, text, hasSeveral) {
      isInList = false
      const list = childOf(top.node, name)
      if (text === null) sink?.tooLong(list)
      else {
        sink?.value(list, text)
        if (hasSeveral) sink?.joined(list)
      }
    },
  }
}

/** What is known of an open node. */
interface Frame {
  node: ShapeNode
  lastChild: ShapeNode | null
  /** Tells it apart from others. */
  serial: number
  hasNodes: boolean
  text: string
  hasText: boolean
  isVerbatim: boolean
  /** Whether the blanks in it belong to it. */
  isPreserved: boolean
}

const createFrame = (node: ShapeNode): Frame => ({
  node,
  lastChild: null,
  serial: 0,
  hasNodes: false,
  text: '',
  hasText: false,
  isVerbatim: false,
  isPreserved: false,
})

function isSpacePreserved(attributes: readonly string[]): boolean {
  for (let at = 0; at < attributes.length; at += 2) {
    if (attributes[at] === 'xml:space') return attributes[at + 1] === 'preserve'
  }
  return false
}

/** A copy: a piece of a string keeps the whole in memory. */
const flat = (text: string) => Buffer.from(text).toString()

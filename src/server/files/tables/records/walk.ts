import { MAX_CELL_CHARACTERS } from '../workbook'
import { type XmlAttributes, localName } from '../xml-parser'
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
  /** For a list that is too long for a cell. */
  tooLong(list: ShapeNode): void
}

/** More different names are taken for any name. */
const MAX_NODES = 20_000
const MAX_CHILDREN = 500
/** More than parsers allow. */
const MAX_DEPTH = 300
/** What is said of the document itself. */
const NO_FIELD = /^(?:xmlns(?::|$)|xsi:)/

/**
 * Goes through a document and learns its shape.
 * @param root stands above the root of the document
 * @param isXml whether names have prefixes
 */
export function createWalk(root: ShapeNode, isXml: boolean, sink?: WalkSink): NodeHandler {
  const overflow = createShapeNode(null, ANY_NAME)
  const nodes: ShapeNode[] = [root]
  /** Of each open node, the child that came last. */
  const lastChildren: (ShapeNode | null)[] = [null]
  const serials = new Float64Array(MAX_DEPTH)
  const hasNodes = new Uint8Array(MAX_DEPTH)
  const texts: string[] = Array.from({ length: MAX_DEPTH }, () => '')
  const isVerbatim = new Uint8Array(MAX_DEPTH)
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
    const parent = nodes[depth] as ShapeNode
    const last = lastChildren[depth] as ShapeNode | null
    const expected = last ? last.next : parent.first
    if (expected && expected.qualifiedName === name) return (lastChildren[depth] = expected)
    const child = childOf(parent, name)
    if (last) last.next = child
    else parent.first = child
    return (lastChildren[depth] = child)
  }

  /** Counts a child of the open node. */
  function enter(name: string, kind: NodeKind): ShapeNode {
    const child = nextChild(name)
    hasNodes[depth] = 1
    countNode(child, serials[depth] as number)
    if (kind === 'item') child.isItem = true
    else if (kind === 'tuple') child.isTuple = true
    return child
  }

  function push(node: ShapeNode): void {
    depth++
    nodes[depth] = node
    lastChildren[depth] = null
    serials[depth] = ++serial
    hasNodes[depth] = 0
    texts[depth] = ''
    isVerbatim[depth] = 0
  }

  function addAttributes(element: ShapeNode, node: ShapeNode, attributes: XmlAttributes): void {
    const key = element === node ? null : element.role?.key
    for (const name in attributes) {
      const attribute = name === key ? undefined : attributeOf(node, name)
      if (!attribute) continue
      const value = attributes[name] as string
      attribute.count++
      if (attribute.evidence) addKeyEvidence(attribute.evidence, value, element.lastParent)
      if (!sink || isMuted()) continue
      if (node.kind === 'keyed' && attribute.name === 'value') sink.value(node, value)
      else sink.value(attribute, value)
    }
  }

  return {
    open(name, kind, attributes) {
      const element = enter(name, kind)
      const value = element.role?.key ? attributes?.[element.role.key] : undefined
      const node = value === undefined ? element : keyedOf(element, value)
      if (node !== element) node.count++
      push(node)
      if (sink && !isMuted()) {
        sink.open(node, name)
        if (node.role?.isText) textDepth = depth
      }
      if (attributes) addAttributes(element, node, attributes)
    },
    text(text, isVerbatimText) {
      const at = textDepth || depth
      const isBlankText = isBlank(text)
      const isLayout = isVerbatim[at] === 1 || hasNodes[at] === 1
      if (isBlankText && !isVerbatimText && isLayout && textDepth === 0) return
      if (isVerbatimText && isVerbatim[at] === 0) {
        if (isBlank(texts[at] as string)) texts[at] = ''
        isVerbatim[at] = 1
      }
      if ((texts[at] as string).length <= MAX_CELL_CHARACTERS) texts[at] += text
    },
    close() {
      const node = nodes[depth] as ShapeNode
      const text = texts[depth] as string
      const hasText = !isBlank(text)
      if (hasText) {
        node.texts++
        if (hasNodes[depth] === 1) node.isMixed = true
      }
      if (textDepth === depth) textDepth = 0
      if (sink && !isMuted()) {
        const isEmpty = hasNodes[depth] === 0 && node.attributes === null
        if (hasText || (isEmpty && node.role?.base !== node)) {
          sink.value(node, isVerbatim[depth] === 1 ? text : trimLines(text))
        }
        sink.close(node)
      }
      depth--
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
      const node = childOf(nodes[depth] as ShapeNode, name)
      if (sink && !isMuted()) sink.value(node, '')
    },
    beginList(name) {
      if (!sink || isMuted()) return false
      isInList = sink.isText(childOf(nodes[depth] as ShapeNode, name))
      return isInList
    },
    endList(name, text) {
      isInList = false
      const list = childOf(nodes[depth] as ShapeNode, name)
      if (text === null) sink?.tooLong(list)
      else sink?.value(list, text)
    },
  }
}

/** A copy: a piece of a string keeps the whole in memory. */
const flat = (text: string) => Buffer.from(text).toString()

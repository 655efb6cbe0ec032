import { ANY_NAME } from './node-handler'

/** What is known of all nodes that have the same path. */
export interface ShapeNode {
  /** Without its prefix; the value of the key of a keyed node; `*` for any name. */
  name: string
  /** With its prefix, if it has one. */
  qualifiedName: string
  kind: 'element' | 'attribute' | 'keyed'
  parent: ShapeNode | null
  /** By their qualified names. */
  children: Map<string, ShapeNode> | null
  attributes: Map<string, ShapeNode> | null
  /** Elements that an attribute tells apart, by its values. */
  keyed: Map<string, ShapeNode> | null
  /** The child that came first the last time, and the sibling that came after it, which often do so again. */
  first: ShapeNode | null
  next: ShapeNode | null
  /** How many there are; in how many parents; at most in one. */
  count: number
  parents: number
  most: number
  /** The parent that was counted last, and how many it had so far. */
  lastParent: number
  inParent: number
  /** How many have a text that is not blank. */
  texts: number
  /** Whether one was an item of a list, a list in a list, had text beside nodes. */
  isItem: boolean
  isTuple: boolean
  isMixed: boolean
  /** Of an attribute: whether it tells elements apart; null if that is not asked. */
  evidence: KeyEvidence | null
  /** What it is to the rows that are collected; null while nothing is. */
  role: NodeRole | null
}

/** Whether the values of an attribute tell the elements that have it apart, as names of fields do. */
export interface KeyEvidence {
  values: Set<string>
  /** Those of the elements in one parent. */
  inParent: Set<string>
  parent: number
  count: number
  /** How many have the value of another one in the same parent. */
  repeated: number
  isKey: boolean
}

/**
 * What fields beside records may tell. next: that others are on another page; last: whether this is the last one;
 * total: how many there are in all; pages: on how many pages; page: which one this is; count: how many there are in all
 * or here; paging, limit: where this page begins, and how long pages are; relation: what a link leads to; removed: what
 * is no longer offered; failed, done: whether a part of the answer failed; order: that they were bought, or have happened; key, price, quantity: what may be one for all
 * records.
 */
export type OuterSign =
  | 'next'
  | 'last'
  | 'total'
  | 'pages'
  | 'page'
  | 'relation'
  | 'removed'
  | 'count'
  | 'paging'
  | 'limit'
  | 'failed'
  | 'done'
  | 'order'
  | 'key'
  | 'price'
  | 'quantity'

/** What nodes are to the rows that are collected. */
export interface NodeRole {
  /** What the beginning of the document has shown of them. */
  hint: ShapeNode | undefined
  /** How many names of the chosen place lead here; -1 if it is elsewhere. */
  steps: number
  /** The record or the variant that they belong to, or are; null outside of records. */
  base: ShapeNode | null
  /** The attribute that tells them apart. */
  key: string | null
  /** Whether all that is in one is its text. */
  isText: boolean
  /** Whether its children are taken for nodes of any name, and whether their names say something. */
  hasAnyNames: boolean
  areNamesKeys: boolean
  /** Whether it is on the way to records or variants, which repeat its fields if it is one of several. */
  isOnTheWay: boolean
  isOuter: boolean
  /** Which one of these it is a field of; null for most. */
  outer: ShapeNode | null
  /** What it tells of other pages; null for most. */
  outerSign: OuterSign | null
  /** Whether it says that a list in the record goes on elsewhere. */
  isCutSign: boolean
  /** The place of their texts among the columns; -1 without one. */
  column: number
}

export function createShapeNode(
  parent: ShapeNode | null,
  name: string,
  qualifiedName = name,
  kind: ShapeNode['kind'] = 'element',
): ShapeNode {
  return {
    name,
    qualifiedName,
    kind,
    parent,
    children: null,
    attributes: null,
    keyed: null,
    first: null,
    next: null,
    count: 0,
    parents: 0,
    most: 0,
    lastParent: 0,
    inParent: 0,
    texts: 0,
    isItem: false,
    isTuple: false,
    isMixed: false,
    evidence: null,
    role: null,
  }
}

export function countNode(node: ShapeNode, parent: number): void {
  node.count++
  if (node.lastParent === parent) node.inParent++
  else {
    node.lastParent = parent
    node.inParent = 1
    node.parents++
  }
  if (node.inParent > node.most) node.most = node.inParent
}

/** Whether such nodes may be several. */
export const isRepeated = (node: ShapeNode): boolean =>
  node.most > 1 || node.isItem || node.isTuple || node.name === ANY_NAME || isAloneInList(node)

/** Whether it is called as the only thing in a list: `<variants><variant>`. */
function isAloneInList({ name, parent, children }: ShapeNode): boolean {
  if (!children || parent?.children?.size !== 1) return false
  const list = parent.name.toLowerCase()
  return list.length > name.length && LIST_ENDS.has(list.replace(name.toLowerCase(), ''))
}

const LIST_ENDS = new Set(['s', 'es', 'list', '_list', '-list'])

/** What may be in texts for people. */
const MARKUP = new Set('b big br div em font i li ol p small span strong sub sup u ul'.split(' '))

/** Whether all that is in such nodes is shown as one text. */
export const isShownText = ({ isMixed, texts, children }: ShapeNode): boolean =>
  isMixed ||
  (texts > 0 &&
    children !== null &&
    [...children.values()].every(({ name }) => MARKUP.has(name.toLowerCase())))

/** Whether such nodes are known to have others, so that an empty one is no text. */
export const isComplex = ({ children }: ShapeNode): boolean => children !== null

export const childrenOf = (node: ShapeNode): ShapeNode[] => [...(node.children?.values() ?? [])]

/** All children as one node of any name. */
export function mergeChildren(parent: ShapeNode): ShapeNode {
  const merged = createShapeNode(parent, ANY_NAME)
  for (const child of childrenOf(parent)) addNode(merged, child)
  merged.parents = parent.count
  merged.most = Math.max(merged.most, parent.children?.size ?? 0)
  return merged
}

const MAPS = ['children', 'attributes', 'keyed'] as const

function addNode(target: ShapeNode, source: ShapeNode): void {
  target.count += source.count
  target.parents += source.parents
  target.most = Math.max(target.most, source.most)
  target.texts += source.texts
  target.isItem ||= source.isItem
  target.isTuple ||= source.isTuple
  target.isMixed ||= source.isMixed
  target.evidence ??= source.evidence
  for (const map of MAPS) {
    for (const [name, node] of source[map] ?? []) {
      const into = (target[map] ??= new Map())
      let known = into.get(name)
      if (!known) {
        known = createShapeNode(target, node.name, node.qualifiedName, node.kind)
        into.set(name, known)
      }
      addNode(known, node)
    }
  }
}

/** The nodes at a path of names without prefixes; `*` stands for all children. */
export function findNode(root: ShapeNode, names: readonly string[]): ShapeNode | undefined {
  let node: ShapeNode | undefined = root
  for (const name of names) {
    if (!node) return undefined
    node = name === ANY_NAME && node.children ? mergeChildren(node) : findChild(node, name)
  }
  return node
}

const findChild = ({ children }: ShapeNode, name: string): ShapeNode | undefined =>
  children?.get(name) ?? [...(children?.values() ?? [])].find((child) => child.name === name)

/** The names from below the root to a node. */
export function pathOf(node: ShapeNode, from: ShapeNode | null = null): string[] {
  const names: string[] = []
  for (let at: ShapeNode | null = node; at?.parent && at !== from; at = at.parent) {
    names.unshift(at.name)
  }
  return names
}

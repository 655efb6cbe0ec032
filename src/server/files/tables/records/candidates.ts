import { MAX_RECORD_DEPTH, MAX_RECORD_NAME_LENGTH } from '../../../../shared/reading'
import { countKnownNames } from '../../read/dialect/header'
import { normalizeName } from '../../read/normalize-name'
import { findKey } from './key-evidence'
import { mayListNames } from './listed-names'
import { ANY_NAME } from './node-handler'
import { type ShapeNode, childrenOf, isRepeated, mergeChildren, pathOf } from './shape'
import { isRemoved } from './surroundings'
import { type Field, type Worth, areCalledVariants, areVariants, judgeFields } from './worth'

/** Nodes that may be the records of a document, and those in them that may be their variants. */
export interface Candidate {
  record: ShapeNode
  variant: ShapeNode | null
  rows: number
  score: number
  /** Whether there is a field by which items are known everywhere; and one at all by which they are. */
  isKeyed: boolean
  hasKey: boolean
  /** Whether the variants have by themselves what items have. */
  areItems: boolean
  areGoods: Worth['areGoods']
}

/** Lists of what is no item, unless it has a key of items: messages may carry them. */
const NO_RECORDS = /^(?:errors?|faults?|warnings?|messages?|_?links?|meta)$/i
/** Lists of what has prices and quantities, too, but is nothing that is offered; by normalized names. */
const OTHER_LISTS = new RegExp(
  `^(?:.{0,60}(?:${[
    'order|invoice|delivery|deliveries|shipment|despatch|receipt|return|refund|reservation|booking|transaction|payment',
    'movement|adjustment|forecast|review|history|histories|relation|translation|coupon|voucher|giftcard|subscription',
    'customer|user|event',
  ].join('|')})(?:s|list|lines?|items?|positions?|advice)?|${[
    'sales|rates?|currenc(?:y|ies)|quotes?|stores?|logs?|changes|cart|basket|wishlist|bom',
  ].join('|')})$`,
)
/** The same, if the records themselves are called so: goods are listed by them, too. */
const OTHER_RECORDS =
  /^(?:categor(?:y|ies)|warehouses?|locations?|images?|plans?|methods?|cards?|rooms?|flights?)$/
const MAX_FIELDS = 2_500
/** What a list in records is worth apart from them, and together with them if they are no variants. */
const APART = 0.3
const WITH_OTHERS = 0.2
const LEAST_FIELDS = 2
/** Fields that are nested more deeply say nothing of records. */
const MAX_FIELD_DEPTH = 8
/** How alike values must be that are taken for records although each has a name of its own. */
const LIKENESS = 0.5
const LIKENESS_OF_TWO = 0.8
/** Of the names of values, how many must be known as those of fields for the values to be such. */
const LEAST_KNOWN = 0.3

/** Finds where a document may have its records, the best place first. */
export function findCandidates(root: ShapeNode): Candidate[] {
  const isRecord = (node: ShapeNode) => isRepeated(node) || hasOwnVariants(node)
  const repeated = listRecords(root, isRecord).flatMap(toCandidates)
  const found =
    repeated.length > 0 ? repeated : listRecords(root, isSingleRecord).flatMap(toCandidates)
  // A file with one item is rare, and an answer about one is not.
  const areSure = repeated.length > 0
  return found
    .map((one) =>
      areSure || one.areGoods !== 'yes' ? one : { ...one, areGoods: 'perhaps' as const },
    )
    .filter(({ record, variant }) => canBeNamed(variant ?? record))
    .toSorted((one, other) => other.score - one.score)
}

function canBeNamed(node: ShapeNode): boolean {
  const names = pathOf(node)
  return (
    names.length <= MAX_RECORD_DEPTH &&
    names.every(({ length }) => length <= MAX_RECORD_NAME_LENGTH)
  )
}

/** Nodes that repeat, with those in them that repeat. */
interface RecordList {
  node: ShapeNode
  worth: Worth
  fields: Field[]
  inner: RecordList[]
  outer: RecordList | null
}

function listRecords(root: ShapeNode, isRecord: (node: ShapeNode) => boolean): RecordList[] {
  const lists: RecordList[] = []
  const visit = (parent: ShapeNode, outer: RecordList | null) => {
    for (const node of namedOrAny(parent)) {
      let list = outer
      if (isRecord(node) && !findKey(node)) {
        const fields = listFields(node)
        const worth = judgeFields(fields)
        const isOther = NO_RECORDS.test(node.name) || mayListNames(node.name)
        // A name alone is that of a list.
        const isNameAlone = node.name === ANY_NAME && fields.length === 1
        if (fields.length > 0 && !isNameAlone && (worth.hasKey || !isOther)) {
          list = { node, worth, fields, inner: [], outer }
          outer?.inner.push(list)
          lists.push(list)
        }
      }
      visit(node, list)
    }
  }
  visit(root, null)
  return lists
}

/** Where nothing repeats there may be a single item, which is known by its fields; the document itself by more. */
function isSingleRecord(node: ShapeNode): boolean {
  if (node.parent === null) return false
  const { hasKey, hasId, hasPrice, hasQuantity } = judgeFields(listFields(node))
  const isSold = hasPrice || hasQuantity
  if (node.parent.parent === null) return hasKey && isSold
  return hasKey || (hasId && isSold)
}

/** Whether it is an item by itself that has variants. */
function hasOwnVariants(node: ShapeNode): boolean {
  if (node.parent === null) return false
  const lists = childrenOf(node).flatMap((child) => [child, ...childrenOf(child)])
  const variants = lists.find((list) => areCalledVariants(list.name) && isList(list))
  return variants !== undefined && judgeFields(listFields(node)).hasId
}

/** The children, as one of any name where each has a name of its own. */
function namedOrAny(node: ShapeNode): ShapeNode[] {
  const children = childrenOf(node)
  // Objects of a list in a list.
  const areItems =
    node.isTuple && children.length > 0 && children.every(({ children: fields }) => fields)
  if (areItems || (areAlike(children) && !areFields(children))) return [mergeChildren(node)]
  const holders = children.filter(holdsList)
  const lists = holders.flatMap(childrenOf)
  const areOneList =
    new Set(lists.map(({ name }) => name)).size === 1 &&
    !holders.some(({ name }) => isRemoved(name)) &&
    areAlike(lists)
  if (!areOneList) return children
  return [mergeChildren(node), ...children.filter((child) => !holders.includes(child))]
}

/** Whether it has nothing but a list of objects. */
function holdsList({ children, attributes, most, texts }: ShapeNode): boolean {
  const [list, ...others] = children?.values() ?? []
  return (
    list !== undefined &&
    others.length === 0 &&
    !attributes &&
    most < 2 &&
    texts === 0 &&
    isList(list)
  )
}

/** Whether these are the same things, each by its own name: `{ "A1": { … }, "A2": { … } }`. */
function areAlike(children: ShapeNode[]): boolean {
  if (children.length < 2 || !children.every((child) => child.children ?? child.attributes))
    return false
  if (children.some(({ name }) => name === ANY_NAME)) return true
  const names = children.map(
    (child) => new Set(listFields(child).map(({ path }) => path.join('/'))),
  )
  const all = new Set(names.flatMap((own) => [...own]))
  if (all.size < LEAST_FIELDS) return false
  const likeness = names.reduce((sum, own) => sum + own.size, 0) / (all.size * children.length)
  if (children.length > 2) return likeness >= LIKENESS
  return likeness >= LIKENESS_OF_TWO && countKnownNames([...all]) > 1
}

/** Whether they are called as fields are, such as a name and a price in several languages. */
const areFields = (children: ShapeNode[]): boolean => {
  const known = countKnownNames(children.map(({ name }) => name))
  return known > 1 && known >= LEAST_KNOWN * children.length
}

/** The fields of a record, without those of lists in it. */
function listFields(record: ShapeNode): Field[] {
  // Names of their own are what such records are known by.
  const fields: Field[] = record.name === ANY_NAME ? [{ path: ['id'], share: 1 }] : []
  const add = (path: string[], count: number) => {
    if (fields.length < MAX_FIELDS) fields.push({ path, share: count / Math.max(1, record.count) })
  }
  const visit = (node: ShapeNode, path: string[]) => {
    for (const { name, count } of node.attributes?.values() ?? []) add([...path, name], count)
    for (const child of childrenOf(node)) {
      const below = [...path, child.name]
      const key = findKey(child)
      if (key?.evidence) {
        for (const value of key.evidence.values) add([...path, value], child.parents)
      } else if (child.keyed) {
        for (const { name, count } of child.keyed.values()) add([...path, name], count)
      } else if (!isList(child)) {
        if (!child.children || child.texts > 0) add(below, child.parents)
        if (below.length < MAX_FIELD_DEPTH) visit(child, below)
      }
    }
  }
  visit(record, [])
  return fields
}

const isList = (node: ShapeNode) =>
  isRepeated(node) && (node.children?.size ?? 0) + (node.attributes?.size ?? 0) >= LEAST_FIELDS

function toCandidates(list: RecordList): Candidate[] {
  const { node, worth, fields, inner, outer } = list
  const isOwned =
    outer !== null && outer.worth.total >= LEAST_FIELDS && !areOtherThings(outer, list)
  const isAlone = isTable(list) || (outer === null && worth.hasKey)
  const alone = isAlone
    ? [toCandidate(node, null, worth, { factor: isOwned ? APART : 1, areItems: false })]
    : []
  const together = inner.filter(isTable).map((other) => {
    const both = judgeFields([...fields, ...other.fields])
    const isBest =
      hasVariants(list, other) &&
      !areOtherThings(list, other) &&
      !other.inner.some((inmost) => hasVariants(other, inmost))
    return toCandidate(node, other.node, both, {
      factor: isBest ? 1 : WITH_OTHERS,
      areItems: other.worth.hasKey || other.worth.hasPrice || other.worth.hasQuantity,
    })
  })
  return [...alone, ...together]
}

/** Whether few records have the list, and nothing of items themselves: headers and the tables of a dump. */
function areOtherThings({ node, worth }: RecordList, inner: RecordList): boolean {
  const hasOwn = worth.hasId || worth.hasPrice || worth.hasQuantity
  return !hasOwn && !areCalledVariants(inner.node.name) && 2 * inner.node.parents < node.count
}

const isTable = ({ fields }: RecordList): boolean => fields.length >= LEAST_FIELDS

const hasVariants = (record: RecordList, list: RecordList): boolean =>
  isTable(list) && areVariants(pathOf(list.node, record.node), list.worth, record.worth)

function toCandidate(
  record: ShapeNode,
  variant: ShapeNode | null,
  { total, hasKey, hasId, areGoods }: Worth,
  { factor, areItems }: { factor: number; areItems: boolean },
): Candidate {
  const rows = variant ? variant.count + Math.max(0, record.count - variant.parents) : record.count
  const score = factor * total ** 2 * Math.log2(1 + rows)
  return {
    record,
    variant,
    rows,
    score,
    isKeyed: hasKey,
    hasKey: hasKey || hasId,
    areItems,
    areGoods: judgeList(record, variant ?? record, areGoods),
  }
}

function judgeList(
  record: ShapeNode,
  row: ShapeNode,
  areGoods: Worth['areGoods'],
): Worth['areGoods'] {
  if (areGoods === 'no') return record.isTuple ? 'perhaps' : 'no'
  // Variants without records are those of one item, which is not read.
  const areParts = row === record && areCalledVariants(row.name)
  const names = pathOf(row).map(normalizeName)
  const areOther =
    names.some((name) => OTHER_LISTS.test(name)) ||
    names.slice(-1).some((name) => OTHER_RECORDS.test(name))
  return areParts || areOther ? 'perhaps' : areGoods
}

/** Whether neither list is in the other. */
export const isElsewhere = (one: Candidate, other: Candidate): boolean =>
  !isWithin(one.record, other.record) && !isWithin(other.record, one.record)

function isWithin(node: ShapeNode, outer: ShapeNode): boolean {
  for (let at: ShapeNode | null = node; at; at = at.parent) if (at === outer) return true
  return false
}

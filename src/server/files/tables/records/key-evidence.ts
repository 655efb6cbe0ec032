import type { KeyEvidence, ShapeNode } from './shape'

/** Attributes that may tell elements apart, the preferred ones first. */
const KEY_ATTRIBUTES = (
  'name key field column attribute property param code type kind lang language locale label rel currency warehouse ' +
  'store location group role id'
).split(' ')

/** Elements that are nothing without the name in their key: the column is called like the key alone. */
const FIELD_ELEMENTS = new Set(
  (
    'field column col param parameter attribute attr property prop feature characteristic specification spec ' +
    'entry metafield'
  ).split(' '),
)

/** Those that name fields, of which one may have several values, as long as few have. */
const NAME_ATTRIBUTES = new Set('name key field column attribute property param label'.split(' '))
const MOST_REPEATED = 0.6

/** Those of Solr, which are called by their types. */
const TYPED_ELEMENTS = new Set('str int float double long bool boolean date arr'.split(' '))

/** Those of other things, too: only if most elements have most of the values of all, as warehouses do. */
const WEAK_KEY_ATTRIBUTES = new Set(['id', 'code'])
const LEAST_SHARE = 0.5

const MAX_VALUES = 1_000
const MAX_VALUE_CHARACTERS = 100

export const isFieldElement = (name: string): boolean =>
  FIELD_ELEMENTS.has(name.toLowerCase()) || TYPED_ELEMENTS.has(name)

export const mayBeKey = (attribute: string): boolean =>
  KEY_ATTRIBUTES.includes(attribute.toLowerCase())

export function createKeyEvidence(): KeyEvidence {
  return { values: new Set(), inParent: new Set(), parent: 0, count: 0, repeated: 0, isKey: true }
}

/** @param parent tells apart what the elements stand in */
export function addKeyEvidence(evidence: KeyEvidence, value: string, parent: number): void {
  if (!evidence.isKey) return
  const { values, inParent } = evidence
  if (evidence.parent !== parent) inParent.clear()
  evidence.parent = parent
  evidence.count++
  if (inParent.has(value)) evidence.repeated++
  inParent.add(value)
  values.add(value)
  // Numbers count elements; they do not name them.
  const isName = value.length <= MAX_VALUE_CHARACTERS && /\D/.test(value)
  if (isName && values.size <= MAX_VALUES) return
  evidence.isKey = false
  values.clear()
}

/** The attribute by whose values elements without others in them are told apart; undefined if there is none. */
export function findKey(node: ShapeNode): ShapeNode | undefined {
  const { name, count, parents, most, attributes, children, texts } = node
  if (!attributes || children) return undefined
  const isField = isFieldElement(name)
  const isKey = ({ name: attribute, evidence }: ShapeNode) => {
    if (!evidence?.isKey || evidence.count !== count) return false
    const namesField = isField && NAME_ATTRIBUTES.has(attribute.toLowerCase())
    if (evidence.repeated > (namesField ? MOST_REPEATED * count : 0)) return false
    if (namesField || (isField && !TYPED_ELEMENTS.has(name))) return true
    const { size } = evidence.values
    const isWeak = WEAK_KEY_ATTRIBUTES.has(attribute.toLowerCase())
    const least = isWeak ? Math.max(2, LEAST_SHARE * parents) : 2
    return most > 1 && texts > 0 && count >= least * size
  }
  const keys = [...attributes.values()].filter(isKey)
  const rank = (key: ShapeNode) => KEY_ATTRIBUTES.indexOf(key.name.toLowerCase())
  return keys.toSorted((one, other) => rank(one) - rank(other))[0]
}

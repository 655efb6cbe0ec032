import { normalizeName } from '../../read/normalize-name'
import { ANY_NAME } from './node-handler'
import { type NodeRole, type OuterSign, type ShapeNode, childrenOf } from './shape'
import { kindOfField } from './worth'

/** How what is counted is called in normalized names. */
const UNITS =
  '(?:results?|items?|records?|rows?|hits?|products?|elements?|entries|size|articles?|skus?|docs?|documents|objects|offers?|matches|found|filtered)'
const anyOf = (...patterns: string[]) => new RegExp(`^(?:${patterns.join('|')})$`)
/** Normalized names. */
const NAMES: readonly { sign: OuterSign; names: RegExp }[] = [
  {
    sign: 'next',
    names: anyOf(
      '(?:has|are|is)?(?:more|next|further)(?:page|pages|link|url|uri|cursor|token|mark|marker|key|id|start|batch|offset|available|data|results?|items?|records?|rows?|products?){0,4}',
      '(?:odata|hydra)(?:next|nextlink)',
      `remaining${UNITS}|${UNITS}remaining`,
      'lastevaluatedkey|continuationtoken|resumptiontoken|cursor|istruncated|truncated|paginationtoken',
    ),
  },
  {
    sign: 'total',
    names: anyOf(
      `(?:odata|hydra|x|estimated)?total(?:number)?(?:of)?${UNITS}?(?:count)?`,
      `${UNITS}(?:total|found|count)`,
      `(?:num|nb|number)(?:of)?${UNITS}`,
      'odatacount|found|matches|total(?:result|item|product|record|row)count',
    ),
  },
  {
    sign: 'pages',
    names: anyOf(
      '(?:total|max)(?:numberof)?pages?|(?:num|nb|number)(?:of)?pages|pages?(?:count|total)|pages',
    ),
  },
  { sign: 'last', names: anyOf('(?:is)?last(?:page)?|(?:is)?end|eof') },
  { sign: 'page', names: anyOf('(?:current)?page(?:info|no|number)?') },
  { sign: 'count', names: anyOf('count') },
  {
    sign: 'limit',
    names: anyOf('(?:page)?limit|pagesize|(?:items|rows|results)?perpage|maxresults'),
  },
  { sign: 'paging', names: anyOf('offset|skip') },
  {
    sign: 'failed',
    names: anyOf(
      'errors?|faults?|warnings?|(?:is)?(?:partial|incomplete)(?:results?|data|response)?',
    ),
  },
  { sign: 'done', names: anyOf('success|complete|completed|ok') },
  {
    sign: 'order',
    names: anyOf(
      'customer|buyer|(?:billing|shipping)address|(?:bill|ship)to|(?:order|invoice)(?:no|nr|number|date)|event|topic',
    ),
  },
]
/** In which an address or a number stands: `<link rel="next" href="…">`, `"total": { "value": 600 }`. */
const INNER = anyOf('href|url|uri|link|after|value', UNITS)
const REMOVED =
  /^(?:to(?:be)?)?(?:delete[ds]?|deletions?|removed?|removals?|discontinued|obsoletes?|withdrawn|delisted|expired|gone|geloe?scht\p{L}{0,9}|entfallene?|supprimee?s?|eliminad[oa]s?|usuniete|smazane|zrusene)(?:items?|products?|articles?|artikel|skus?|ids?|keys?|records?)?$/u
const NOTHING = new Set(['', 'false', '0', 'no', 'null', 'none'])
const FAILURES = new Set(['false', '0', 'no'])
/** Whether what is called so is no longer offered. */
export const isRemoved = (name: string): boolean => REMOVED.test(normalizeName(name))

/** How far from what has the records in it such fields may be: `meta.pagination.total`. */
const MAX_DISTANCE = 3

export const saysSomething = (text: string): boolean => !NOTHING.has(text.toLowerCase())

const findSign = (name: string) => NAMES.find(({ names }) => names.test(name))?.sign

/** What a node outside of records may tell of them; null for most. */
export function outerSignOf(node: ShapeNode): OuterSign | null {
  const { name, kind, parent } = node
  if (!parent || !isBesideRecords(parent)) return null
  const own = normalizeName(name)
  const above = normalizeName(parent.name)
  if (REMOVED.test(own) || REMOVED.test(above)) return 'removed'
  if (own === 'rel' || (own === 'link' && kind === 'element')) return 'relation'
  const found = findSign(normalizeName(tellingName(node)))
  if (found) return found
  const foundAbove = findSign(above)
  if (foundAbove === 'failed' || foundAbove === 'order') return foundAbove
  const field = kindOfField([name])
  if (field === 'price' || field === 'quantity') return field
  return isOnTheWay(parent.role) && field === 'key' ? 'key' : null
}

/** Whether what such a field says may be said of each of the records. */
export const isFieldSign = (sign: OuterSign | null): boolean =>
  sign === null || sign === 'key' || sign === 'price' || sign === 'quantity'

/** The name that says something: that of the node above if its own only says that a number or an address follows. */
export function tellingName({ name, parent }: ShapeNode): string {
  const isInner = parent && INNER.test(normalizeName(name)) && findSign(normalizeName(parent.name))
  return isInner ? parent.name : name
}

/** Whether a field in records says that a list in them goes on elsewhere. */
export function isCutSign({ name, parent }: ShapeNode, base: ShapeNode): boolean {
  const own = normalizeName(name)
  return (parent !== base || own.includes('odata')) && CUT.test(own)
}

const CUT =
  /^(?:.{0,30}odata|.{0,30}hydra)?(?:has)?(?:next(?:page|link|pageurl|cursor)|more(?:items|results|pages|records)?)$/

/** Whether what stands in `parent` is no further from the records than what is told beside them. */
export function isBesideRecords(parent: ShapeNode | null): boolean {
  let at = parent
  for (let distance = 0; at && distance < MAX_DISTANCE; distance++, at = at.parent) {
    if (isOnTheWay(at.role)) return true
  }
  return false
}

const isOnTheWay = (role: NodeRole | null) => role !== null && role.base === null && role.steps >= 0

/** What the fields beside records tell. */
export interface Surroundings {
  /** The field that says that there are more records than these; null if none does. */
  next: string | null
  /** Whether one says that there are no more. */
  isLast: boolean
  total: Counted | null
  /** A count that may be the total, if pages are told of. */
  count: Counted | null
  /** How many records a page may have. */
  limit: Counted | null
  isPaged: boolean
  hasRemoved: boolean
  hasFailed: boolean
  /** A field that orders have, or events. */
  order: string | null
  /** A key that belongs to all records. */
  key: string | null
  /** A price and a quantity that may, and how many there are. */
  price: Counted | null
  quantity: Counted | null
}

interface Counted {
  name: string
  count: number
}

export const createSurroundings = (): Surroundings => ({
  next: null,
  isLast: false,
  total: null,
  count: null,
  limit: null,
  isPaged: false,
  hasRemoved: false,
  hasFailed: false,
  order: null,
  key: null,
  price: null,
  quantity: null,
})

/** `1 of 12`, `1/12`. */
const PAGE_OF = /^\D{0,20}(\d{1,9}) ?(?:\/|of|von|de|sur|di|van|z|ze|av|из) ?(\d{1,9})$/

export function addOuterField(known: Surroundings, sign: OuterSign, name: string, written: string) {
  const text = written.trim().toLowerCase()
  const isThere = saysSomething(text)
  const count = /^\d{1,3}(?:[.,'  ]?\d{3}){0,2}$|^\d{1,9}$/.test(text)
    ? Number(text.replace(/\D/g, ''))
    : 0
  const says = (hasMore: boolean) => {
    if (hasMore) known.next ??= name
  }
  switch (sign) {
    case 'removed':
      known.hasRemoved ||= isThere
      break
    case 'failed':
      known.hasFailed ||= isThere
      break
    case 'done':
      known.hasFailed ||= FAILURES.has(text)
      break
    case 'key':
    case 'order':
      if (isThere) known[sign] ??= name
      break
    case 'price':
    case 'quantity':
      if (/^[\d.,]+$/.test(text)) known[sign] = { name, count: (known[sign]?.count ?? 0) + 1 }
      break
    case 'paging':
      known.isPaged = true
      // A number tells where this page begins, and anything else where the next one does.
      says(isThere && !/^\d+$/.test(text))
      break
    case 'limit':
      known.isPaged = true
      known.limit = { name, count }
      break
    case 'page': {
      const [, page, pages] = PAGE_OF.exec(text) ?? []
      says(Number(page) < Number(pages))
      break
    }
    case 'last':
      if (text === 'true') known.isLast = true
      says(text === 'false' || (name.toLowerCase() !== 'last' && count > 1))
      break
    case 'count':
      known.count = { name, count }
      break
    case 'total':
      if (count > (known.total?.count ?? 0)) known.total = { name, count }
      break
    case 'relation':
      if (text === 'next' || /rel="?next\b/.test(text)) known.next ??= 'next'
      break
    case 'pages':
      says(count > 1)
      break
    case 'next':
      if (!isThere) known.isLast = true
      says(isThere)
  }
}

/** The field by which these records are one page of several; null if none says so. */
export function findNext(known: Surroundings, records: number, rows: number): string | null {
  const { next, total, count, limit, isPaged, isLast } = known
  if (next !== null) return next
  const all = total ?? (isPaged ? count : null)
  // A total may be one of variants.
  if (all) return all.count > Math.max(records, rows) ? all.name : null
  // A page that has as many as it may have is seldom the last one.
  return limit && limit.count === records && records > 1 && !isLast ? limit.name : null
}

const LEAST_VALUES = 3
/** Of the records, for how many there must be a value. */
const LEAST_SHARE = 0.5

/** What has values beside the records for many of them, as of stock by key; undefined if nothing has. */
export function findValuesByName(root: ShapeNode, records: number): ShapeNode | undefined {
  const least = Math.max(LEAST_VALUES, LEAST_SHARE * records)
  for (const node of childrenOf(root)) {
    if (!node.role || node.role.base || node.role.outer) continue
    if (isListOfValues(node, records, least)) return node
    const values = node.role.steps < 0 && !node.isItem ? childrenOf(node) : []
    const count = values.reduce((sum, value) => sum + value.count, 0)
    const isByName = values.length >= LEAST_VALUES || values.some(({ name }) => name === ANY_NAME)
    if (count >= least && isByName && values.every((value) => isValue(value))) return node
    const inner = findValuesByName(node, records)
    if (inner) return inner
  }
  return undefined
}

const isValue = ({ children, attributes, isItem, most }: ShapeNode) =>
  !children && !attributes && !isItem && most < 2

/** A list of lists, or one with a value for each record. */
function isListOfValues(node: ShapeNode, records: number, least: number): boolean {
  const { name, role, isItem, isTuple, children, count } = node
  if (!role || role.steps >= 0 || count < least) return false
  if (isTuple) return childrenOf(node).length > 1
  if (!isItem || children) return false
  const kind = kindOfField([name])
  return count === records || (kind !== undefined && kind !== 'id')
}

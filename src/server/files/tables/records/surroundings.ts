import { normalizeName } from '../../read/normalize-name'
import { ANY_NAME } from './node-handler'
import { type NodeRole, type OuterSign, type ShapeNode, childrenOf } from './shape'
import { kindOfField } from './worth'

const namesOf = (names: string) => new Set(names.split(' '))
/** Normalized names. */
const NAMES: readonly { sign: OuterSign; names: ReadonlySet<string> }[] = [
  {
    sign: 'next',
    names: namesOf(
      'next nextlink nextpage nextpageurl nexturl nexturi nextcursor nexttoken nextpagetoken nextmarker hasnext ' +
        'hasnextpage hasmore odatanextlink morerecords moreresults lastevaluatedkey continuationtoken resumptiontoken ' +
        'cursor istruncated truncated nextrecordsurl nextpagelink nextpagekey nextcursormark nextpagecursor nextoffset ' +
        'nextkey nextid nextstart nextbatch paginationtoken moreitems more',
    ),
  },
  {
    sign: 'total',
    names: namesOf(
      'total totalcount totalresults totalitems totalrecords totalrows totalhits totalproducts totalnumber ' +
        'totalelements totalentries recordstotal numfound resultcount odatacount xtotalcount nbhits ' +
        'totalsize totalresultcount itemcount itemscount productcount productscount',
    ),
  },
  {
    sign: 'pages',
    names: namesOf('totalpages pagecount pages lastpage pagestotal numpages nbpages'),
  },
  { sign: 'count', names: new Set(['count']) },
  { sign: 'paging', names: namesOf('offset limit pagesize perpage pagenumber skip') },
  {
    sign: 'failed',
    names: namesOf('error errors fault faults warning warnings partial incomplete'),
  },
  { sign: 'done', names: namesOf('success complete completed ok') },
]
/** In which an address stands: `<link rel="next" href="…">`, `"next": { "href": "…" }`. */
const ADDRESSES = new Set(['href', 'url', 'uri'])
const REMOVED =
  /^(?:deleted?|removed?|discontinued|geloescht|supprime)(?:items?|products?|skus?|ids?)?$/
const NOTHING = new Set(['', 'false', '0', 'no', 'null', 'none'])
const FAILURES = new Set(['false', '0', 'no'])
/** How far from what has the records in it such fields may be: `meta.pagination.total`. */
const MAX_DISTANCE = 3

/** What a node outside of records may tell of them; null for most. */
export function outerSignOf({ name, kind, parent }: ShapeNode): OuterSign | null {
  if (!parent || !isBesideRecords(parent)) return null
  const own = normalizeName(name)
  const above = normalizeName(parent.name)
  if (REMOVED.test(own) || REMOVED.test(above)) return 'removed'
  if (kind === 'attribute' && own === 'rel') return 'relation'
  const named = ADDRESSES.has(own) ? above : own
  const found = NAMES.find(({ names }) => names.has(named))?.sign
  if (found) return found
  if (NAMES.some(({ sign, names }) => sign === 'failed' && names.has(above))) return 'failed'
  return isOnTheWay(parent.role) && kindOfField([name]) === 'key' ? 'key' : null
}

function isBesideRecords(parent: ShapeNode): boolean {
  let at: ShapeNode | null = parent
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
  total: { name: string; count: number } | null
  /** A count that may be the total, if pages are told of. */
  count: { name: string; count: number } | null
  isPaged: boolean
  hasRemoved: boolean
  hasFailed: boolean
  /** A key that belongs to all records. */
  key: string | null
}

export const createSurroundings = (): Surroundings => ({
  next: null,
  total: null,
  count: null,
  isPaged: false,
  hasRemoved: false,
  hasFailed: false,
  key: null,
})

export function addOuterField(known: Surroundings, sign: OuterSign, name: string, written: string) {
  const text = written.toLowerCase()
  const isThere = !NOTHING.has(text)
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (sign === 'removed') known.hasRemoved ||= isThere
  else if (sign === 'failed') known.hasFailed ||= isThere
  else if (sign === 'done') known.hasFailed ||= FAILURES.has(text)
  else if (sign === 'key') known.key ??= name
  else if (sign === 'paging') {
    known.isPaged = true
    // A number tells where this page begins, and anything else where the next one does.
    if (isThere && !/^\d+$/.test(text)) known.next ??= name
  } else if (sign === 'count') known.count = { name, count }
  else if (sign === 'total') {
    if (count > (known.total?.count ?? 0)) known.total = { name, count }
  } else if (sign === 'relation' ? text === 'next' : sign === 'pages' ? count > 1 : isThere) {
    known.next ??= sign === 'relation' ? text : name
  }
}

const LEAST_VALUES = 3
/** Of the records, for how many there must be a value. */
const LEAST_SHARE = 0.5

/** An object beside the records that has a value for many of them, as of stock by key; undefined if there is none. */
export function findValuesByName(root: ShapeNode, records: number): ShapeNode | undefined {
  for (const node of childrenOf(root)) {
    if (!node.role || node.role.base) continue
    const values = node.role.steps < 0 && !node.isItem ? childrenOf(node) : []
    const count = values.reduce((sum, value) => sum + value.count, 0)
    const areMany = count >= Math.max(LEAST_VALUES, LEAST_SHARE * records)
    const isByName = values.length >= LEAST_VALUES || values.some(({ name }) => name === ANY_NAME)
    if (areMany && isByName && values.every((value) => isValue(value))) return node
    const inner = findValuesByName(node, records)
    if (inner) return inner
  }
  return undefined
}

const isValue = ({ children, attributes, isItem, most }: ShapeNode) =>
  !children && !attributes && !isItem && most < 2

import { createCategoryMatcher, foldName } from '../../../../shared/categories'
import { DAY_MS } from '../../../../shared/durations'
import type { ItemHistory, ItemHistoryInput } from '../../../../shared/schemas/item-history'
import { inLossyTransaction } from '../../../db/open'
import type { ConnectionRow, ItemHistoryRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { hashCategory } from '../../../files/history/hash-text'
import {
  clipSteps,
  firstSeenOf,
  listSteps,
  thinSteps,
  type ItemRecords,
} from '../../../files/history/item-steps'
import { loadConnection } from '../../catalogue/connections/connections'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import {
  findCategoryCounts,
  findVersion,
  type VersionRecord,
} from '../../catalogue/versions/versions.queries'
import { chooseVersionId } from '../downloads/chosen-version'
import { loadRetailer } from '../retailers/retailers'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { findKeptSince, requestHistory } from './item-histories.queries'
import { beingPrepared, lookUpItem } from './look-up-item'
import {
  countDays,
  eraAt,
  type HistoryView,
  isSameName,
  tellSteps,
  toPoint,
  WHOLE_VIEW,
} from './told-points'

const YEAR_MS = 365 * DAY_MS
const toSeconds = (at: number) => Math.floor(at / 1_000)

/**
 * Returns what an item of a connection was over time.
 * @throws DomainError NOT_FOUND when there never was such an item; CONFLICT when the file has no history; UNAVAILABLE
 *   while it is prepared
 */
export async function readItemHistory(
  deps: Deps,
  actor: Actor,
  { id, key }: ItemHistoryInput,
): Promise<ItemHistory> {
  const connection = await loadConnection(deps.db, actor, id)
  const { history, records } = await findItem(deps, connection, key)
  const { versionAt } = history
  if (firstSeenOf(records) === undefined || versionAt === null) throw noSuchItem(key, history)
  return tell(deps, { key, history, records, until: versionAt, view: WHOLE_VIEW, isWhole: true })
}

/**
 * Likewise of an item in the file that a retailer reads now, without what it may not see now: other columns, times at
 * which the item was in other categories, and newer versions.
 * @throws DomainError NOT_FOUND, whether there is no such item or the retailer may not see it
 */
export async function readRetailerItemHistory(
  deps: Deps,
  actor: Actor,
  { id, key }: ItemHistoryInput,
): Promise<ItemHistory> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  if (!connection) throw nothingPublished()
  const versionId = chooseVersionId(retailer, connection, deps.clock.now())
  const version = versionId === null ? undefined : await findVersion(deps.db, versionId)
  if (!version) throw nothingPublished()
  const hidden = new Set(connection.columnPolicy.hidden.map(foldName))
  if (version.keyColumn !== null && hidden.has(foldName(version.keyColumn))) {
    throw new DomainError('CONFLICT', 'Your supplier does not show the column of SKUs.')
  }
  const { history, records } = await findItem(deps, connection, toSupplierKey(retailer, key))
  const until = version.publishedAt ?? version.createdAt
  if (history.versionAt === null || history.versionAt < until) throw beingPrepared()
  const isKnown = isSameName(history.keyColumn, version.keyColumn)
  if (!isKnown || history.beganAt === null || history.beganAt > until) throw otherFile()
  const view = await toView(deps, { retailer, version, history, hidden, until })
  const told = { key, history, records, until, view, isWhole: false }
  const found = await tell(deps, told)
  if (!found.isInFile) throw noSuchItem(key, history)
  return retailer.priceRules ? { ...found, arePricesMade: true } : found
}

/** An SKU as it stands in the supplier's file, of one as the retailer's shop has it. */
function toSupplierKey({ profile }: RetailerRecord, key: string): string {
  const { kind, skuPrefix } = profile
  const isPrefixed = kind !== 'asIs' && skuPrefix !== '' && key.startsWith(skuPrefix)
  return isPrefixed ? key.slice(skuPrefix.length) : key
}

/** What a retailer may see: by the categories of the version that it reads, and only of columns that are called as in it. */
async function toView(
  deps: Deps,
  {
    retailer,
    version,
    history,
    hidden,
    until,
  }: {
    retailer: RetailerRecord
    version: VersionRecord
    history: ItemHistoryRow
    hidden: ReadonlySet<string>
    until: number
  },
): Promise<HistoryView> {
  const now = eraAt(history.columnEras, toSeconds(until))
  const shows = (present: string | null | undefined) => (column: string | null) =>
    column !== null && isSameName(column, present ?? null) && !hidden.has(foldName(column))
  return {
    sees: retailer.isAllProducts ? () => true : await createSight(deps, retailer, version),
    showsQuantity: shows(now?.quantity),
    // The history has those of the file, of which others are made for this retailer.
    showsPrice: retailer.priceRules ? () => false : shows(now?.price),
  }
}

async function createSight(
  { db }: Deps,
  { categories }: RetailerRecord,
  { id, categoryReading: reading }: VersionRecord,
): Promise<HistoryView['sees']> {
  if (!reading) return () => false
  const matches = createCategoryMatcher(categories, reading)
  const seen = new Map<number, boolean>([[hashCategory(''), false]])
  for (const { cell } of await findCategoryCounts(db, id)) {
    const hash = hashCategory(cell)
    seen.set(hash, matches(cell) && seen.get(hash) !== false)
  }
  return (category) => seen.get(category) ?? null
}

/** @throws DomainError CONFLICT, UNAVAILABLE */
async function findItem(deps: Deps, connection: ConnectionRow, key: string) {
  if (connection.publishedVersionId === null) throw nothingPublished()
  const found = await lookUpItem(deps, connection.id, key)
  if (found?.history.obstacle === 'no-keys') throw withoutKeys()
  if (found?.history.obstacle === 'too-large') throw withoutRoom()
  const { beganAt } = found?.history ?? { beganAt: null }
  if (found && beganAt !== null) return found
  // Of files that were published by earlier releases.
  if (!found) await request(deps, connection.id)
  throw beingPrepared()
}

async function request(deps: Deps, connectionId: number): Promise<void> {
  const now = deps.clock.now()
  await inLossyTransaction(deps.db, (trx) => requestHistory(trx, connectionId, now))
  await deps.queue.add({ job: 'write-histories', key: 'waiting', payload: {} })
}

type Told = {
  key: string
  history: ItemHistoryRow
  records: ItemRecords
  /** When the last version was published that may be told of. */
  until: number
  view: HistoryView
  /** Whether all of it may be seen. */
  isWhole: boolean
}

async function tell(
  deps: Deps,
  { key, history, records, until, view, isWhole }: Told,
): Promise<ItemHistory> {
  const now = deps.clock.now()
  const { columnEras: eras, connectionId, keyColumn } = history
  const beganAt = Math.max(history.beganAt ?? until, Math.min(until, now - YEAR_MS))
  const detailFrom = (await findKeptSince(deps.db, connectionId)) ?? until
  const steps = clipSteps(listSteps(records, toSeconds(history.beganAt ?? until)), {
    from: toSeconds(beganAt),
    until: toSeconds(until),
  })
  const points = tellSteps(thinSteps(steps, toSeconds(detailFrom)), eras, view)
  const [first] = points
  const last = points.at(-1)
  const isInFile = last?.state === 'in'
  const seen = points.find(({ state }) => state === 'in')
  const known = isWhole ? firstSeenOf(records) : seen?.time
  const era = eraAt(eras, toSeconds(until))
  const hasColumn = (column: string | null | undefined, shows: HistoryView['showsPrice']) =>
    column && shows(column) ? column : null
  if (known === undefined) throw noSuchItem(key, history)
  return {
    key,
    keyColumn: keyColumn ?? '',
    quantityColumn: hasColumn(era?.quantity, view.showsQuantity),
    priceColumn: hasColumn(era?.price, view.showsPrice),
    // As precise as its values.
    beganAt: toInstant(toSeconds(beganAt) * 1_000),
    toldUntil: toInstant(until),
    detailFrom: toInstant(detailFrom),
    isInFile,
    quantity: last?.quantity ?? null,
    price: last?.price ?? null,
    firstSeenAt: toInstant(known * 1_000),
    wasThereBefore: isWhole
      ? known <= toSeconds(eras[0]?.since ?? 0)
      : seen !== undefined && seen === first,
    leftAt: isInFile || !last ? null : toInstant(last.time * 1_000),
    ...countDays(points, now),
    points: points.map(toPoint),
  }
}

function noSuchItem(key: string, { keyColumn }: ItemHistoryRow): DomainError {
  const place = `${quote(key)} in the column ${quote(keyColumn ?? '')}`
  const message = `There is no item ${place}. Enter the whole SKU, with its capitals and zeros.`
  return new DomainError('NOT_FOUND', message)
}

const QUOTED_LENGTH = 30

/** A text that somebody has typed, or its beginning, in one line. */
function quote(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/gu, ' ')
  return line.length > QUOTED_LENGTH ? `“${line.slice(0, QUOTED_LENGTH)}…”` : `“${line}”`
}

const nothingPublished = () => new DomainError('NOT_FOUND', 'No file is available yet')

const withoutKeys = () =>
  new DomainError(
    'CONFLICT',
    'The file has no column of SKUs, or more rows than are compared, so that its items have no history.',
  )

const withoutRoom = () =>
  new DomainError('CONFLICT', 'There is no room for the history of so many items.')

const otherFile = () =>
  new DomainError('CONFLICT', 'There is no history of the file that you have now.')

import { CARDS_PER_PAGE, REQUEST_PAUSE_DAYS } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import type {
  DirectoryCard,
  DirectoryInput,
  DirectoryPage,
} from '../../../../shared/schemas/directory'
import type { AccessRequestRow, SupplierCardRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import { countPublishedCards, listHiddenAsked, listPublishedCards } from '../cards/cards.queries'
import { readFreshness } from '../cards/freshness'
import { countOpenRequests, listRequestsTo, listSuppliersAmong } from './requests.queries'

const PAUSE_MS = REQUEST_PAUSE_DAYS * DAY_MS

/** Returns a page of the published cards, by name, with what each supplier is to the retailer. */
export async function pageDirectory(
  deps: Deps,
  retailer: Actor,
  { q, page: wanted }: DirectoryInput,
): Promise<DirectoryPage> {
  const matchCount = await countPublishedCards(deps.db, q)
  const pageCount = Math.max(1, Math.ceil(matchCount / CARDS_PER_PAGE))
  const page = Math.min(wanted, pageCount)
  const offset = (page - 1) * CARDS_PER_PAGE
  const rows = await listPublishedCards(deps.db, { q, limit: CARDS_PER_PAGE, offset })
  const cards = await toCards(deps, retailer, rows)
  const openCount = await countOpenRequests(deps.db, retailer.id)
  const hidden = await listHiddenAsked(deps.db, retailer.id)
  const hiddenRequests = hidden.map(({ token: card, createdAt }) => ({
    card,
    askedAt: toInstant(createdAt),
  }))
  return { cards, matchCount, page, pageCount, openCount, hiddenRequests }
}

/** The cards as a retailer sees them. */
async function toCards(
  deps: Deps,
  retailer: Actor,
  rows: readonly SupplierCardRow[],
): Promise<DirectoryCard[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ supplierId }) => supplierId)
  const freshness = await readFreshness(deps, ids)
  const suppliers = new Set(await listSuppliersAmong(deps.db, retailer.id, ids))
  const asked = await listRequestsTo(deps.db, retailer.id, ids)
  const requests = new Map(asked.map((request) => [request.supplierId, request]))
  return rows.map(({ supplierId, token, name, description, categories, logo }) => ({
    card: token,
    name,
    description,
    categories,
    logo,
    freshness: freshness.get(supplierId) ?? null,
    ...(suppliers.has(supplierId)
      ? { state: 'supplier' as const, askAgainAt: null }
      : toState(requests.get(supplierId), deps.clock.now())),
  }))
}

function toState(request: AccessRequestRow | undefined, now: number) {
  const askAgainAt = findAskAgain(request, now)
  const again = { askAgainAt: askAgainAt === null ? null : toInstant(askAgainAt) }
  // That an accepted one has ended since is no answer to a request.
  const told = request?.status === 'accepted' ? undefined : request?.status
  return { state: told ?? ('none' as const), ...again }
}

/** From when on a supplier can be asked again; null: now, or the request waits. */
export function findAskAgain(
  request: Pick<AccessRequestRow, 'answeredAt'> | undefined,
  now: number,
): number | null {
  const until = request?.answeredAt == null ? 0 : request.answeredAt + PAUSE_MS
  return until > now ? until : null
}

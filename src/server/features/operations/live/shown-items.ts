import { MAX_DESTINATIONS } from '../../../../shared/constants'
import { liveItemSchema, type LiveConnection, type LiveItem } from '../../../../shared/schemas/live'
import type { ConnectionRow, FeedAddressRow } from '../../../db/schema'
import { toViewKey } from '../../../db/stored-json'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toVariantSpec } from '../../../domain/variant-spec'
import { countNotifications } from '../../alerting/alerts/notifications'
import { countWaitingConnections } from '../../catalogue/connections/connection-activity.queries'
import {
  findSupplierConnection,
  listHeldConnections,
} from '../../catalogue/connections/connections.queries'
import { toConnections } from '../../catalogue/connections/shown-connections'
import { listFinishedConnections } from '../../catalogue/connections/sync-runs.queries'
import { readDestinationMark } from '../../distribution/destinations/destination-mark'
import { chooseVersionId } from '../../distribution/downloads/chosen-version'
import { readDownloads } from '../../distribution/downloads/pull-records'
import { listUnreadRetailers } from '../../distribution/downloads/reading-states.queries'
import { listFeedAddressRows } from '../../distribution/feed-addresses/feed-addresses.queries'
import { findMergedFile } from '../../distribution/merged-files/merged-files.queries'
import { readRequestMark } from '../../distribution/requests/requests.queries'
import { listRetailers, type RetailerRecord } from '../../distribution/retailers/retailers.queries'
import { readSftpLoginMark } from '../../distribution/sftp-logins/sftp-logins.queries'
import { findVariant } from '../../distribution/variants/variants.queries'
import { readSessionMark } from '../../people/accounts/sessions.queries'
import { readApiKeyMark } from '../../people/api-keys/api-keys.queries'
import { readInvitationMark } from '../../people/invitations/invitations.queries'
import { readMailMark } from '../../publication/mailed-files/mails.queries'
import { listCronJobs } from '../cron-jobs/cron-jobs'

/** How many connections whose sync has just ended are looked at. */
const MAX_FINISHED = 100

/** How many retailers that have never read are watched, the newest. */
const MAX_UNREAD_SHOPS = 200

/** How many destinations of a supplier's retailers are watched, the newest. */
const MAX_WATCHED_DESTINATIONS = 200

/** What has been sent to a window. */
export type Sent = {
  /** The last item of each key, so that only changes are sent. */
  items: Map<string, LiveItem>
  /** When the state was last read. */
  readAt: number
}

/** What a user is shown, and the topics (`db/change-topics.ts`) of what may change it. */
type Shown = { items: LiveItem[]; topics: readonly string[] | 'all' }

/** Reads what a user is shown now, besides the items that have been sent and stay as they are. */
export async function readItems(deps: Deps, actor: Actor, sent: Sent): Promise<Shown> {
  const self = selfOf(actor).id
  const shown = await readItemsOfRole(deps, actor, sent)
  const topics =
    shown.topics === 'all'
      ? shown.topics
      : [
          ...shown.topics,
          `user ${self}`,
          // Requests are the company's.
          `user ${actor.id}`,
          `invitations ${actor.id}`,
          `sessions ${self}`,
          `api-keys ${self}`,
        ]
  const invitations = await readInvitations(deps, actor.role === 'SUPER_ADMIN' ? null : actor.id)
  const sessions: LiveItem = { kind: 'sessions', mark: await readSessionMark(deps.db, self) }
  const keys: LiveItem = { kind: 'api-keys', mark: await readApiKeyMark(deps.db, self) }
  const requests = await readRequests(deps, actor)
  const items = [...shown.items, ...invitations, ...requests, sessions, keys]
  const { newestId, unreadCount } = await countNotifications(deps, actor)
  if (newestId === null) return { items, topics }
  return { items: [...items, { kind: 'notifications', newestId, unreadCount }], topics }
}

async function readItemsOfRole(deps: Deps, actor: Actor, before: Sent): Promise<Shown> {
  if (actor.role === 'RETAILER') return fingerprintOwnFile(deps, actor)
  if (actor.role === 'SUPPLIER') {
    const connection = await findSupplierConnection(deps.db, actor.id)
    const shops = await readUnreadShops(deps, actor.id)
    const of = { supplierId: actor.id }
    const sent = await readDestinationMark(deps.db, of, MAX_WATCHED_DESTINATIONS)
    const watched = new Set([...shops.topics, ...sent.retailerIds.map((id) => `retailer ${id}`)])
    const topics = [`supplier ${actor.id}`, ...watched]
    const ofRetailers: LiveItem[] = [...shops.items, { kind: 'destinations', mark: sent.mark }]
    if (!connection) return { items: ofRetailers, topics }
    return {
      items: [
        ...(await toItems(deps, actor, [connection])),
        { kind: 'mails', mark: await readMailMark(deps.db, connection.id) },
        {
          kind: 'sftp-login',
          mark: await readSftpLoginMark(deps.db, { connectionId: connection.id }),
        },
        ...ofRetailers,
      ],
      topics: [...topics, `connection ${connection.id}`],
    }
  }
  const items: LiveItem[] = [
    ...(await toItems(deps, actor, await listMovingConnections(deps, before))),
    { kind: 'cron-jobs', jobs: await listCronJobs(deps) },
    { kind: 'waiting-syncs', count: await countWaitingConnections(deps.db, deps.clock.now()) },
  ]
  return { items, topics: 'all' }
}

/** The retailers of a supplier that have never read, and when their address last refused to be read. */
async function readUnreadShops(
  deps: Deps,
  supplierId: number,
): Promise<{ items: LiveItem[]; topics: string[] }> {
  const shops = await listUnreadRetailers(deps.db, supplierId, MAX_UNREAD_SHOPS)
  const waiting = shops.filter(({ hasAddress }) => hasAddress)
  const mark = waiting.map(({ id, refusedAt }) => `${id}:${refusedAt ?? ''}`).join(' ')
  const topics = shops.map(({ id }) => `retailer ${id}`)
  return { items: [{ kind: 'unread-shops', mark }], topics }
}

async function readRequests(deps: Deps, { role, id }: Actor): Promise<LiveItem[]> {
  if (role === 'SUPER_ADMIN') return []
  const of = role === 'SUPPLIER' ? { supplierId: id } : { userId: id }
  const read = await readRequestMark(deps.db, of)
  return read ? [{ kind: 'requests', ...read }] : []
}

async function readInvitations(deps: Deps, companyId: number | null): Promise<LiveItem[]> {
  const mark = await readInvitationMark(deps.db, { companyId })
  return mark === undefined ? [] : [{ kind: 'invitations', mark }]
}

/**
 * The connections that are syncing, those that were when they were last sent, and those whose sync
 * began and ended since the last look.
 */
async function listMovingConnections(
  deps: Deps,
  { items, readAt }: Sent,
): Promise<ConnectionRow[]> {
  const busy = [...items.values()].flatMap((item) =>
    item.kind === 'connection' && isBusy(item.connection) ? item.connection.id : [],
  )
  const finished = await listFinishedConnections(deps.db, readAt, MAX_FINISHED)
  return listHeldConnections(deps.db, deps.clock.now(), [...busy, ...finished])
}

const isBusy = ({ status }: LiveConnection) => status === 'queued' || status === 'running'

async function toItems(deps: Deps, { role }: Actor, rows: ConnectionRow[]): Promise<LiveItem[]> {
  const connections = await toConnections(deps, rows, { role, owner: null })
  return connections.map((connection) => liveItemSchema.parse({ kind: 'connection', connection }))
}

/** A fingerprint of a retailer's file, and the topics of what may change it. */
type FileMark = { mark: string; topics: string[] }

/**
 * Returns a fingerprint of the file that a retailer would get now, of whether it is ready, of the
 * newest published file, of when the source was last read, and of the
 * last download, and of the feed address with its protection and the last read that it refused. Does not move the retailer, count a request, or request a filtered
 * file.
 */
async function fingerprintOwnFile(deps: Deps, actor: Actor) {
  const retailers = await listRetailers(deps.db, { userId: actor.id })
  const marks = await Promise.all(retailers.map((retailer) => fingerprintFile(deps, retailer)))
  const logins = await Promise.all(
    retailers.map(({ id }) => readSftpLoginMark(deps.db, { retailerId: id })),
  )
  const destinations = await Promise.all(
    [...retailers.map(({ id }) => ({ retailerId: id })), { companyId: actor.id }].map((of) =>
      readDestinationMark(deps.db, of, MAX_DESTINATIONS),
    ),
  )
  const merged = await findMergedFile(deps.db, actor.id)
  return {
    // One of each kind: a window compares it with the last one of that kind.
    items:
      retailers.length === 0
        ? []
        : [
            { kind: 'retailer-file' as const, mark: marks.map(({ mark }) => mark).join('; ') },
            { kind: 'sftp-login' as const, mark: logins.join('; ') },
            {
              kind: 'destinations' as const,
              mark: destinations.map(({ mark }) => mark).join('; '),
            },
          ],
    topics: [...marks.flatMap(({ topics }) => topics), ...(merged ? [`merged ${merged.id}`] : [])],
  }
}

const toAddressMark = ({ id, passwordEnd, networks, validUntil, refusedAt }: FeedAddressRow) =>
  [id, passwordEnd, networks.join(), validUntil, refusedAt].join(' ')

async function fingerprintFile(deps: Deps, retailer: RetailerRecord): Promise<FileMark> {
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  const versionId = connection && chooseVersionId(retailer, connection, deps.clock.now())
  const topics = [`files ${retailer.supplierId}`, `retailer ${retailer.id}`]
  if (retailer.groupId !== null) topics.push(`group ${retailer.groupId}`)
  if (!versionId) return { mark: 'none', topics }
  topics.push(`version ${versionId}`)
  const downloads = await readDownloads(deps.db, [retailer.id])
  const newestId = downloads.get(retailer.id)?.newestDownloads[0]?.id
  const [address] = await listFeedAddressRows(deps.db, retailer.id, deps.clock.now())
  const { publishedVersionId, lastSyncAt } = connection
  const source = `${publishedVersionId} ${lastSyncAt} ${newestId} ${address && toAddressMark(address)}`
  const view = toVariantSpec({ ...retailer, columnPolicy: connection.columnPolicy })
  if (!view) return { mark: `${versionId} ${source}`, topics }
  const key = toViewKey(view)
  const variant = await findVariant(deps.db, versionId, key)
  return { mark: `${versionId} ${source} ${key} ${variant?.status ?? 'unasked'}`, topics }
}

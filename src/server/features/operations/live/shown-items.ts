import { liveItemSchema, type LiveConnection, type LiveItem } from '../../../../shared/schemas/live'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { countNotifications } from '../../alerting/alerts/notifications'
import { countWaitingConnections } from '../../catalogue/connections/connection-activity.queries'
import { toConnections } from '../../catalogue/connections/connections'
import {
  findSupplierConnection,
  listHeldConnections,
} from '../../catalogue/connections/connections.queries'
import { listFinishedConnections } from '../../catalogue/connections/sync-runs.queries'
import { listCronJobs } from '../cron-jobs/cron-jobs'
import { fingerprintOwnFile } from './retailer-fingerprint'

/** How many connections whose sync has just ended are looked at. */
const MAX_FINISHED = 100

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
  const shown = await readItemsOfRole(deps, actor, sent)
  const topics = shown.topics === 'all' ? shown.topics : [...shown.topics, `user ${actor.id}`]
  const { newestId, unreadCount } = await countNotifications(deps, actor)
  if (newestId === null) return { items: shown.items, topics }
  return { items: [...shown.items, { kind: 'notifications', newestId, unreadCount }], topics }
}

async function readItemsOfRole(deps: Deps, actor: Actor, sent: Sent): Promise<Shown> {
  if (actor.role === 'RETAILER') return fingerprintOwnFile(deps, actor)
  if (actor.role === 'SUPPLIER') {
    const connection = await findSupplierConnection(deps.db, actor.id)
    const topic = `supplier ${actor.id}`
    if (!connection) return { items: [], topics: [topic] }
    return {
      items: await toItems(deps, actor, [connection]),
      topics: [topic, `connection ${connection.id}`],
    }
  }
  const items: LiveItem[] = [
    ...(await toItems(deps, actor, await listMovingConnections(deps, sent))),
    { kind: 'cron-jobs', jobs: await listCronJobs(deps) },
    { kind: 'waiting-syncs', count: await countWaitingConnections(deps.db, deps.clock.now()) },
  ]
  return { items, topics: 'all' }
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

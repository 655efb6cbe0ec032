import { isDeepStrictEqual } from 'node:util'

import { liveItemSchema, type LiveConnection, type LiveItem } from '../../../shared/schemas/live'
import type { ConnectionRow } from '../../db/schema'
import { isViewed, personOf, type Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { findActing } from '../accounts/signed-in'
import { countNotifications } from '../alerts/notifications'
import { countWaitingConnections } from '../connections/connection-activity.queries'
import { toConnections } from '../connections/connections'
import { findSupplierConnection, listHeldConnections } from '../connections/connections.queries'
import { listCronJobs } from '../cron-jobs/cron-jobs'
import { listFinishedConnections } from '../syncs/sync-runs.queries'
import { MAX_WATCHERS_PER_USER, type Watcher } from './change-watch'
import { fingerprintOwnFile } from './retailer-fingerprint'

/** A user who listens, and the session whose end ends the stream. */
type Listener = { actor: Actor; sessionHash: string; signal: AbortSignal | undefined }

const MAX_ITEMS = 100

type Memory = {
  /** The last item sent for each key, so that only changes are sent. */
  sent: Map<string, LiveItem>
  /** When the state was last read. */
  readAt: number
}

/**
 * Streams what the user may see and what changes without the user's doing: first the current state,
 * then each change within about a second. Ends with an error, so that the browser reconnects and
 * gets the current state.
 * @throws DomainError THROTTLED when the user has too many streams open
 */
export function listen(deps: Deps, listener: Listener): AsyncGenerator<LiveItem[]> {
  const watcher = deps.changes.watch(personOf(listener.actor).id)
  if (!watcher) {
    const message = `You have this open in ${MAX_WATCHERS_PER_USER} windows already. Close some of them.`
    throw new DomainError('THROTTLED', message)
  }
  listener.signal?.addEventListener('abort', () => watcher.end(), { once: true })
  return follow(deps, listener, watcher)
}

async function* follow(
  deps: Deps,
  listener: Listener,
  watcher: Watcher,
): AsyncGenerator<LiveItem[]> {
  const memory: Memory = { sent: new Map(), readAt: deps.clock.now() }
  try {
    yield* inBatches(await readChanges(deps, listener.actor, memory))
    while (await watcher.next()) {
      if (!(await isSignedIn(deps, listener))) break
      const changes = await readChanges(deps, listener.actor, memory)
      if (changes.length > 0) yield* inBatches(changes)
    }
  } finally {
    watcher.end()
  }
  throw new DOMException('The stream has ended', 'AbortError')
}

/** False after signing out, a new password, deactivation, the session's expiry, or another view. */
async function isSignedIn(deps: Deps, { actor, sessionHash }: Listener): Promise<boolean> {
  const known = await deps.signedIn.find(sessionHash)
  const current = findActing(known, personOf(actor).sessionEpoch, deps.clock.now())
  return current?.id === actor.id && isViewed(current) === isViewed(actor)
}

async function readChanges(deps: Deps, actor: Actor, memory: Memory): Promise<LiveItem[]> {
  const { sent, readAt: since } = memory
  memory.readAt = deps.clock.now()
  const items = await readItems(deps, actor, { sent, readAt: since })
  const changes = items.filter((item) => !isDeepStrictEqual(item, sent.get(keyOf(item))))
  for (const item of changes) sent.set(keyOf(item), item)
  return changes
}

/** Splits items into events of at most MAX_ITEMS. No items make one empty event. */
function* inBatches(items: LiveItem[]): Generator<LiveItem[]> {
  for (let at = 0; at === 0 || at < items.length; at += MAX_ITEMS) {
    yield items.slice(at, at + MAX_ITEMS)
  }
}

const keyOf = (item: LiveItem) =>
  item.kind === 'connection' ? `${item.kind} ${item.connection.id}` : item.kind

async function readItems(deps: Deps, actor: Actor, memory: Memory): Promise<LiveItem[]> {
  const items = await readItemsOfRole(deps, actor, memory)
  const { newestId, unreadCount } = await countNotifications(deps, actor)
  if (newestId === null) return items
  return [...items, { kind: 'notifications', newestId, unreadCount }]
}

async function readItemsOfRole(deps: Deps, actor: Actor, memory: Memory): Promise<LiveItem[]> {
  if (actor.role === 'RETAILER') return fingerprintOwnFile(deps, actor)
  if (actor.role === 'SUPPLIER') {
    const connection = await findSupplierConnection(deps.db, actor.id)
    return toItems(deps, connection ? [connection] : [])
  }
  return [
    ...(await toItems(deps, await listMovingConnections(deps, memory))),
    { kind: 'cron-jobs', jobs: await listCronJobs(deps) },
    { kind: 'waiting-syncs', count: await countWaitingConnections(deps.db, deps.clock.now()) },
  ]
}

/**
 * The connections that are syncing, those that were when they were last sent, and those whose sync
 * began and ended since the last look.
 */
async function listMovingConnections(
  deps: Deps,
  { sent, readAt }: Memory,
): Promise<ConnectionRow[]> {
  const busy = [...sent.values()].flatMap((item) =>
    item.kind === 'connection' && isBusy(item.connection) ? item.connection.id : [],
  )
  const finished = await listFinishedConnections(deps.db, readAt, MAX_ITEMS)
  return listHeldConnections(deps.db, deps.clock.now(), [...busy, ...finished])
}

const isBusy = ({ status }: LiveConnection) => status === 'queued' || status === 'running'

async function toItems(deps: Deps, rows: ConnectionRow[]): Promise<LiveItem[]> {
  const connections = await toConnections(deps, rows)
  return connections.map((connection) => liveItemSchema.parse({ kind: 'connection', connection }))
}

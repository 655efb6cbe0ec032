import { isDeepStrictEqual } from 'node:util'

import { liveItemSchema, type LiveConnection, type LiveItem } from '../../../shared/schemas/live'
import type { ConnectionRow } from '../../db/schema'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { findActor } from '../accounts/accounts'
import { findSession } from '../accounts/sessions.queries'
import { toConnections } from '../connections/connections'
import { findSupplierConnection, listHeldConnections } from '../connections/connections.queries'
import { listCronJobs } from '../cron-jobs/cron-jobs'
import { MAX_WATCHERS_PER_USER, type Watcher } from './change-watch'
import { fingerprintOwnFile } from './retailer-fingerprint'

/** Who listens: a user, and the session that must outlast the listening. */
type Listener = { actor: Actor; sessionHash: string; signal: AbortSignal | undefined }

const MAX_ITEMS = 100

/** What was sent of each thing, to send only what is new. */
type Sent = Map<string, LiveItem>

/**
 * What changes by itself while somebody looks: at first as it is, then each change within about a
 * second. Ends by breaking off, so that the listener comes back and hears how things stand.
 * @throws DomainError THROTTLED when the user listens too often already
 */
export function listen(deps: Deps, listener: Listener): AsyncGenerator<LiveItem[]> {
  const watcher = deps.changes.watch(listener.actor.id)
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
  const sent: Sent = new Map()
  try {
    yield* inParts(await readNews(deps, listener.actor, sent))
    while (await watcher.next()) {
      if (!(await isSignedIn(deps, listener))) break
      const news = await readNews(deps, listener.actor, sent)
      if (news.length > 0) yield* inParts(news)
    }
  } finally {
    watcher.end()
  }
  throw new DOMException('The stream is broken off', 'AbortError')
}

/** Signing out, a new password and deactivation all end the stream. */
async function isSignedIn(deps: Deps, { actor, sessionHash }: Listener): Promise<boolean> {
  if (!(await findSession(deps.db, sessionHash, deps.clock.now()))) return false
  return (await findActor(deps, actor.id, actor.sessionEpoch)) !== null
}

async function readNews(deps: Deps, actor: Actor, sent: Sent): Promise<LiveItem[]> {
  const items = await readItems(deps, actor, sent)
  const news = items.filter((item) => !isDeepStrictEqual(item, sent.get(keyOf(item))))
  for (const item of news) sent.set(keyOf(item), item)
  return news
}

/** As many items as make an event of moderate size; nothing is an event too. */
function* inParts(items: LiveItem[]): Generator<LiveItem[]> {
  for (let at = 0; at === 0 || at < items.length; at += MAX_ITEMS) {
    yield items.slice(at, at + MAX_ITEMS)
  }
}

const keyOf = (item: LiveItem) =>
  item.kind === 'connection' ? `${item.kind} ${item.connection.id}` : item.kind

async function readItems(deps: Deps, actor: Actor, sent: Sent): Promise<LiveItem[]> {
  if (actor.role === 'RETAILER') return fingerprintOwnFile(deps, actor)
  if (actor.role === 'SUPPLIER') {
    const connection = await findSupplierConnection(deps.db, actor.id)
    return toItems(deps, connection ? [connection] : [])
  }
  const connections = await toItems(deps, await listBusyConnections(deps, sent))
  return [...connections, { kind: 'cron-jobs', jobs: await listCronJobs(deps) }]
}

/** Of all connections those that are syncing, and once more those that were so until now. */
function listBusyConnections(deps: Deps, sent: Sent): Promise<ConnectionRow[]> {
  const busy = [...sent.values()].flatMap((item) =>
    item.kind === 'connection' && isBusy(item.connection) ? item.connection.id : [],
  )
  return listHeldConnections(deps.db, deps.clock.now(), busy)
}

const isBusy = ({ status }: LiveConnection) => status === 'queued' || status === 'running'

async function toItems(deps: Deps, rows: ConnectionRow[]): Promise<LiveItem[]> {
  const connections = await toConnections(deps, rows)
  return connections.map((connection) => liveItemSchema.parse({ kind: 'connection', connection }))
}

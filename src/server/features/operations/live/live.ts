import { isDeepStrictEqual } from 'node:util'

import type { LiveItem } from '../../../../shared/schemas/live'
import { isViewed, memberRoleOf, personOf, selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { isFactorOverdue } from '../../../domain/factor-setup'
import { findActing } from '../../people/accounts/signed-in'
import { SIGN_IN_RULES_TOPIC } from '../../people/sign-in-rules/sign-in-rules.queries'
import { MAX_WATCHERS_PER_USER, streamEnded, type Watcher } from './change-watch'
import { readItems, type Sent } from './shown-items'
import type { Topics } from './watchers'

/** A listener, and a signal of its going. */
type Window = Listener & { signal: AbortSignal | undefined }

const MAX_ITEMS = 100

/**
 * Streams what the user may see and what changes without the user's doing: first the current state,
 * then each change within about a second. Ends with an error, so that the browser reconnects and
 * gets the current state.
 * @throws DomainError THROTTLED when the user has too many streams open
 */
export function listen(deps: Deps, listener: Window): AsyncGenerator<LiveItem[]> {
  const watcher = deps.changes.watch(personOf(listener.actor).id)
  if (!watcher) {
    const message = `You have this open in ${MAX_WATCHERS_PER_USER} windows already. Close some of them.`
    throw new DomainError('THROTTLED', message)
  }
  listener.signal?.addEventListener('abort', () => watcher.end(), { once: true })
  return follow(deps, listener, watcher)
}

async function* follow(deps: Deps, listener: Window, watcher: Watcher): AsyncGenerator<LiveItem[]> {
  const sent: Sent = { items: new Map(), readAt: deps.clock.now() }
  const read = async () =>
    (await isSignedIn(deps, listener)) ? readChanges(deps, listener, sent) : undefined
  try {
    let found = await watcher.read(() => readChanges(deps, listener, sent))
    yield* inBatches(found.changes)
    while (await watcher.next(found.topics)) {
      const next = await watcher.read(read)
      if (!next) break
      found = next
      if (found.changes.length > 0) yield* inBatches(found.changes)
    }
    throw streamEnded()
  } catch (error) {
    // Nobody would handle it once the browser has gone.
    if (!listener.signal?.aborted) throw error
  } finally {
    watcher.end()
  }
}

/** Reads the items that differ from those sent, and what may change them. */
async function readChanges(
  deps: Deps,
  listener: Listener,
  sent: Sent,
): Promise<{ changes: LiveItem[]; topics: Topics }> {
  const startedAt = deps.clock.now()
  const { items, topics } = await readItems(deps, listener.actor, sent)
  sent.readAt = startedAt
  const changes = items.filter((item) => !isDeepStrictEqual(item, sent.items.get(keyOf(item))))
  for (const item of changes) sent.items.set(keyOf(item), item)
  return {
    changes,
    topics: topics === 'all' ? topics : new Set([...topics, ...listSignInTopics(listener)]),
  }
}

/** Splits items into events of at most MAX_ITEMS. No items make one empty event. */
function* inBatches(items: LiveItem[]): Generator<LiveItem[]> {
  for (let at = 0; at === 0 || at < items.length; at += MAX_ITEMS) {
    yield items.slice(at, at + MAX_ITEMS)
  }
}

const keyOf = (item: LiveItem) =>
  item.kind === 'connection' ? `${item.kind} ${item.connection.id}` : item.kind

/** A user who listens, and the session whose end ends the stream. */
export type Listener = { actor: Actor; sessionHash: string }

/**
 * False after signing out, a new password, deactivation, the session's expiry, another view, or
 * without a second factor that is overdue.
 */
export async function isSignedIn(deps: Deps, { actor, sessionHash }: Listener): Promise<boolean> {
  const known = await deps.signedIn.find(sessionHash)
  const current = findActing(known, personOf(actor).sessionEpoch, deps.clock.now())
  if (!current || isViewed(current) !== isViewed(actor)) return false
  if (isFactorOverdue(current, deps.clock.now())) return false
  return current.id === actor.id && memberRoleOf(current) === memberRoleOf(actor)
}

/** The topics of what may change the answer of `isSignedIn`. */
export const listSignInTopics = ({ actor, sessionHash }: Listener): string[] => [
  `session ${sessionHash}`,
  SIGN_IN_RULES_TOPIC,
  `user ${personOf(actor).id}`,
  `user ${selfOf(actor).id}`,
  `user ${actor.id}`,
]

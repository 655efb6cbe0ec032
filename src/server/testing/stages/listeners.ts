import { HOUR_MS } from '../../../shared/durations'
import type { LiveItem } from '../../../shared/schemas/live'
import { inTransaction } from '../../db/open'
import type { Actor } from '../../domain/actor'
import { listen } from '../../features/operations/live/live'
import { insertSession } from '../../features/people/accounts/sessions.queries'
import type { TestDeps } from './test-deps'

/** How long the sessions of listeners last. */
export const SESSION_MS = HOUR_MS

/** A live stream without a web server, and the session that it belongs to. */
export type Listening = {
  sessionHash: string
  /** The next event. Rejects once the stream has ended. */
  next(): Promise<LiveItem[]>
  /** Reads until an event contains such an item. */
  until(isWanted: (item: LiveItem) => boolean): Promise<LiveItem>
  /** Ends the stream, as closing its window does. */
  close(): void
}

export type Listeners = {
  /** Signs the user in and listens. @throws DomainError when the user has too many streams */
  listen(actor: Actor): Promise<Listening>
  /** Ends all streams. */
  close(): void
}

export function createListeners(deps: TestDeps): Listeners {
  const open: Listening[] = []
  let sessions = 0
  return {
    async listen(actor) {
      sessions += 1
      const sessionHash = `session ${sessions}`
      await signIn(deps, actor, sessionHash)
      const leaving = new AbortController()
      const events = listen(deps, { actor, sessionHash, signal: leaving.signal })
      const next = async () => (await events.next()).value as LiveItem[]
      const listening: Listening = {
        sessionHash,
        next,
        async until(isWanted) {
          for (;;) {
            const wanted = (await next()).find(isWanted)
            if (wanted) return wanted
          }
        },
        close: () => leaving.abort(),
      }
      open.push(listening)
      return listening
    },
    close() {
      for (const listening of open) listening.close()
    },
  }
}

async function signIn(deps: TestDeps, { id }: Actor, idHash: string): Promise<void> {
  const now = deps.clock.now()
  const times = { createdAt: now, touchedAt: now, expiresAt: now + SESSION_MS }
  await inTransaction(deps.db, (trx) =>
    insertSession(trx, { idHash, userId: id, data: {}, ...times }),
  )
}

import type { LiveItem } from '../../../shared/schemas/live'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { listen } from '../../features/operations/live/live'
import { createSession } from '../fixtures/factories'

export type Listeners = ReturnType<typeof createListeners>
/** A live stream without a web server, and the session that it belongs to. */
export type Listening = Awaited<ReturnType<Listeners['listen']>>

export function createListeners(deps: Deps) {
  const leaving = new Set<AbortController>()
  return {
    /** Signs the user in and listens. @throws DomainError when the user has too many streams */
    async listen(actor: Actor) {
      const sessionHash = await createSession(deps, actor)
      const controller = new AbortController()
      leaving.add(controller)
      const events = listen(deps, { actor, sessionHash, signal: controller.signal })
      /** The next event. Rejects once the stream has ended. */
      const next = async () => (await events.next()).value as LiveItem[]
      return {
        sessionHash,
        next,
        /** Reads until an event contains such an item. */
        async until(isWanted: (item: LiveItem) => boolean): Promise<LiveItem> {
          for (;;) {
            const wanted = (await next()).find(isWanted)
            if (wanted) return wanted
          }
        },
        /** Ends the stream, as closing its window does. */
        close: () => controller.abort(),
      }
    },
    /** Ends all streams. */
    close() {
      for (const controller of leaving) controller.abort()
    },
  }
}

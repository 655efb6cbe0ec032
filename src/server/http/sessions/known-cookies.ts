import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

import { isViewed, type Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { isFactorOverdue } from '../../domain/factor-setup'
import { findActing } from '../../features/people/accounts/signed-in'
import { hashSessionId, TOUCH_EVERY_MS } from './session-store'

/** Who is meant by a Cookie header that has been verified before. */
export type KnownCookies = {
  /** Remembers the cookies of a request whose session has been read. */
  learn(request: FastifyRequest): void
  /** Who acts, if that can be told at once and nothing is to be done for the session. */
  recall(headers: IncomingHttpHeaders): Actor | undefined
}

const MAX_KNOWN = 10_000
/** Longer headers are of no browser that has only our cookie. */
const MAX_LENGTH = 2_000

export function createKnownCookies({ signedIn, clock }: Deps): KnownCookies {
  const hashes = new LRUCache<string, string>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 })
  return {
    learn({ headers: { cookie = '' }, session }) {
      if (cookie.length <= MAX_LENGTH) hashes.set(cookie, hashSessionId(session.sessionId))
    },
    recall({ cookie = '', authorization }) {
      // It may be a key, which is not taken with a cookie.
      if (authorization !== undefined) return undefined
      const idHash = hashes.get(cookie)
      const known = idHash === undefined ? undefined : signedIn.recall(idHash)
      const { touchedAt = 0, data: { epoch } = {} } = known?.session ?? {}
      const isTouched = Math.abs(clock.now() - touchedAt) < TOUCH_EVERY_MS
      if (epoch === undefined || !isTouched) return undefined
      const actor = findActing(known, epoch, clock.now())
      if (!actor || isViewed(actor) || isFactorOverdue(actor, clock.now())) return undefined
      return actor
    },
  }
}

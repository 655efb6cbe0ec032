import { hash } from 'node:crypto'

import type { SessionStore } from '@fastify/session'
import type { Session } from 'fastify'

import { MINUTE_MS } from '../../../shared/durations'
import { inTransaction, type Db, type WriteTransaction } from '../../db/open'
import type { Clock, Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { MAX_SESSIONS_PER_USER } from '../../domain/limits'
import { toRefusal } from '../../domain/refusal'
import { tellPerson } from '../../features/alerting/alerts/notices'
import { findPerson, type Person } from '../../features/people/accounts/persons.queries'
import {
  deleteOldestSessions,
  deleteSession,
  insertSession,
  updateSession,
} from '../../features/people/accounts/sessions.queries'
import { noteSignInPlace } from '../../features/people/accounts/sign-in-places'
import { recordUserAudit } from '../../features/people/audit/record-audit'
import { networkOf } from './client-address'

declare module 'fastify' {
  interface Session {
    userId?: number
    /** The user's session epoch when the session began; see `endUserSessions`. */
    epoch?: number
    /** When the session ends even if it is in use, in epoch milliseconds. */
    endsAt?: number
    /** How long the session lasts without being used, in milliseconds. */
    idleMs?: number
    /** When the session was stored; once set, it is only updated, never inserted. */
    storedAt?: number
    touchedAt?: number
    /** The program that signed in, and from where; see `SessionsTable`. */
    program?: string
    address?: string
    confirmedAt?: number
    /** It began with a sign-in at an identity provider, which asks for a second factor itself. */
    isByProvider?: boolean
  }
}

export const TOUCH_EVERY_MS = 5 * MINUTE_MS

/** The key of a session in the database. Only hashes are stored, so a leaked table is useless. */
export const hashSessionId = (sessionId: string) => hash('sha256', sessionId, 'hex')

/**
 * Stores sessions in the database. Only new sessions are inserted; a stored one is updated only if
 * it still exists, so that a request in flight during a logout never revives it.
 */
export function createSessionStore(deps: Deps): SessionStore {
  const { db, signedIn } = deps
  return {
    get: (sessionId, callback) =>
      void toCallback(callback, async () => {
        const known = await signedIn.find(hashSessionId(sessionId))
        if (!known) return null
        const { data, createdAt, touchedAt } = known.session
        return { ...data, storedAt: createdAt, touchedAt } as Session
      }),
    set: (sessionId, session, callback) =>
      void toCallback(callback, () => saveSession(deps, sessionId, session)),
    destroy: (sessionId, callback) =>
      void toCallback(callback, () =>
        inTransaction(db, (trx) => deleteSession(trx, hashSessionId(sessionId))),
      ),
  }
}

async function saveSession(deps: Deps, sessionId: string, session: Session) {
  // The plugin saves every new session; one without an end has no purpose yet and is not stored.
  if (session.endsAt === undefined && session.storedAt === undefined) return
  const { db, clock } = deps
  const now = clock.now()
  const idHash = hashSessionId(sessionId)
  const { userId = null, endsAt, idleMs = 0, epoch } = session
  const { program, address, confirmedAt, isByProvider } = session
  const row = {
    userId,
    data: { userId: userId ?? undefined, epoch, endsAt, idleMs, isByProvider },
    touchedAt: now,
    expiresAt: Math.min(now + idleMs, endsAt ?? Infinity),
  }
  await inTransaction(db, async (trx) => {
    if (session.storedAt !== undefined) return updateSession(trx, idHash, row)
    if (userId !== null) {
      const actor = await findExistingUser(trx, userId)
      const isElsewhere = await noteSignInPlace(trx, {
        userId,
        program: program ?? '',
        network: networkOf(address ?? ''),
        seenAt: now,
      })
      const after = isElsewhere && { program, isNewPlace: true }
      await recordUserAudit(trx, deps, actor, {
        action: 'user.sign-in',
        actor,
        ...(after && { after }),
      })
      if (isElsewhere) {
        const details = { program, clientAddress: address }
        await tellPerson(trx, deps, actor, { kind: 'account.new-sign-in', details })
      }
      await deleteOldestSessions(trx, userId, MAX_SESSIONS_PER_USER - 1)
    }
    return insertSession(trx, { ...row, idHash, program, address, confirmedAt, createdAt: now })
  })
  session.storedAt ??= now
}

/** The user may have been deleted since the password was checked. */
async function findExistingUser(trx: WriteTransaction, userId: number): Promise<Person> {
  const user = await findPerson(trx, userId)
  if (user) return user
  throw new DomainError('UNAUTHENTICATED', 'Invalid username or password')
}

/**
 * Extends the idle lifetime of a session in use, and notes by what and from where, at most every five minutes. The distance counts in
 * both directions: a last use in the future comes from a clock that was ahead, and is corrected.
 */
export async function touchSession(
  db: Db,
  clock: Clock,
  { sessionId, touchedAt = 0, idleMs = 0, endsAt = 0 }: Session & { sessionId: string },
  readSender: () => { program: string; address: string },
): Promise<void> {
  const now = clock.now()
  if (Math.abs(now - touchedAt) < TOUCH_EVERY_MS) return
  const changes = { ...readSender(), touchedAt: now, expiresAt: Math.min(now + idleMs, endsAt) }
  await inTransaction(db, (trx) => updateSession(trx, hashSessionId(sessionId), changes))
}

/** Adapts a promise to the callbacks of the session plugin. */
async function toCallback<T>(
  callback: (error: unknown, result?: T) => void,
  work: () => Promise<T>,
): Promise<void> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    // The plugin may pass this error on to the client, so it must not contain database details.
    callback(toRefusal(error) ?? new Error('Session store', { cause: error }))
    return
  }
  callback(null, result)
}

import type { Session } from '../../../../shared/schemas/session'
import { inTransaction, type Db } from '../../../db/open'
import type { SessionRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { findPerson } from '../accounts/persons.queries'
import {
  deleteOtherSessions,
  deleteSession,
  endUserSessions,
  findSession,
  listSessionsOf,
} from '../accounts/sessions.queries'
import type { UserRecord } from '../accounts/users.queries'
import { recordUserAudit } from '../audit/record-audit'
import { endViewAs } from '../view-as/view-as'

/** Whose sessions are meant, and the one of the call. */
type Whose = { personId?: number | undefined; presentIdHash: string }

/** Lists where a person is signed in, the present session first. */
export async function listSessions(
  deps: Deps,
  actor: Actor,
  { personId, presentIdHash }: Whose,
): Promise<Session[]> {
  const person = await loadPerson(deps.db, actor, personId)
  const rows = await listSessionsOf(deps.db, person.id, deps.clock.now())
  const sessions = rows.map((row) => toSession(row, presentIdHash))
  return sessions.toSorted((one, other) => Number(other.isPresent) - Number(one.isPresent))
}

const toSession = (row: SessionRow, presentIdHash: string): Session => ({
  id: row.idHash,
  program: row.program,
  address: row.address,
  since: toInstant(row.createdAt),
  lastUsedAt: toInstant(row.touchedAt),
  isPresent: row.idHash === presentIdHash,
})

/**
 * Ends a session of a person at once, over every transport.
 * @throws DomainError NOT_FOUND for a session that has ended, or is somebody else's
 */
export async function endSession(
  deps: Deps,
  actor: Actor,
  { session: id, personId }: { session: string; personId?: number | undefined },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const person = await loadPerson(trx, actor, personId)
    const session = await findSession(trx, id, deps.clock.now())
    if (!session || session.userId !== person.id) throw notFound('Session')
    await endViewAs(trx, deps, id)
    await deleteSession(trx, id)
    const before = { program: session.program, address: session.address }
    await recordUserAudit(trx, deps, person, { action: 'user.end-session', before })
  })
}

/**
 * Ends all sessions of a person but for the one of the call.
 * @returns whether there were any
 */
export function endSessions(
  deps: Deps,
  actor: Actor,
  { personId, presentIdHash }: Whose,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const person = await loadPerson(trx, actor, personId)
    const isOwn = person.id === selfOf(actor).id
    const sessions = await listSessionsOf(trx, person.id, deps.clock.now())
    const ended = sessions.filter(({ idHash }) => idHash !== presentIdHash)
    if (isOwn) await deleteOtherSessions(trx, person.id, presentIdHash)
    else await endUserSessions(trx, person.id)
    if (ended.length === 0) return false
    const before = { sessions: ended.length }
    await recordUserAudit(trx, deps, person, { action: 'user.end-sessions', before })
    return true
  })
}

/** @throws DomainError NOT_FOUND unless it is the caller or, for an administrator, a person of a company */
async function loadPerson(db: Db, actor: Actor, personId: number | undefined): Promise<UserRecord> {
  if (personId === undefined) return selfOf(actor)
  const person = await findPerson(db, personId)
  const mayName = actor.role === 'SUPER_ADMIN' && person?.role !== 'SUPER_ADMIN'
  if (!person || !mayName) throw notFound('Person')
  return person
}

import type { Db } from '../../../db/open'
import { rememberUnchanged } from '../../../db/queries-kit/remember-unchanged'
import type { SessionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { findViewAs } from '../view-as/view-as.queries'
import { findStoredSession, isSessionLive } from './sessions.queries'
import { findUser, type UserRecord } from './users.queries'

/** A session that has not expired, and its user, if it has one. */
type SignedIn = {
  session: SessionRow
  user: UserRecord | undefined
  /** The user whose view of the product the session has, and until when. */
  viewAs: { user: UserRecord; endsAt: number } | undefined
}

/** Reads who is signed in, for every request. */
export type SignedInReader = { find(idHash: string): Promise<SignedIn | undefined> }

/** In some ten megabytes. What depends on the time is not remembered. */
const REMEMBERED = { max: 10_000, maxAgeMs: Infinity }

/**
 * Remembers sessions and users only while the database is unchanged, so that a sign-out or a
 * deactivation, by whichever process, applies to the next request.
 */
export function createSignedInReader(db: Db, clock: { now(): number }): SignedInReader {
  const find = rememberUnchanged({ db, clock }, REMEMBERED, async (idHash) => {
    const session = await findStoredSession(db, idHash)
    if (!session) return undefined
    const user = session.userId === null ? undefined : await findUser(db, session.userId)
    const viewAs = await findViewAs(db, idHash)
    const viewed = viewAs && (await findUser(db, viewAs.userId))
    return {
      session,
      user: user && Object.freeze(user),
      viewAs: viewed && { user: Object.freeze(viewed), endsAt: viewAs.endsAt },
    }
  })
  return {
    async find(idHash) {
      const known = await find(idHash)
      return known && isSessionLive(known.session, clock.now()) ? known : undefined
    },
  }
}

/**
 * Who acts in a session: its user, or the one whom its user, an administrator, sees the product as.
 * @param epoch the user's when the session began
 */
export function findActing(known: SignedIn | undefined, epoch: number, now: number): Actor | null {
  const person = toActor(known?.user, epoch)
  if (!person || person.role !== 'SUPER_ADMIN' || !known?.viewAs) return person
  const { user, endsAt } = known.viewAs
  return user.isActive && now < endsAt ? { ...user, viewAs: { by: person, endsAt } } : person
}

/** The user of a session; null when inactive or gone, or when `epoch` is no longer the user's. */
export function toActor(user: UserRecord | undefined, epoch: number): UserRecord | null {
  return user?.isActive && user.sessionEpoch === epoch ? user : null
}

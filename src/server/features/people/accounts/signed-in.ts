import type { Db } from '../../../db/open'
import { rememberReads } from '../../../db/queries-kit/remember'
import type { SessionRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { isFactorOverdue } from '../../../domain/factor-setup'
import { findFactorDue } from '../sign-in-rules/factor-due'
import { SIGN_IN_RULES_TOPIC } from '../sign-in-rules/sign-in-rules.queries'
import { findViewAs } from '../view-as/view-as.queries'
import { findActor } from './find-actor'
import { findStoredSession, isSessionLive } from './sessions.queries'

/** A session that has not expired, and its user, if it has one. */
type SignedIn = {
  session: SessionRow
  user: Actor | undefined
  /** The user whose view of the product the session has, and until when. */
  viewAs: { user: Actor; endsAt: number } | undefined
}

/** Reads who is signed in, for every request. */
export type SignedInReader = {
  find(idHash: string): Promise<SignedIn | undefined>
  /** The same, if it can be told at once; the same object as long as nothing of it has changed. */
  recall(idHash: string): SignedIn | undefined
}

/** In some ten megabytes. A sign-out or a deactivation, by whichever process, applies to the next request. */
const REMEMBERED = { max: 10_000, isCurrent: true }

/** Remembers sessions and users until they change. */
export function createSignedInReader(db: Db, clock: { now(): number }): SignedInReader {
  const remembered = rememberReads<SignedIn>({ db, clock }, REMEMBERED)
  const whileLive = (known: SignedIn | undefined) =>
    known && isSessionLive(known.session, clock.now()) ? known : undefined
  return {
    async find(idHash) {
      const read = async () => {
        const value = await readSignedIn(db, idHash)
        return { value, topics: value && listTopics(value) }
      }
      return whileLive(await remembered.get(idHash, read))
    },
    recall: (idHash) => whileLive(remembered.recall(idHash)),
  }
}

async function readSignedIn(db: Db, idHash: string): Promise<SignedIn | undefined> {
  const session = await findStoredSession(db, idHash)
  if (!session) return undefined
  const user = await findUserOf(db, session)
  const viewAs = await findViewAs(db, idHash)
  const viewed = viewAs && (await findActor(db, viewAs.userId))
  return { session, user, viewAs: viewed && { user: viewed, endsAt: viewAs.endsAt } }
}

/** Who is signed in by Google is not asked for a second factor: Google does. */
async function findUserOf(db: Db, { userId, data }: SessionRow): Promise<Actor | undefined> {
  const user = userId === null ? undefined : await findActor(db, userId)
  if (!user || data.isByProvider) return user
  const factorDueAt = await findFactorDue(db, selfOf(user))
  return factorDueAt === undefined ? user : Object.freeze({ ...user, factorDueAt })
}

/** The topics of what may change it; a user without a session gets another one. */
function listTopics({ session, user, viewAs }: SignedIn): string[] {
  const users = [user, viewAs?.user].filter((one) => one !== undefined)
  const people = users.flatMap((one) => [one.id, selfOf(one).id])
  return [
    `session ${session.idHash}`,
    ...people.map((id) => `user ${id}`),
    ...(user ? [SIGN_IN_RULES_TOPIC] : []),
  ]
}

/**
 * Who acts in a session: its user, or the one whom its user, an administrator, sees the product as; no more once a
 * second factor of the administrator's is overdue.
 * @param epoch the user's when the session began
 */
export function findActing(known: SignedIn | undefined, epoch: number, now: number): Actor | null {
  const person = toActor(known?.user, epoch)
  if (!person || person.role !== 'SUPER_ADMIN' || !known?.viewAs) return person
  if (isFactorOverdue(person, now)) return person
  const { user, endsAt } = known.viewAs
  return selfOf(user).isActive && now < endsAt
    ? { ...user, viewAs: { by: person, endsAt } }
    : person
}

/** The user of a session; null when inactive or gone, or when `epoch` is no longer the person's. */
export function toActor(user: Actor | undefined, epoch: number): Actor | null {
  if (!user) return null
  const { isActive, sessionEpoch } = selfOf(user)
  return isActive && sessionEpoch === epoch ? user : null
}

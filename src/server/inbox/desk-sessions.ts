import { createKeyedSemaphore } from '../concurrency/keyed-semaphore'
import { DomainError } from '../domain/errors'
import type { PickedUp } from '../features/publication/inbox/pick-up'
import type { SftpGuest } from '../features/publication/inbox/sftp-guests'
import type { Arrival } from './arrival'
import type { Home } from './messages'

/** Sessions that one inbox may have: more than it lets in. */
const MAX_SESSIONS = 5_000
/** Sessions of one login, which would take the places of others. */
const MAX_SESSIONS_OF_LOGIN = 32
/** Questions of a session that wait for their turn. */
const MAX_WAITING = 64
/** What is open in a session. */
export const MAX_OPEN = 32
/** After what it asks of the database, a login waits so long for its next turn, so that it slows nobody. */
const TURN_PAUSE_MS = 20

/** A file that is on its way. */
export type Upload = { arrival: Arrival; received: Promise<void>; unnamed?: NodeJS.Timeout }

/** Somebody who has signed in, as the parent of the inbox knows it. */
export type Session = {
  guest: SftpGuest
  home: Home
  client: string
  address: string
  /** The user whose data it sees. */
  userId: number
  leaving: AbortController
  waiting: number
  uploads: Map<number, Upload>
  /** Undefined while it is being opened. */
  files: Map<number, PickedUp | undefined>
}

export type Sessions = ReturnType<typeof createSessions>

/** The sessions of one inbox, by the numbers that it gives them. */
export function createSessions() {
  const sessions = new Map<number, Session>()
  const turns = createKeyedSemaphore<number>(() => 1)

  return {
    /** @throws DomainError UNAUTHENTICATED when it has ended */
    require(number: number): Session {
      const session = sessions.get(number)
      if (!session) throw new DomainError('UNAUTHENTICATED', 'The session has ended.')
      return session
    },
    /** @throws DomainError UNAVAILABLE when there is no room, or the number is taken */
    requireFree(number: number): void {
      if (!sessions.has(number) && sessions.size < MAX_SESSIONS) return
      throw new DomainError('UNAVAILABLE', 'There are too many sessions. Try again later.')
    },
    /** @throws DomainError UNAVAILABLE when a login has too many */
    requireRoomOf(loginId: number): void {
      const others = [...sessions.values()].filter(({ guest }) => guest.loginId === loginId)
      if (others.length < MAX_SESSIONS_OF_LOGIN) return
      throw new DomainError('UNAVAILABLE', 'There are too many sessions of this login.')
    },
    add(
      number: number,
      session: Pick<Session, 'guest' | 'home' | 'client' | 'address' | 'userId'>,
    ) {
      const empty = { waiting: 0, uploads: new Map(), files: new Map() }
      sessions.set(number, { ...session, ...empty, leaving: new AbortController() })
    },
    remove(number: number): Session | undefined {
      const session = sessions.get(number)
      sessions.delete(number)
      session?.leaving.abort(new DomainError('INVALID', 'The connection ended.'))
      return session
    },
    all: () => [...sessions],
    count: () => sessions.size,

    /** Does what needs the database when it is the turn of the session's login. */
    async inTurn<T>(session: Session, work: () => Promise<T>): Promise<T> {
      if (session.waiting >= MAX_WAITING) throw tooMany()
      session.waiting += 1
      try {
        const endTurn = await turns.acquire(session.guest.loginId, session.leaving.signal)
        try {
          return await work()
        } finally {
          setTimeout(endTurn, TURN_PAUSE_MS)
        }
      } finally {
        session.waiting -= 1
      }
    },
  }
}

export const tooMany = () => new DomainError('UNAVAILABLE', 'Too many files are open at once.')

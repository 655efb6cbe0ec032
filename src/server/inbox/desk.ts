import { setTimeout as sleep } from 'node:timers/promises'

import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { toRefusal } from '../domain/refusal'
import { listDropBox } from '../features/publication/inbox/drop-box'
import { listPickUp } from '../features/publication/inbox/pick-up'
import { requirePlace } from '../features/publication/inbox/sftp-guests'
import { createOpenFiles } from './desk-files'
import { createSessions, type Session } from './desk-sessions'
import { signIn } from './desk-sign-in'
import { createUploads } from './desk-uploads'
import type { MailNews, MailQuestion } from './mail/messages'
import {
  type Entry,
  type FromInbox,
  MAX_REASON_LENGTH,
  MAX_TEXT_LENGTH,
  type Refusal,
  type ToInbox,
} from './messages'

/** Questions that wait for their answers: an inbox that asks more does not mean them. */
const MAX_QUESTIONS = 50_000
const QUIET_EVERY_MS = 100

type Answer =
  Extract<ToInbox, { id: number }> extends infer One
    ? One extends { id: number }
      ? Omit<One, 'id'>
      : never
    : never
type Message = Exclude<FromInbox, MailQuestion | MailNews>
type Question = Extract<Message, { id: number }>

/** What the inbox asks for is done here: it has no rights of its own, only those of who has signed in. */
export interface Desk {
  /** @throws Error when the inbox breaks the rules */
  take(message: Message, bytes: readonly Buffer[]): void
  /** Ends the sessions whose login is gone, of which these topics of changes tell. */
  review(topics: ReadonlySet<string> | 'all'): Promise<void>
  /** Ends all sessions: the inbox has ended. Resolves once what was complete is received. */
  close(): Promise<void>
  sessions(): number
  /** Waits until no file is coming, but not for longer. */
  quiet(waitMs: number): Promise<void>
}

const DONE = { type: 'done' } as const

export function createDesk(
  deps: Deps,
  send: (message: ToInbox, bytes?: readonly Uint8Array[]) => void,
  unreadBytes: () => number,
): Desk {
  const sessions = createSessions()
  const uploads = createUploads(deps, sessions)
  const files = createOpenFiles(deps, sessions, unreadBytes)
  let questions = 0

  async function list(session: Session): Promise<Answer> {
    const { guest, home, leaving } = session
    const entries = await sessions.inTurn(session, () =>
      home === 'drop-box' ? listDropBox(deps, guest) : listPickUp(deps, guest, leaving.signal),
    )
    return { type: 'listed', entries: entries.map(toShort) }
  }

  function leave(number: number): void {
    const session = sessions.remove(number)
    for (const upload of session?.uploads.keys() ?? []) uploads.abandon(upload)
    for (const file of session?.files.keys() ?? []) files.release(file)
  }

  async function act(
    question: Exclude<Question, { type: 'read' }>,
    bytes: readonly Buffer[],
  ): Promise<Answer> {
    switch (question.type) {
      case 'sign-in':
        return { type: 'signed-in', home: await signIn(deps, sessions, question) }
      case 'list':
        return list(sessions.require(question.session))
      case 'put':
        await uploads.put(sessions.require(question.session), question.upload, question.name)
        return DONE
      case 'piece':
        await uploads.add(question.upload, bytes)
        return DONE
      case 'fill':
        await uploads.fill(question.upload)
        return DONE
      case 'name':
        await uploads.name(question.upload, question.name)
        return DONE
      case 'open': {
        const session = sessions.require(question.session)
        return { type: 'opened', sizeBytes: await files.open(session, question.file) }
      }
    }
  }

  async function answer(question: Question, bytes: readonly Buffer[]): Promise<void> {
    const { id } = question
    questions += 1
    try {
      if (question.type === 'read') {
        const { file, at, length } = question
        return send({ type: 'content', id }, [await files.read(file, at, length)])
      }
      send({ ...(await act(question, bytes)), id } as ToInbox)
    } catch (error) {
      send({ type: 'refused', id, ...toRefused(deps, error) })
    } finally {
      questions -= 1
    }
  }

  return {
    take(message, bytes) {
      if (questions > MAX_QUESTIONS) throw new Error('The inbox asks more than it can mean')
      if ('id' in message) return void answer(message, bytes)
      switch (message.type) {
        case 'leave':
          return leave(message.session)
        case 'abandon':
          return uploads.abandon(message.upload)
        case 'release':
          return files.release(message.file)
      }
    },
    async review(topics) {
      for (const [number, session] of sessions.all()) {
        if (!isConcerned(session, topics)) continue
        try {
          await requirePlace(deps.db, session.guest)
        } catch (error) {
          if (!(error instanceof DomainError)) continue
          send({ type: 'end', session: number })
          leave(number)
        }
      }
    },
    async close() {
      const all = sessions.all()
      const received = all.flatMap(([, session]) =>
        [...session.uploads.values()].map((upload) => upload.received),
      )
      for (const [number] of all) leave(number)
      await Promise.allSettled(received)
    },
    sessions: sessions.count,
    async quiet(waitMs) {
      const until = performance.now() + waitMs
      while (uploads.count() > 0 && performance.now() < until) await sleep(QUIET_EVERY_MS)
    },
  }
}

const isConcerned = ({ guest, userId }: Session, topics: ReadonlySet<string> | 'all') =>
  topics === 'all' || topics.has(`sftp-login ${guest.loginId}`) || topics.has(`user ${userId}`)

const toShort = (entry: Entry): Entry => ({
  ...entry,
  text: entry.text?.slice(0, MAX_TEXT_LENGTH) ?? null,
})

const REFUSALS: Partial<Record<DomainError['code'], Refusal>> = {
  NOT_FOUND: 'missing',
  UNAUTHENTICATED: 'denied',
  FORBIDDEN: 'denied',
  UNAVAILABLE: 'later',
  THROTTLED: 'later',
}

function toRefused(deps: Deps, error: unknown): { refusal: Refusal; message: string } {
  const refusal = toRefusal(error)
  if (refusal) {
    const message = refusal.message.slice(0, MAX_REASON_LENGTH)
    return { refusal: REFUSALS[refusal.code] ?? 'failed', message }
  }
  deps.logger.error({ err: error }, 'Something that the inbox asked for failed')
  return { refusal: 'later', message: 'Something went wrong here. Try again later.' }
}

import { setTimeout as sleep } from 'node:timers/promises'

import { MINUTE_MS } from '../../shared/durations'
import { createKeyedSemaphore } from '../concurrency/keyed-semaphore'
import { withCaller } from '../domain/caller'
import { readSshFamily } from '../domain/client-family'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { toCountedAddress } from '../domain/networks'
import { toRefusal } from '../domain/refusal'
import {
  listDropBox,
  NEVER_RENAMED,
  receiveBySftp,
  recordRefused,
} from '../features/publication/inbox/drop-box'
import { recordFailedSftpSignIn } from '../features/publication/inbox/failed-sftp-sign-ins'
import { listPickUp, openPickUp, type PickedUp } from '../features/publication/inbox/pick-up'
import {
  judgeSftpProof,
  requirePlace,
  type SftpGuest,
  type SftpProof,
} from '../features/publication/inbox/sftp-guests'
import { createArrival, type Arrival } from './arrival'
import type { MailNews, MailQuestion } from './mail/messages'
import {
  type Entry,
  type FromInbox,
  type Home,
  MAX_REASON_LENGTH,
  MAX_TEXT_LENGTH,
  type Proof,
  type Refusal,
  type ToInbox,
} from './messages'

/** Sessions that one inbox may have, and what is open in one of them: more than the inbox lets in. */
const MAX_SESSIONS = 5_000
const MAX_OPEN = 32
/** Questions of a session that wait for their turn. */
const MAX_WAITING = 64
/** Sessions of one login, which would take the places of others. */
const MAX_SESSIONS_OF_LOGIN = 32
/** Questions that wait for their answers: an inbox that asks more does not mean them. */
const MAX_QUESTIONS = 50_000
/** After what it asks of the database, a login waits so long for its next turn, so that it slows nobody. */
const TURN_PAUSE_MS = 20
/** A file with a temporary name must have another by then: until it has, it takes the place of others. */
const RENAME_WITHIN_MS = 10 * MINUTE_MS
const QUIET_EVERY_MS = 100
/** Files are read on once the inbox has read what it was sent of them. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024
const READ_AGAIN_MS = 10

type Session = {
  guest: SftpGuest
  home: Home
  client: string
  address: string
  /** The user whose data it sees. */
  userId: number
  leaving: AbortController
  waiting: number
  uploads: Map<number, { arrival: Arrival; received: Promise<void>; unnamed?: NodeJS.Timeout }>
  /** Undefined while it is being opened. */
  files: Map<number, PickedUp | undefined>
}

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

export function createDesk(
  deps: Deps,
  send: (message: ToInbox, bytes?: readonly Uint8Array[]) => void,
  unreadBytes: () => number,
): Desk {
  const sessions = new Map<number, Session>()
  /** By their numbers, whose they are. */
  const uploads = new Map<number, Session>()
  const files = new Map<number, Session>()
  const turns = createKeyedSemaphore<number>(() => 1)
  let questions = 0

  function requireSession(number: number): Session {
    const session = sessions.get(number)
    if (!session) throw new DomainError('UNAUTHENTICATED', 'The session has ended.')
    return session
  }

  /** Does what needs the database when it is the turn of the session's login. */
  async function inTurn<T>(session: Session, work: () => Promise<T>): Promise<T> {
    const { signal } = session.leaving
    if (session.waiting >= MAX_WAITING) throw tooMany()
    session.waiting += 1
    try {
      const endTurn = await turns.acquire(session.guest.loginId, signal)
      try {
        return await work()
      } finally {
        setTimeout(endTurn, TURN_PAUSE_MS)
      }
    } finally {
      session.waiting -= 1
    }
  }

  async function signIn({
    session: number,
    username,
    address,
    client,
    proof,
  }: Question & { type: 'sign-in' }): Promise<Answer> {
    requireFree(number)
    const judged = await judgeSftpProof(deps, username, await toProof(proof))
    const counted = toCountedAddress(address) ?? 'unknown'
    if ('tried' in judged) {
      if (proof.kind !== 'key') {
        const caller = { origin: 'web', actor: null, address: counted } as const
        await withCaller(caller, () => recordFailedSftpSignIn(deps, judged.tried, counted))
        deps.metrics.sftpSignIn('failed')
      }
      throw new DomainError('UNAUTHENTICATED', 'The user name, the password or the key is wrong.')
    }
    const { guest, place } = judged
    const others = [...sessions.values()].filter((other) => other.guest.loginId === guest.loginId)
    if (others.length >= MAX_SESSIONS_OF_LOGIN) {
      throw new DomainError('UNAVAILABLE', 'There are too many sessions of this login.')
    }
    const home = place.kind === 'connection' ? 'drop-box' : 'pick-up'
    if (proof.kind !== 'key') {
      requireFree(number)
      deps.metrics.sftpSignIn('ok')
      sessions.set(number, {
        guest,
        home,
        client: readSshFamily(client),
        address: counted,
        userId: place.kind === 'connection' ? place.connection.supplierId : place.retailer.userId,
        leaving: new AbortController(),
        waiting: 0,
        uploads: new Map(),
        files: new Map(),
      })
    }
    return { type: 'signed-in', home }
  }

  function requireFree(number: number): void {
    if (!sessions.has(number) && sessions.size < MAX_SESSIONS) return
    throw new DomainError('UNAVAILABLE', 'There are too many sessions. Try again later.')
  }

  async function list(number: number): Promise<Answer> {
    const session = requireSession(number)
    const { guest, home, leaving } = session
    const entries = await inTurn(session, () =>
      home === 'drop-box' ? listDropBox(deps, guest) : listPickUp(deps, guest, leaving.signal),
    )
    return { type: 'listed', entries: entries.map(toShort) }
  }

  async function put({
    session: number,
    upload,
    name,
  }: Question & { type: 'put' }): Promise<Answer> {
    const session = requireSession(number)
    if (session.uploads.size >= MAX_OPEN || uploads.has(upload)) throw tooMany()
    const { guest, client, address } = session
    const arrival = createArrival(name)
    const caller = { origin: 'web', actor: null, address } as const
    const turn = Promise.withResolvers<void>()
    const received = turn.promise.then(() =>
      withCaller(caller, () => receiveBySftp(deps, guest, client, arrival.take)),
    )
    received.catch((error: unknown) => arrival.fail(error as Error))
    session.uploads.set(upload, { arrival, received })
    uploads.set(upload, session)
    try {
      await inTurn(session, () => {
        turn.resolve()
        return arrival.begun
      })
    } catch (error) {
      turn.reject(error)
      forgetUpload(upload)
      throw error
    }
    return { type: 'done' }
  }
  const findUpload = (upload: number) => uploads.get(upload)?.uploads.get(upload)
  function requireUpload(upload: number) {
    const found = findUpload(upload)
    if (!found) throw new DomainError('NOT_FOUND', 'The file was broken off. Send it again.')
    return found
  }
  function forgetUpload(upload: number): void {
    clearTimeout(findUpload(upload)?.unnamed)
    uploads.get(upload)?.uploads.delete(upload)
    uploads.delete(upload)
  }
  async function fill(upload: number): Promise<Answer> {
    const found = requireUpload(upload)
    await found.arrival.fill()
    found.unnamed ??= setTimeout(() => abandon(upload), RENAME_WITHIN_MS).unref()
    return { type: 'done' }
  }
  async function finish({ upload, name: given }: Question & { type: 'name' }): Promise<Answer> {
    const { arrival, received } = requireUpload(upload)
    const session = uploads.get(upload)
    arrival.name(given)
    try {
      await received
    } catch (error) {
      const refusal = toRefusal(error)
      if (session && refusal) {
        const { message } = refusal
        await tellRefused(session, { fileName: given, sizeBytes: arrival.sizeBytes(), message })
      }
      throw error
    } finally {
      forgetUpload(upload)
    }
    return { type: 'done' }
  }
  function abandon(upload: number): void {
    const session = uploads.get(upload)
    const found = findUpload(upload)
    forgetUpload(upload)
    if (!session || !found) return
    const { arrival } = found
    const unnamed = arrival.unnamed()
    arrival.abandon()
    if (!unnamed) return
    void tellRefused(session, { ...unnamed, message: NEVER_RENAMED })
  }
  async function tellRefused(
    { guest, address }: Session,
    refused: Parameters<typeof recordRefused>[2],
  ): Promise<void> {
    const caller = { origin: 'web', actor: null, address } as const
    await withCaller(caller, () => recordRefused(deps, guest, refused)).catch((err: unknown) =>
      deps.logger.warn({ err }, 'What became of a file could not be recorded'),
    )
  }

  async function open({ session: number, file }: Question & { type: 'open' }): Promise<Answer> {
    const session = requireSession(number)
    if (session.files.size >= MAX_OPEN || files.has(file)) throw tooMany()
    if (session.home !== 'pick-up') throw new DomainError('NOT_FOUND', 'There is no such file.')
    const { guest, client, leaving } = session
    session.files.set(file, undefined)
    files.set(file, session)
    try {
      const opened = await inTurn(session, () => openPickUp(deps, guest, client, leaving.signal))
      session.files.set(file, opened)
      return { type: 'opened', sizeBytes: opened.sizeBytes }
    } catch (error) {
      release(file)
      throw error
    }
  }
  function release(file: number): void {
    files.get(file)?.files.delete(file)
    files.delete(file)
  }
  async function read({ file, at, length }: Question & { type: 'read' }) {
    const opened = files.get(file)?.files.get(file)
    if (!opened) throw new DomainError('NOT_FOUND', 'This file is not open.')
    // What the inbox has not read is in the memory of this process.
    while (unreadBytes() > MAX_UNREAD_BYTES) await sleep(READ_AGAIN_MS)
    const bytes = await opened.read(at, length)
    if (at + bytes.length >= opened.sizeBytes) opened.noteRead()
    deps.metrics.sftpBytes('sent', bytes.length)
    return bytes
  }

  function leave(number: number): void {
    const session = sessions.get(number)
    if (!session) return
    for (const upload of session.uploads.keys()) abandon(upload)
    for (const file of session.files.keys()) files.delete(file)
    sessions.delete(number)
    session.leaving.abort(new DomainError('INVALID', 'The connection ended.'))
  }

  async function answer(question: Question, bytes: readonly Buffer[]): Promise<void> {
    const { id } = question
    questions += 1
    try {
      if (question.type === 'read') {
        const content = await read(question)
        return send({ type: 'content', id }, [content])
      }
      send({ ...(await act(question, bytes)), id } as ToInbox)
    } catch (error) {
      send({ type: 'refused', id, ...toRefused(error) })
    } finally {
      questions -= 1
    }
  }
  async function act(
    question: Exclude<Question, { type: 'read' }>,
    bytes: readonly Buffer[],
  ): Promise<Answer> {
    switch (question.type) {
      case 'sign-in':
        return signIn(question)
      case 'list':
        return list(question.session)
      case 'put':
        return put(question)
      case 'piece': {
        for (const { length } of bytes) deps.metrics.sftpBytes('received', length)
        await requireUpload(question.upload).arrival.add(bytes)
        return { type: 'done' }
      }
      case 'fill':
        return fill(question.upload)
      case 'name':
        return finish(question)
      case 'open':
        return open(question)
    }
  }
  function toRefused(error: unknown): { refusal: Refusal; message: string } {
    const refusal = toRefusal(error)
    if (refusal) {
      const message = refusal.message.slice(0, MAX_REASON_LENGTH)
      return { refusal: REFUSALS[refusal.code] ?? 'failed', message }
    }
    deps.logger.error({ err: error }, 'Something that the inbox asked for failed')
    return { refusal: 'later', message: 'Something went wrong here. Try again later.' }
  }

  return {
    take(message, bytes) {
      if (questions > MAX_QUESTIONS) throw new Error('The inbox asks more than it can mean')
      if ('id' in message) return void answer(message, bytes)
      switch (message.type) {
        case 'leave':
          return leave(message.session)
        case 'abandon':
          return abandon(message.upload)
        case 'release':
          return release(message.file)
      }
    },
    async review(topics) {
      for (const [number, { guest, userId }] of sessions) {
        const isConcerned =
          topics === 'all' ||
          topics.has(`sftp-login ${guest.loginId}`) ||
          topics.has(`user ${userId}`)
        if (!isConcerned) continue
        try {
          await requirePlace(deps.db, guest)
        } catch (error) {
          if (!(error instanceof DomainError)) continue
          send({ type: 'end', session: number })
          leave(number)
        }
      }
    },
    async close() {
      const received = [...sessions.values()].flatMap((session) =>
        [...session.uploads.values()].map((upload) => upload.received),
      )
      for (const number of sessions.keys()) leave(number)
      await Promise.allSettled(received)
    },
    sessions: () => sessions.size,
    async quiet(waitMs) {
      const until = performance.now() + waitMs
      while (uploads.size > 0 && performance.now() < until) await sleep(QUIET_EVERY_MS)
    },
  }
}

const toShort = (entry: Entry): Entry => ({
  ...entry,
  text: entry.text?.slice(0, MAX_TEXT_LENGTH) ?? null,
})

const tooMany = () => new DomainError('UNAVAILABLE', 'Too many files are open at once.')

const REFUSALS: Partial<Record<DomainError['code'], Refusal>> = {
  NOT_FOUND: 'missing',
  UNAUTHENTICATED: 'denied',
  FORBIDDEN: 'denied',
  UNAVAILABLE: 'later',
  THROTTLED: 'later',
}

async function toProof(proof: Proof): Promise<SftpProof> {
  if (proof.kind === 'password') return proof
  const key = Buffer.from(proof.key, 'base64')
  if (proof.kind === 'key') return { kind: 'key', key }
  const { default: ssh } = await import('ssh2')
  return {
    kind: 'signature',
    key,
    verify(line) {
      const known = ssh.utils.parseKey(line)
      if (known instanceof Error) return false
      // It would be one with SHA-1.
      if (known.type === 'ssh-rsa' && proof.hash === null) return false
      const [signature, blob] = [proof.signature, proof.blob].map((text) =>
        Buffer.from(text, 'base64'),
      )
      return known.verify(blob!, signature!, proof.hash ?? undefined)
    },
  }
}

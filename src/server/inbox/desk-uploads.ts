import { MINUTE_MS } from '../../shared/durations'
import { withCaller } from '../domain/caller'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { toRefusal } from '../domain/refusal'
import { NEVER_RENAMED, receiveBySftp, recordRefused } from '../features/publication/inbox/drop-box'
import { createArrival } from './arrival'
import { MAX_OPEN, type Session, type Sessions, tooMany, type Upload } from './desk-sessions'

/** A file with a temporary name must have another by then: until it has, it takes the place of others. */
const RENAME_WITHIN_MS = 10 * MINUTE_MS

const toCaller = ({ address }: Session) => ({ origin: 'web', actor: null, address }) as const

/** The files that come to the inbox, by the numbers that it gives them. */
export function createUploads(deps: Deps, sessions: Sessions) {
  /** Whose they are. */
  const owners = new Map<number, Session>()
  const find = (number: number) => owners.get(number)?.uploads.get(number)

  function require(number: number): Upload {
    const found = find(number)
    if (!found) throw new DomainError('NOT_FOUND', 'The file was broken off. Send it again.')
    return found
  }
  function forget(number: number): void {
    clearTimeout(find(number)?.unnamed)
    owners.get(number)?.uploads.delete(number)
    owners.delete(number)
  }
  function abandon(number: number): void {
    const session = owners.get(number)
    const arrival = find(number)?.arrival
    forget(number)
    if (!session || !arrival) return
    const unnamed = arrival.unnamed()
    arrival.abandon()
    if (unnamed) void tellRefused(deps, session, { ...unnamed, message: NEVER_RENAMED })
  }

  return {
    /** A file is about to come. */
    async put(session: Session, number: number, name: string): Promise<void> {
      if (session.uploads.size >= MAX_OPEN || owners.has(number)) throw tooMany()
      const { guest, client } = session
      const arrival = createArrival(name)
      const turn = Promise.withResolvers<void>()
      const received = turn.promise.then(() =>
        withCaller(toCaller(session), () => receiveBySftp(deps, guest, client, arrival.take)),
      )
      received.catch((error: unknown) => arrival.fail(error as Error))
      session.uploads.set(number, { arrival, received })
      owners.set(number, session)
      try {
        await sessions.inTurn(session, () => {
          turn.resolve()
          return arrival.begun
        })
      } catch (error) {
        turn.reject(error)
        forget(number)
        throw error
      }
    },
    /** The next bytes of a file. */
    async add(number: number, bytes: readonly Buffer[]): Promise<void> {
      for (const { length } of bytes) deps.metrics.sftpBytes('received', length)
      await require(number).arrival.add(bytes)
    },
    /** All of it has come, but for its name. */
    async fill(number: number): Promise<void> {
      const found = require(number)
      await found.arrival.fill()
      found.unnamed ??= setTimeout(() => abandon(number), RENAME_WITHIN_MS).unref()
    },
    /** It is complete and has its name; resolves once it is received. */
    async name(number: number, fileName: string): Promise<void> {
      const { arrival, received } = require(number)
      const session = owners.get(number)
      arrival.name(fileName)
      try {
        await received
      } catch (error) {
        const message = toRefusal(error)?.message
        if (session && message !== undefined) {
          await tellRefused(deps, session, { fileName, sizeBytes: arrival.sizeBytes(), message })
        }
        throw error
      } finally {
        forget(number)
      }
    },
    abandon,
    count: () => owners.size,
  }
}

async function tellRefused(
  deps: Deps,
  session: Session,
  refused: Parameters<typeof recordRefused>[2],
): Promise<void> {
  const record = () => recordRefused(deps, session.guest, refused)
  await withCaller(toCaller(session), record).catch((err: unknown) =>
    deps.logger.warn({ err }, 'What became of a file could not be recorded'),
  )
}

import { randomUUID } from 'node:crypto'

import type { ReceivedWay } from '../../../../shared/constants'
import { inLossyTransaction, inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import { type Actor, selfOf } from '../../../domain/actor'
import { type Attempt, countAttemptsIn } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { keepLease, LEASE_MS } from '../../../domain/lease'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import type { StoredFile } from '../../../storage/file-store'
import { loadConnection } from '../../catalogue/connections/connections'
import {
  findConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { requireStored } from '../../distribution/stored-files/storage-cleaning'
import { findUser } from '../../people/accounts/users.queries'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { fillDraft, requireSpace, type SentFile, type TakeFile } from './arriving-file'
import { insertReceivedFile, listWaitingFiles } from './received-files.queries'
import {
  countUploads,
  deleteExpiredUploads,
  deleteUpload,
  insertUpload,
  renewUpload,
} from './uploads.queries'
import { NEWER_ARRIVED, removeOriginals, skipWaitingFiles } from './waiting-files'

/**
 * Files that are sent to one connection at the same time, to all processes together. Whoever has a link, a login or an
 * address can keep its places taken, so that one is left for people who have signed in.
 */
const MAX_UPLOADS = { fromPeople: 3, fromOthers: 2 }
const RETRY_AFTER_SECONDS = 10

/** Updates that wait to be read, each of which counts: at most so many, and so many times the largest file. */
const MAX_WAITING = { files: 100, largest: 4 }

/** Who sends a file: a user, whoever has a link, or somebody by another way, by the name that is known there. */
type Sender =
  | { userId: number; linkEnd: null }
  | { userId: null; linkEnd: string }
  | { userId: number | null; linkEnd: null; way: ReceivedWay; name: string | null }

/**
 * Receives a file from a user.
 * @throws DomainError NOT_FOUND for another supplier’s connection; as `receiveFile`
 */
export async function receiveFromUser(
  deps: Deps,
  actor: Actor,
  connectionId: number,
  take: TakeFile,
): Promise<{ connectionId: number; id: number }> {
  const connection = await loadConnection(deps.db, actor, connectionId)
  const sender = { userId: selfOf(actor).id, linkEnd: null }
  const requireRight = (db: Db) => requireSignedIn(db, actor)
  const sending = { sender, attempts: [], requireRight, ...take() }
  return { connectionId, id: await receiveFile(deps, connection, sending) }
}

async function requireSignedIn(db: Db, { id, sessionEpoch }: Actor): Promise<void> {
  const user = await findUser(db, id)
  if (user?.isActive && user.sessionEpoch === sessionEpoch) return
  throw new DomainError('UNAUTHENTICATED', 'You were signed out while the file was sent')
}

type Sending = {
  sender: Sender
  /** What its way counts besides: see `Place`. */
  attempts: readonly Attempt[]
  /** Asked again when all has arrived, which may take hours: whoever had the right may have lost it. */
  requireRight: (db: Db) => Promise<unknown>
  file: SentFile
  signal: AbortSignal
}

/**
 * Stores a file that is being sent to a connection, and has it read next. Files that wait are skipped: the
 * newest counts.
 * @returns its id
 * @throws DomainError CONFLICT while the connection is paused; INVALID for no bytes, or others than said;
 *   TOO_LARGE; THROTTLED; UNAVAILABLE; as `requireRight`
 */
export async function receiveFile(
  deps: Deps,
  connection: ConnectionRow,
  { file, signal, attempts: ofWay, ...by }: Sending,
): Promise<number> {
  requireActive(connection)
  await requireSpace(deps)
  const places = by.sender.userId === null ? MAX_UPLOADS.fromOthers : MAX_UPLOADS.fromPeople
  const attempts = [...ofWay, { limit: 'receiveFile', subject: connection.id } as const]
  return whileTaking(deps, connection, { places, attempts, signal }, async (leaseToken, leased) => {
    const draft = deps.files.createDraft(leaseToken)
    try {
      const content = await fillDraft(deps, draft, file, leased)
      await draft.commit(content)
      leased.throwIfAborted()
      const fileName = file.namedLater ? await file.namedLater(leased) : file.fileName
      const { isFull } = file
      return await nameFile(deps, connection, { ...content, fileName, isFull, ...by })
    } finally {
      await draft.discard()
    }
  })
}

/**
 * Does what is done while something arrives at a connection by itself: its lease protects its scratch files, and what it
 * stores until that is named.
 * @throws DomainError THROTTLED while others arrive, or when a limit is reached
 */
export function whileArriving<Result>(
  deps: Deps,
  connection: ConnectionRow,
  { attempts, signal }: Omit<Place, 'places'>,
  work: Arriving<Result>,
): Promise<Result> {
  return whileTaking(deps, connection, { places: MAX_UPLOADS.fromOthers, attempts, signal }, work)
}

type Place = {
  /** How many files may arrive at the connection, this one included. */
  places: number
  /** Counted once it has a place: whoever is told to come again would otherwise use up the limit by doing so. */
  attempts: readonly Attempt[]
  signal: AbortSignal
}

type Arriving<Result> = (leaseToken: string, leased: AbortSignal) => Promise<Result>

async function whileTaking<Result>(
  deps: Deps,
  connection: ConnectionRow,
  { signal, ...place }: Place,
  work: Arriving<Result>,
): Promise<Result> {
  const leaseToken = await beginUpload(deps, connection, place)
  const lease = keepLease(() => renew(deps, leaseToken), signal)
  try {
    return await work(leaseToken, lease.signal)
  } finally {
    lease.release()
    await inLossyTransaction(deps.db, (trx) => deleteUpload(trx, leaseToken))
  }
}

async function beginUpload(
  deps: Deps,
  { id }: ConnectionRow,
  { places, attempts }: Omit<Place, 'signal'>,
): Promise<string> {
  const leaseToken = randomUUID()
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await findConnection(trx, id, {})
    if (!connection) throw notFound('Connection')
    await deleteExpiredUploads(trx, now)
    const count = await countUploads(trx, id, now)
    if (count >= places) {
      throw new DomainError('THROTTLED', `${count} files are being sent already`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    await countAttemptsIn(trx, deps, attempts)
    await insertUpload(trx, connection, { startedAt: now, leaseToken, leaseUntil: now + LEASE_MS })
  })
  return leaseToken
}

function requireActive({ isActive }: ConnectionRow): void {
  if (isActive) return
  throw new DomainError('CONFLICT', 'This connection is paused. Activate it to send a file.')
}

function renew(deps: Deps, leaseToken: string): Promise<boolean> {
  return inLossyTransaction(deps.db, (trx) => {
    const now = deps.clock.now()
    return renewUpload(trx, { leaseToken, leaseUntil: now + LEASE_MS }, now)
  })
}

/**
 * Updates wait until each has been read, so they must not become too many.
 * @throws DomainError THROTTLED
 */
async function requireRoom(
  trx: WriteTransaction,
  { config }: Deps,
  { id }: Owned<ConnectionRow>,
  sizeBytes: number,
): Promise<string[]> {
  const waiting = await listWaitingFiles(trx, id)
  const bytes = waiting.reduce((sum, file) => sum + file.sizeBytes, sizeBytes)
  const isRoom =
    waiting.length < MAX_WAITING.files && bytes <= MAX_WAITING.largest * config.maxFileBytes
  if (isRoom) return []
  throw new DomainError('THROTTLED', 'Too many files wait to be read. Send this one again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

type Arrived = StoredFile & Pick<Sending, 'sender'> & Pick<SentFile, 'fileName' | 'isFull'>

async function nameFile(
  deps: Deps,
  { id: connectionId }: ConnectionRow,
  { requireRight, ...arrived }: Arrived & Pick<Sending, 'requireRight'>,
): Promise<number> {
  const { id, skipped } = await inTransaction(deps.db, async (trx) => {
    const connection = await findConnection(trx, connectionId, {})
    if (!connection) throw notFound('Connection')
    await requireRight(trx)
    return addReceivedFile(trx, deps, connection, arrived)
  })
  await haveRead(deps, skipped)
  return id
}

/** Has a received file read next. @param skipped as `addReceivedFile` returns it */
export async function haveRead(deps: Deps, skipped: readonly string[]): Promise<void> {
  await removeOriginals(deps, skipped)
  await wakeScheduler(deps)
}

/**
 * Names a stored file as one that was received; `haveRead` follows the transaction.
 * @returns its id, and the stored files of those that it replaces
 * @throws DomainError CONFLICT while the connection is paused; THROTTLED
 */
export async function addReceivedFile(
  trx: WriteTransaction,
  deps: Deps,
  connection: Owned<ConnectionRow>,
  { sha256, sizeBytes, fileName, isFull: said, sender }: Arrived,
): Promise<{ id: number; skipped: string[] }> {
  const now = deps.clock.now()
  requireActive(connection)
  await requireStored(trx, deps, [sha256])
  const { updates } = connection
  const isNextFull = said === undefined && updates?.nextIsFull === true
  const isFull = updates ? isNextFull || (said ?? null) : null
  const skipped = updates
    ? await requireRoom(trx, deps, connection, sizeBytes)
    : await skipWaitingFiles(trx, connection, { now, message: NEWER_ARRIVED })
  const other = 'way' in sender ? { way: sender.way, sender: sender.name } : {}
  const by = { receivedBy: sender.userId, linkEnd: sender.linkEnd, ...other }
  const received = { fileName, sizeBytes, sha256, isFull, receivedAt: now }
  const id = await insertReceivedFile(trx, connection, { ...received, ...by })
  await updateConnectionRow(trx, connection, {
    nextSyncAt: now,
    ...(isFull && updates && { updates: { ...updates, nextIsFull: false } }),
  })
  await recordConnectionAudit(trx, deps, connection, {
    verb: toVerb(sender),
    after: {
      file: fileName,
      ...(isFull !== null && { isFull }),
      ...(sender.linkEnd !== null && { link: `…${sender.linkEnd}` }),
      ...('way' in sender && { sender: sender.name }),
    },
  })
  return { id, skipped }
}

function toVerb(sender: Sender) {
  if (sender.userId !== null) return 'receive-file'
  return 'way' in sender ? (`receive-by-${sender.way}` as const) : 'receive-by-link'
}

import { randomUUID } from 'node:crypto'

import { formatFileSize } from '../../../../shared/format'
import { inLossyTransaction, inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { DomainError, notFound } from '../../../domain/errors'
import { keepLease, LEASE_MS } from '../../../domain/lease'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { enforceMinimumSpeed } from '../../../files/fetch/minimum-speed'
import { FileError } from '../../../files/file-error'
import type { FileDraft, StoredFile } from '../../../storage/file-store'
import { loadConnection } from '../../catalogue/connections/connections'
import {
  findConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { requireStored } from '../../distribution/stored-files/storage-cleaning'
import { findUser } from '../../people/accounts/users.queries'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { insertReceivedFile, listWaitingFiles } from './received-files.queries'
import {
  countUploads,
  deleteExpiredUploads,
  deleteUpload,
  insertUpload,
  renewUpload,
} from './uploads.queries'
import { NEWER_ARRIVED, removeOriginals, skipWaitingFiles } from './waiting-files'

/** Files that are sent to one connection at the same time, to all processes together. */
const MAX_UPLOADS = 2
const RETRY_AFTER_SECONDS = 10
/** A sender that is slower would hold a scratch file and a place for hours. */
const MINIMUM_SPEED = { idleMs: 30_000, slowWindowMs: 60_000, minBytesPerSecond: 1_024 }

/** Updates that wait to be read, each of which counts: at most so many, and so many times the largest file. */
const MAX_WAITING = { files: 100, largest: 4 }

/** Who sends a file: a user, or whoever has a link. */
type Sender = { userId: number; linkEnd: null } | { userId: null; linkEnd: string }

export type SentFile = {
  fileName: string
  /** What its bytes are to hash to, in hexadecimal; null when that was not said. */
  sha256: string | null
  /** Whether it is a full file, and no update; undefined when that was not said. */
  isFull?: boolean | undefined
  body: AsyncIterable<Buffer>
}

/** What is sent, and until when; called once it is known that it may be. */
export type TakeFile = () => { file: SentFile; signal: AbortSignal }

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
  requireActive(connection)
  await countAttempts(deps, [{ limit: 'receiveFile', subject: connection.id }])
  const sender = { userId: actor.id, linkEnd: null }
  const requireRight = (db: Db) => requireSignedIn(db, actor)
  const id = await receiveFile(deps, connection, { sender, requireRight, ...take() })
  return { connectionId, id }
}

async function requireSignedIn(db: Db, { id, sessionEpoch }: Actor): Promise<void> {
  const user = await findUser(db, id)
  if (user?.isActive && user.sessionEpoch === sessionEpoch) return
  throw new DomainError('UNAUTHENTICATED', 'You were signed out while the file was sent')
}

type Sending = {
  sender: Sender
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
  { file, signal, ...by }: Sending,
): Promise<number> {
  await requireSpace(deps)
  const leaseToken = await beginUpload(deps, connection)
  const draft = deps.files.createDraft(leaseToken)
  const lease = keepLease(() => renew(deps, leaseToken), signal)
  try {
    const content = await fillDraft(deps, draft, file, lease.signal)
    await draft.commit(content)
    lease.signal.throwIfAborted()
    const { fileName, isFull } = file
    return await nameFile(deps, connection, { ...content, fileName, isFull, ...by })
  } finally {
    lease.release()
    await draft.discard()
    await inLossyTransaction(deps.db, (trx) => deleteUpload(trx, leaseToken))
  }
}

/** @throws DomainError UNAVAILABLE while the disk is nearly full */
export async function requireSpace(deps: Deps): Promise<void> {
  if (!(await findShortage(deps))) return
  throw new DomainError('UNAVAILABLE', 'The server is short of disk space. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/** Its lease protects the scratch file, and the stored one until it is named. */
async function beginUpload(deps: Deps, { id }: ConnectionRow): Promise<string> {
  const leaseToken = randomUUID()
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await findConnection(trx, id, {})
    if (!connection) throw notFound('Connection')
    requireActive(connection)
    await deleteExpiredUploads(trx, now)
    if ((await countUploads(trx, id, now)) >= MAX_UPLOADS) {
      throw new DomainError('THROTTLED', `${MAX_UPLOADS} files are being sent already`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
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
 * Writes what is sent to a scratch file.
 * @throws DomainError INVALID for no bytes, others than said, or too slow ones; TOO_LARGE
 */
export async function fillDraft(
  deps: Deps,
  draft: FileDraft,
  { body, sha256 }: SentFile,
  signal: AbortSignal,
): Promise<StoredFile> {
  const content = await draft.fill(limited(body, deps.config.maxFileBytes, signal))
  if (content.sizeBytes === 0) throw new DomainError('INVALID', 'The file is empty')
  if (sha256 !== null && sha256 !== content.sha256) {
    const hash = Buffer.from(content.sha256, 'hex').toString('base64')
    throw new DomainError(
      'INVALID',
      `The file is not the one that its digest says: the SHA-256 of what arrived is ${hash}`,
    )
  }
  return content
}

async function* limited(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let bytes = 0
  const inTime = enforceMinimumSpeed(body, MINIMUM_SPEED, signal, () => performance.now())
  try {
    for await (const chunk of inTime) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new DomainError('INVALID', 'The file came too slowly. Send it again.')
  }
}

export const tooLarge = (maxBytes: number) =>
  new DomainError(
    'TOO_LARGE',
    `The file is larger than ${formatFileSize(maxBytes)}, the maximum size.`,
  )

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

type Arrived = StoredFile &
  Pick<Sending, 'sender' | 'requireRight'> &
  Pick<SentFile, 'fileName' | 'isFull'>

async function nameFile(
  deps: Deps,
  { id: connectionId }: ConnectionRow,
  { sha256, sizeBytes, fileName, isFull: said, sender, requireRight }: Arrived,
): Promise<number> {
  const { id, skipped } = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await findConnection(trx, connectionId, {})
    if (!connection) throw notFound('Connection')
    requireActive(connection)
    await requireRight(trx)
    await requireStored(trx, deps, sha256)
    const { updates } = connection
    const isNextFull = said === undefined && updates?.nextIsFull === true
    const isFull = updates ? isNextFull || (said ?? null) : null
    const replaced = updates
      ? await requireRoom(trx, deps, connection, sizeBytes)
      : await skipWaitingFiles(trx, connection, { now, message: NEWER_ARRIVED })
    const received = { fileName, sizeBytes, sha256, isFull, receivedAt: now }
    const by = { receivedBy: sender.userId, linkEnd: sender.linkEnd }
    const inserted = await insertReceivedFile(trx, connection, { ...received, ...by })
    await updateConnectionRow(trx, connection, {
      nextSyncAt: now,
      ...(isFull && updates && { updates: { ...updates, nextIsFull: false } }),
    })
    await recordConnectionAudit(trx, deps, connection, {
      verb: sender.userId === null ? 'receive-by-link' : 'receive-file',
      after: {
        file: fileName,
        ...(isFull !== null && { isFull }),
        ...(sender.linkEnd !== null && { link: `…${sender.linkEnd}` }),
      },
    })
    return { id: inserted, skipped: replaced }
  })
  await removeOriginals(deps, skipped)
  await wakeScheduler(deps)
  return id
}

import { createHash } from 'node:crypto'

import { MAX_WAITING_MAILS } from '../../../../shared/constants'
import { inTransaction, type Db } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import type { ReadMailResult } from '../../../files/mail/read-mail'
import type { FileDraft, StoredFile } from '../../../storage/file-store'
import { readReturnAddress } from '../../distribution/destinations/return-address'
import { requireStored } from '../../distribution/stored-files/storage-cleaning'
import { requireSpace } from '../received-files/arriving-file'
import { addReceivedFile, haveRead, whileArriving } from '../received-files/receive-file'
import { removeOriginals } from '../received-files/waiting-files'
import { type ArrivingMail, fillMessage, isUnreadable } from './arriving-message'
import { findMailInbox, type FoundMailInbox } from './find-mail-inbox'
import { judgeMail } from './judge-mail'
import { updateMailInbox } from './mail-inboxes.queries'
import { countWaitingMails, findMailByDigest, insertMail } from './mails.queries'
import { receiveReport } from './receive-report'
import { tellOfWaitingMail } from './tell-of-mail'

/**
 * Its file is on its way to be read, or waits, or has waited, for a person. It is on the disk. `noted` and `dropped` are
 * of reports on mails that went from here.
 */
export type Settled = 'taken' | 'waiting' | 'noted' | 'dropped'

/**
 * Receives a mail: its file is taken, or waits until a person has decided, or it is refused. One that comes again
 * is answered as the first time.
 * @returns once that is durable
 * @throws DomainError, of which `isForLater` tells whether the mail may be sent again: NOT_FOUND for an address that
 *   is none; INVALID for a message without a table; TOO_LARGE; THROTTLED; UNAVAILABLE
 */
export async function receiveMail(deps: Deps, mail: ArrivingMail): Promise<Settled> {
  try {
    const returned = readReturnAddress(deps, mail.recipient)
    const settled = returned
      ? await receiveReport(deps, returned, mail)
      : await takeMail(deps, mail)
    deps.metrics.mailReceived(settled)
    return settled
  } catch (error) {
    deps.metrics.mailReceived(isForLater(error) ? 'later' : 'refused')
    throw error
  }
}

async function takeMail(deps: Deps, { recipient, body, signal }: ArrivingMail): Promise<Settled> {
  const found = await findMailInbox(deps, recipient)
  if (!found) throw unknownAddress()
  await requireSpace(deps)
  const attempts = [{ limit: 'receiveMail', subject: found.inbox.id }] as const
  return whileArriving(deps, found.connection, { attempts, signal }, async (leaseToken, leased) => {
    const [message, table] = [
      deps.files.createDraft(leaseToken),
      deps.files.createDraft(leaseToken),
    ]
    try {
      const content = await fillMessage(deps, message, body, leased)
      const read = await readMessage(deps, { message, table, content }, leased)
      const { file } = read
      if (file) await table.commit(file.content)
      leased.throwIfAborted()
      return await settle(deps, recipient, read)
    } finally {
      await message.discard()
      await table.discard()
    }
  })
}

/** Whether a mail that could not be received may be sent again, unchanged. */
export const isForLater = (error: unknown): boolean =>
  !(error instanceof DomainError) || !FOR_GOOD.has(error.code)

const FOR_GOOD = new Set<DomainError['code']>(['INVALID', 'NOT_FOUND', 'TOO_LARGE'])

/** The same for all that are none, whatever they have been. */
const unknownAddress = () => notFound('Mailbox')

/** What was read of a message, by what it is known when it comes again, and why it is refused for good. */
type Read = Pick<ReadMailResult, 'sender' | 'subject' | 'dmarc' | 'file' | 'otherFiles'> & {
  digest: string
  refusal: string | null
}

type Arrived = { message: FileDraft; table: FileDraft; content: StoredFile }

async function readMessage(
  { readers, config }: Deps,
  { message, table, content }: Arrived,
  signal: AbortSignal,
): Promise<Read> {
  const task = { file: message.path, draft: table.path, authHost: config.mailAuthHost }
  try {
    const read = await readers.run('readMail', task, { signal })
    return { ...read, digest: toDigest(read), refusal: read.file ? null : whyNoFile(read) }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const none = { sender: null, subject: null, dmarc: null, file: null, otherFiles: 0 }
    return { ...none, digest: toHash([content.sha256]), refusal: `${error.message}.` }
  }
}

function whyNoFile({ hasWinmail }: ReadMailResult): string {
  return hasWinmail
    ? 'Its attachments are packed in winmail.dat, which only Outlook can open. Send it as plain text or HTML.'
    : 'No table is attached to it: attach a file such as stock.csv or stock.xlsx.'
}

/** A message is known by its id and its file: programs that forward it change everything else. */
function toDigest({ messageId, sender, subject, date, file }: ReadMailResult): string {
  const content = file?.content.sha256 ?? ''
  return toHash([messageId ?? `${date} ${subject}`, sender ?? '', content])
}

const toHash = (parts: readonly string[]) =>
  createHash('sha256').update(parts.join('\0')).digest('hex')

/** What is decided of a mail, all of it in one transaction. */
async function settle(deps: Deps, recipient: string, read: Read): Promise<Settled> {
  const { file, digest } = read
  const settled = await inTransaction(deps.db, async (trx) => {
    const found = await findMailInbox({ ...deps, db: trx }, recipient)
    if (!found) throw unknownAddress()
    const { inbox, connection } = found
    const now = deps.clock.now()
    const known = await findMailByDigest(trx, connection.id, digest)
    if (known) return { state: known.state, reason: known.reason, unneeded: file?.content.sha256 }
    await updateMailInbox(trx, inbox.id, { lastMailAt: now })
    const { sender, subject, otherFiles, refusal } = read
    const mail = { digest, sender, subject, otherFiles, receivedAt: now }
    if (!file) {
      const state = 'refused'
      await insertMail(trx, connection, { ...mail, state, reason: refusal, endedAt: now })
      return { state, reason: refusal }
    }
    const { sha256, sizeBytes } = file.content
    const attached = { ...mail, fileName: file.name, sizeBytes }
    const reason = judgeMail(read, inbox, connection)
    if (reason !== null) {
      await requireRoom(trx, found)
      await requireStored(trx, deps, [sha256])
      await insertMail(trx, connection, { ...attached, sha256, state: 'waiting', reason })
      await tellOfWaitingMail(trx, { inbox, connection, reason, now })
      return { state: 'waiting' as const, reason }
    }
    const by = { userId: null, linkEnd: null, way: 'mail', name: sender } as const
    const arrived = { ...file.content, fileName: file.name, sender: by }
    const { id: receivedFileId, skipped } = await addReceivedFile(trx, deps, connection, arrived)
    const state = 'taken'
    await insertMail(trx, connection, { ...attached, state, receivedFileId, endedAt: now })
    return { state, reason, skipped }
  })
  if ('skipped' in settled) await haveRead(deps, settled.skipped ?? [])
  if ('unneeded' in settled && settled.unneeded) await removeOriginals(deps, [settled.unneeded])
  const { state, reason } = settled
  if (state === 'refused') throw new DomainError('INVALID', reason ?? 'The mail was refused.')
  return state === 'taken' ? 'taken' : 'waiting'
}

/** Mails that wait have their files stored, so that there must not be many. */
async function requireRoom(db: Db, { connection }: FoundMailInbox): Promise<void> {
  if ((await countWaitingMails(db, connection.id)) < MAX_WAITING_MAILS) return
  throw new DomainError(
    'THROTTLED',
    `${MAX_WAITING_MAILS} mails wait for a decision already. Send this one again later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}

const RETRY_AFTER_SECONDS = 600

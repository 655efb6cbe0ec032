import { MAIL_DAYS, MAX_ALLOWED_SENDERS } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import type { Mail, MailInput, TakeMailInput } from '../../../../shared/schemas/mail-inbox'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { MailRow } from '../../../db/schema'
import { type Actor, selfOf } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { loadConnection } from '../../catalogue/connections/connections'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { addReceivedFile, haveRead } from '../received-files/receive-file'
import { nameForViewer } from '../received-files/received-files'
import { removeOriginals } from '../received-files/waiting-files'
import { isAllowed } from './judge-mail'
import { changeSenders } from './mail-inboxes'
import { findInboxOfConnection } from './mail-inboxes.queries'
import { findMail, type ListedMail, listMailRows, updateMail } from './mails.queries'

/** Lists the last mails of a connection, newest first, those that wait before all others. */
export async function listMails(deps: Deps, actor: Actor, connectionId: number): Promise<Mail[]> {
  const { id } = await loadConnection(deps.db, actor, connectionId)
  const rows = await listMailRows(deps.db, id)
  return rows.map((row) => toMail(row, actor))
}

function toMail(row: ListedMail, actor: Actor): Mail {
  const { id, sender, subject, fileName, sizeBytes, otherFiles, state, reason } = row
  const isWaiting = state === 'waiting'
  return {
    id,
    sender,
    subject,
    fileName,
    sizeBytes,
    otherFiles,
    state,
    reason,
    receivedAt: toInstant(row.receivedAt),
    receivedFileId: row.receivedFileId,
    decidedBy: nameForViewer(row, actor.role),
    waitsUntil: isWaiting ? toInstant(row.receivedAt + MAIL_DAYS * DAY_MS) : null,
    endedAt: toInstantOrNull(row.endedAt),
  }
}

/** What ends the waiting of a mail. Its file is not stored for it any more. */
const ended = (deps: Deps, actor: Actor) =>
  ({ sha256: null, decidedBy: selfOf(actor).id, endedAt: deps.clock.now() }) as const

/**
 * Takes the file of a mail that waits.
 * @throws DomainError NOT_FOUND; CONFLICT for one that waits no more, and while the connection is paused; THROTTLED
 */
export async function takeMail(
  deps: Deps,
  actor: Actor,
  { id: connectionId, mailId, allowsSender }: TakeMailInput,
): Promise<void> {
  const skipped = await inTransaction(deps.db, async (trx) => {
    const { connection, mail } = await loadWaiting(trx, actor, { id: connectionId, mailId })
    const { sha256, sizeBytes, fileName, sender } = mail
    if (sha256 === null || sizeBytes === null || fileName === null) throw decided()
    const by = { userId: selfOf(actor).id, linkEnd: null, way: 'mail', name: sender } as const
    const arrived = { sha256, sizeBytes, fileName, sender: by }
    const added = await addReceivedFile(trx, deps, connection, arrived)
    const changes = { ...ended(deps, actor), state: 'taken', reason: null } as const
    await updateMail(trx, mail.id, { ...changes, receivedFileId: added.id })
    await recordConnectionAudit(trx, deps, connection, {
      verb: 'take-mail',
      after: toAudited(mail),
    })
    const inbox = allowsSender ? await findInboxOfConnection(trx, connection.id) : undefined
    if (inbox && sender !== null && !isAllowed(sender, inbox.allowedSenders)) {
      const allowedSenders = [...inbox.allowedSenders, sender]
      if (allowedSenders.length > MAX_ALLOWED_SENDERS) throw tooManySenders()
      await changeSenders(trx, deps, { connection, inbox, allowedSenders })
    }
    return added.skipped
  })
  await haveRead(deps, skipped)
}

/** Discards a mail that waits. @throws DomainError NOT_FOUND; CONFLICT for one that waits no more */
export async function discardMail(
  deps: Deps,
  actor: Actor,
  { id, mailId }: MailInput,
): Promise<void> {
  const sha256 = await inTransaction(deps.db, async (trx) => {
    const { connection, mail } = await loadWaiting(trx, actor, { id, mailId })
    const changes = { ...ended(deps, actor), state: 'discarded', reason: null } as const
    await updateMail(trx, mail.id, changes)
    const after = toAudited(mail)
    await recordConnectionAudit(trx, deps, connection, { verb: 'discard-mail', after })
    return mail.sha256
  })
  await removeOriginals(deps, sha256 === null ? [] : [sha256])
}

async function loadWaiting(trx: WriteTransaction, actor: Actor, { id, mailId }: MailInput) {
  const connection = await loadConnection(trx, actor, id)
  const mail = await findMail(trx, { connectionId: connection.id, id: mailId })
  if (!mail) throw notFound('Mail')
  if (mail.state !== 'waiting') throw decided()
  return { connection, mail }
}

const decided = () => new DomainError('CONFLICT', 'This mail does not wait any more')

const tooManySenders = () =>
  new DomainError('LIMIT_REACHED', `At most ${MAX_ALLOWED_SENDERS} senders can be allowed`)

const toAudited = ({ sender, fileName }: MailRow) => ({ sender, file: fileName })

import { describeNotice, noticeMailPath } from '../../../../shared/account-notices'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { AccountMailRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { createSecretToken, hashSecretToken } from '../../../domain/secret-token'
import { productUrl, toMailBody } from '../../../mail/mail-body'
import { MailError, toMailReason } from '../../../mail/mailer'
import { findPerson, type Person } from '../accounts/persons.queries'
import {
  deleteAccountMail,
  findConfirmedAddress,
  findDueAccountMail,
  updateAccountMail,
} from './account-mails.queries'

/** Longer than an attempt takes, after which another process makes it again. */
const RETRY_MS = 3 * MINUTE_MS
/** What could not be sent for so long is not sent any more. */
const KEPT_MS = HOUR_MS

/** Queues the job that sends mails about accounts, if one waits. */
export async function queueWaitingAccountMails(deps: Deps): Promise<void> {
  if (deps.mail && (await findDueAccountMail(deps.db, deps.clock.now())))
    await queueAccountMails(deps)
}

export const queueAccountMails = (deps: Deps) =>
  deps.queue.add({ job: 'send-account-mails', key: 'waiting', payload: {} })

/** Sends the mails about accounts that are due, one after the other. */
export async function sendAccountMails(deps: Deps, signal: AbortSignal): Promise<void> {
  for (let due = await claim(deps); due && !signal.aborted; due = await claim(deps)) {
    await send(deps, due)
  }
}

type Claimed = { mail: AccountMailRow; token: string }

/** Takes the next mail, with a new token for its link: an earlier attempt may have been sent. */
function claim(deps: Deps): Promise<Claimed | undefined> {
  const token = createSecretToken()
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const mail = await findDueAccountMail(trx, now)
    if (!mail) return undefined
    const tokenHash = mail.kind === 'password-link' ? hashSecretToken(token) : null
    await updateAccountMail(trx, mail.id, { tokenHash, nextAttemptAt: now + RETRY_MS })
    return { mail, token }
  })
}

async function send(deps: Deps, { mail, token }: Claimed): Promise<void> {
  const { id, userId, kind, createdAt } = mail
  const person = userId === null ? undefined : await findPerson(deps.db, userId)
  const to = person?.isActive
    ? (mail.address ?? (await findConfirmedAddress(deps.db, person.id)))
    : undefined
  const isLate = createdAt < deps.clock.now() - KEPT_MS
  if (!deps.mail || !person || !to || isLate) {
    await inTransaction(deps.db, (trx) => deleteAccountMail(trx, id))
    return
  }
  const { title, text, path } = write(mail, person, token)
  const { appName } = deps.config
  const link = productUrl(deps, path)
  try {
    await deps.mail.send({
      to,
      subject: `${title} – ${appName}`,
      ...toMailBody({ title, text, link, appName }),
      messageId: `<account-${id}@${new URL(link).hostname}>`,
      // That mails to somebody come back is told by none that could come back itself.
      ...(kind === 'account.recipient-refused' && { returnPath: '' }),
    })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    deps.logger.warn({ reason: toMailReason(error) }, 'A mail about an account could not be sent')
    return
  }
  await inTransaction(deps.db, (trx) =>
    kind === 'password-link'
      ? updateAccountMail(trx, id, { nextAttemptAt: null })
      : deleteAccountMail(trx, id),
  )
}

function write(
  { kind, details }: AccountMailRow,
  { username, role }: Pick<Person, 'username' | 'role'>,
  token: string,
) {
  if (kind === 'password-link') {
    return {
      title: `A new password for ${username}`,
      text: `Somebody, perhaps you, has asked for a new password for the user ${username}. Open this link within an hour to choose one. It works once. If that was not you, ignore this mail: your password stays.`,
      path: `/new-password#token=${token}`,
    }
  }
  const { title, text } = describeNotice(kind, details ?? {})
  return { title: `${title}: ${username}`, text, path: noticeMailPath(kind, role) }
}

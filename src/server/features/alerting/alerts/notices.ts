import type { AlertKind, NoticeKind } from '../../../../shared/alerts'
import type { WriteTransaction } from '../../../db/open'
import { findWait, insertAttempts, type Attempt } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import type { Notice } from '../../../domain/notice'
import type { UserRecord } from '../../people/accounts/users.queries'
import { insertAccountMail, insertAccountMails } from '../../people/recovery/account-mails.queries'
import { insertEvent } from './events.queries'
import { insertNotifications } from './notifications.queries'

/**
 * Tells a person what happened to the own account, in the app and by mail, in the transaction in which it happens.
 * Nobody chooses not to be told. Whoever makes it happen again and again fills neither list nor mailbox.
 */
export async function tellPerson(
  trx: WriteTransaction,
  deps: Deps,
  { id: userId }: Pick<UserRecord, 'id'>,
  { kind, details = {}, mailTo }: Notice,
): Promise<void> {
  const now = deps.clock.now()
  const subject = `${kind} ${userId}`
  if (await isWithin(trx, deps, { limit: 'accountNotice', subject })) {
    const own = { kind, details: { ...details, onlyUserId: userId } }
    await insertNotice(trx, [userId], own, now)
  }
  if (!deps.mail || mailTo === null) return
  if (!(await countNoticeMail(trx, deps, kind, userId))) return
  const due = { createdAt: now, nextAttemptAt: now }
  await insertAccountMail(trx, { userId, kind, details, address: mailTo ?? null, ...due })
}

/**
 * Tells several people the same of their accounts, in the transaction in which it happens. The call that makes it
 * happen is limited, and nothing else.
 */
export async function tellPeople(
  trx: WriteTransaction,
  { clock, mail }: Deps,
  people: readonly number[],
  { kind, details = {} }: Notice,
): Promise<void> {
  if (people.length === 0) return
  const now = clock.now()
  await insertNotice(trx, people, { kind, details }, now)
  if (!mail) return
  const due = { address: null, createdAt: now, nextAttemptAt: now }
  await insertAccountMails(
    trx,
    people.map((userId) => ({ userId, kind, details, ...due })),
  )
}

/** Shows a notice in the app. */
async function insertNotice(
  trx: WriteTransaction,
  people: readonly number[],
  { kind, details }: Required<Pick<Notice, 'kind' | 'details'>>,
  now: number,
): Promise<void> {
  const about = { supplierId: null, connectionId: null, retailerId: null }
  const times = { createdAt: now, fannedOutAt: now }
  const eventId = await insertEvent(trx, { kind, ...about, details, ...times })
  await insertNotifications(trx, eventId, people)
}

/** Whether a mail of a kind may go to a person now: only so many in a time. It is counted then. */
export const countNoticeMail = (
  trx: WriteTransaction,
  deps: Deps,
  kind: AlertKind | NoticeKind,
  userId: number,
): Promise<boolean> =>
  isWithin(trx, deps, { limit: 'accountNoticeMail', subject: `${kind} ${userId}` })

/** Counts it if it is within its limit. */
async function isWithin(trx: WriteTransaction, deps: Deps, attempt: Attempt): Promise<boolean> {
  if ((await findWait(trx, deps, [attempt])) > 0) return false
  await insertAttempts(trx, deps, [attempt])
  return true
}

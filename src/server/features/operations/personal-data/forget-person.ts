import type { WriteTransaction } from '../../../db/open'
import { deleteAlertSettings } from '../../alerting/alerts/choices.queries'
import { deleteEventsFor } from '../../alerting/alerts/events.queries'
import { deleteNotificationsOf } from '../../alerting/alerts/notifications.queries'
import { deleteMailsTo } from '../../alerting/outbox/outbox.queries'
import { forgetRecipients } from '../../distribution/destinations/destinations.queries'
import { usernameKey } from '../../people/accounts/accounts'
import { deletePeople, forgetFirstLogin } from '../../people/accounts/deleted-users.queries'
import { listTakenUsernames } from '../../people/accounts/users.queries'
import { toPseudonym } from '../../people/audit/pseudonyms'
import { deleteInvitationsOf } from '../../people/invitations/invitations.queries'
import { deleteAccountMailsOf } from '../../people/recovery/account-mails.queries'
import { deleteViewAsOf } from '../../people/view-as/view-as.queries'

/** Deletes a person: the row with all that refers to it, or, of a first login, what is not the company's. */
export async function forgetPerson(
  trx: WriteTransaction,
  id: number,
  { staysCompany }: { staysCompany: boolean },
): Promise<void> {
  await deleteTracesOf(trx, [id])
  if (staysCompany) await forgetOwner(trx, id)
  else await deletePeople(trx, [id])
}

/** Deletes what is kept of people in rows that do not go with theirs. */
export async function deleteTracesOf(
  trx: WriteTransaction,
  people: readonly number[],
): Promise<void> {
  await deleteViewAsOf(trx, people)
  await deleteInvitationsOf(trx, people)
  await forgetRecipients(trx, people)
  for (const id of people) await deleteEventsFor(trx, id)
}

/** Deletes what is a first login's own, and not the company's. */
async function forgetOwner(trx: WriteTransaction, companyId: number): Promise<void> {
  await deleteAlertSettings(trx, companyId)
  await deleteNotificationsOf(trx, companyId)
  await deleteMailsTo(trx, companyId)
  await deleteAccountMailsOf(trx, companyId)
  await forgetFirstLogin(trx, companyId, await toFreeName(trx, companyId))
}

/** The pseudonym as a username; with a number behind it where somebody has that name. */
async function toFreeName(trx: WriteTransaction, id: number) {
  for (let number = 1; ; number += 1) {
    const username = number === 1 ? toPseudonym(id) : `${toPseudonym(id)} (${number})`
    const key = usernameKey(username)
    if ((await listTakenUsernames(trx, [key])).length === 0) return { username, usernameKey: key }
  }
}

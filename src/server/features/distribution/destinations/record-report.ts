import { DAY_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import type { MailReport } from '../../../files/mail/mail-report'
import { withoutAddresses } from '../../../mail/mailer'
import { listMailPeople } from './destinations.queries'
import { endRecipient } from './end-recipient'
import { findDispatchOfMail, listFileMails, putFileMail } from './file-mails.queries'
import { isMarkOf, toSeconds, type ReturnedMail } from './return-address'
import { findSentFile } from './sent-file'

/** Mail servers try for five days, and some tell of it later. */
const REPORTS_FOR_MS = 14 * DAY_MS

/**
 * Records what a mail server has reported of a mailed file, and sends nothing more of its destination to somebody for whom
 * it was refused for good.
 * @returns false when it is of a mail of which nothing more is to be known, and nothing was changed
 */
export function recordReport(
  deps: Deps,
  { dispatchId, userId, madeAtSeconds, mark }: ReturnedMail,
  report: MailReport,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const dispatch = await findDispatchOfMail(trx, dispatchId)
    if (!dispatch?.destinationId || toSeconds(dispatch.createdAt) !== madeAtSeconds) return false
    if (deps.clock.now() > dispatch.createdAt + REPORTS_FOR_MS) return false
    const mails = await listFileMails(trx, dispatchId)
    const mail = mails.find((one) => one.userId === userId)
    if (mail?.status !== 'sent' && mail?.status !== 'begun') return false
    const of = await findSentFile(trx, dispatch)
    const people = of ? await listMailPeople(trx, of.userId) : []
    const person = people.find(({ id }) => id === userId)
    if (!of || !person?.address || !isMarkOf(deps, mark, person.address)) return false
    // Suppliers read it, who see no whole addresses.
    const answer = withoutAddresses(report.line)
    const status = report.isPermanent ? 'returned' : mail.status
    await putFileMail(trx, { dispatchId, userId, status, answer })
    if (report.isPermanent) {
      const { destinationId } = dispatch
      const personName = person.username
      await endRecipient(trx, deps, { of, destinationId, userId, personName, reason: answer })
    }
    return true
  })
}

import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { insertAccountMail } from './account-mails.queries'
import { queueAccountMails } from './send-account-mails'

/** Lets a link for a new password be sent to a person; without one the same is done, and nothing is sent. */
export async function queuePasswordLink(deps: Deps, userId: number | null): Promise<void> {
  const now = deps.clock.now()
  const mail = { userId, kind: 'password-link', createdAt: now, nextAttemptAt: now } as const
  await inTransaction(deps.db, (trx) => insertAccountMail(trx, mail))
  await queueAccountMails(deps)
}

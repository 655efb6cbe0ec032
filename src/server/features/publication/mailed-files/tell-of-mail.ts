import { HOUR_MS } from '../../../../shared/durations'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow, MailInboxRow } from '../../../db/schema'
import { aboutConnection, recordEvent } from '../../alerting/alerts/events'
import { updateMailInbox } from './mail-inboxes.queries'

type Waiting = { inbox: MailInboxRow; connection: ConnectionRow; reason: string; now: number }

/** Tells of a mail that waits, at most once an hour: who looks sees all of them. */
export async function tellOfWaitingMail(
  trx: WriteTransaction,
  { inbox, connection, reason, now }: Waiting,
): Promise<void> {
  if (inbox.toldAt !== null && Math.abs(now - inbox.toldAt) < HOUR_MS) return
  await updateMailInbox(trx, inbox.id, { toldAt: now })
  const details = { reason }
  await recordEvent(trx, aboutConnection(connection), { kind: 'feed.mail-waiting', now, details })
}

import { MAIL_DAYS } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { aboutConnection, recordEvent } from '../../alerting/alerts/events'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { removeOriginals } from '../received-files/waiting-files'
import { deleteMailsBefore, findMail, listMailsWaitingSince, updateMail } from './mails.queries'

/** People are told so long before a mail is discarded. */
const TOLD_BEFORE_DAYS = 3
const KEPT_MS = MAIL_DAYS * DAY_MS

/**
 * Discards mails on which nobody has decided for a month, three days after people were told of it, and forgets
 * those whose end is a month ago.
 * @returns how many were removed
 */
export async function cleanMails(deps: Deps, signal: AbortSignal): Promise<number> {
  await tellOfDiscarding(deps, signal)
  await discardForgotten(deps, signal)
  return inTransaction(deps.db, (trx) => deleteMailsBefore(trx, deps.clock.now() - KEPT_MS))
}

async function tellOfDiscarding(deps: Deps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const old = await listMailsWaitingSince(deps.db, now - KEPT_MS + TOLD_BEFORE_DAYS * DAY_MS)
  const untold = Map.groupBy(
    old.filter(({ toldAt }) => toldAt === null),
    ({ connectionId }) => connectionId,
  )
  for (const [connectionId, mails] of untold) {
    signal.throwIfAborted()
    await inTransaction(deps.db, async (trx) => {
      const connection = await findConnection(trx, connectionId, {})
      if (!connection) return
      for (const { id } of mails) await updateMail(trx, id, { toldAt: now })
      const reason = `It is discarded in ${TOLD_BEFORE_DAYS} days unless somebody takes it.`
      const event = { kind: 'feed.mail-waiting', now, details: { reason } } as const
      await recordEvent(trx, aboutConnection(connection), event)
    })
  }
}

async function discardForgotten(deps: Deps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const isTold = (toldAt: number | null) =>
    toldAt !== null && toldAt <= now - TOLD_BEFORE_DAYS * DAY_MS
  for (const { id, connectionId } of await listMailsWaitingSince(deps.db, now - KEPT_MS)) {
    signal.throwIfAborted()
    const sha256 = await inTransaction(deps.db, async (trx) => {
      const mail = await findMail(trx, { connectionId, id })
      if (mail?.state !== 'waiting' || !isTold(mail.toldAt)) return null
      const reason = `Nobody has decided on it within ${MAIL_DAYS} days.`
      await updateMail(trx, id, { state: 'discarded', reason, sha256: null, endedAt: now })
      return mail.sha256
    })
    await removeOriginals(deps, sha256 === null ? [] : [sha256])
  }
}

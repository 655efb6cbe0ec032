import type { ConnectionRow, MailInboxRow } from '../../../db/schema'
import type { MailFacts } from '../../../files/mail/read-mail'

/** `MAIL_AUTH_HOST` is set, and has said nothing. */
export const NOT_JUDGED = 'The mail server has not said whether it is of its sender.'

/** Why a mail waits for a person; null when its file is taken. Its address is right, which was the first proof. */
export function judgeMail(
  { sender, dmarc }: Pick<MailFacts, 'sender' | 'dmarc'>,
  { allowedSenders }: Pick<MailInboxRow, 'allowedSenders'>,
  { isActive }: Pick<ConnectionRow, 'isActive'>,
): string | null {
  if (!isActive) return 'The connection is paused.'
  if (sender === null) return 'It does not say in one plain address whom it is from.'
  if (allowedSenders.length === 0) return 'No sender is allowed yet.'
  if (!isAllowed(sender, allowedSenders)) return 'Its sender is not one of the allowed ones.'
  if (dmarc === 'fail') return 'It may not be of its sender: it has failed DMARC.'
  if (dmarc === 'none') return 'It may not be of its sender, whose domain has no DMARC.'
  if (dmarc === 'missing') return NOT_JUDGED
  return null
}

/** @param sender in lower case */
export const isAllowed = (sender: string, allowed: readonly string[]): boolean =>
  allowed.includes(sender) || allowed.includes(`*${sender.slice(sender.lastIndexOf('@'))}`)

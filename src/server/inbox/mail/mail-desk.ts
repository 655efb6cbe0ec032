/** By which socket a mail came. */
export const MAIL_SOCKETS = ['smtp', 'imap'] as const
type MailSocket = (typeof MAIL_SOCKETS)[number]

/** What has become of a mail; only one that is settled or refused is no longer its sender's. */
export const MAIL_OUTCOMES = ['settled', 'refused', 'later'] as const
export type MailOutcome = { kind: (typeof MAIL_OUTCOMES)[number]; text: string }

/** Whoever knows the addresses and takes the mails: the parent of the process that has the sockets. */
export interface MailDesk {
  /**
   * Finds the first of some addresses that is one of ours.
   * @throws when that cannot be told now
   */
  findRecipient(addresses: readonly string[]): Promise<string | undefined>
  /**
   * Takes a mail as it comes in; resolves once it is durably settled, or will never be. A body that fails, or
   * `signal`, leaves nothing behind.
   */
  receive(
    mail: { recipient: string; socket: MailSocket },
    body: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<MailOutcome>
}

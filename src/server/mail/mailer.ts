type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** The same for each attempt to send the same mail, so that mail servers can drop copies. */
  messageId?: string
  /** Ends such mails: with one POST request from anywhere, or on a page. */
  unsubscribeUrl?: string
}

/** Sends e-mail. */
export interface Mailer {
  /** @throws MailError when the mail server did not take it */
  send(mail: Mail): Promise<void>
  /** @throws MailError when the mail server does not let us send */
  check(): Promise<void>
  close(): void
}

/** A mail that was not taken. The message has no credentials and is bounded. */
export class MailError extends Error {}

/** What the log says of a mail that was not taken: mail servers repeat addresses in their answers. */
export const toMailReason = ({ message }: MailError): string =>
  message
    .split(' ')
    .map((word) => (word.includes('@') ? '…' : word))
    .join(' ')

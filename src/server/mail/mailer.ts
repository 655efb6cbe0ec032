export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** The same for each attempt to send the same mail, so that mail servers can drop copies. */
  messageId?: string
  /** Ends such mails: with one POST request from anywhere, or on a page. */
  unsubscribeUrl?: string
  attachment?: Attachment
  /**
   * Where mail servers report that it could not be delivered; empty: nowhere. Without it, where they do for all mails. A
   * mail server that refuses it gets the mail without it.
   */
  returnPath?: string
}

type Attachment = {
  fileName: string
  mediaType: string
  /** Its bytes, read as they are sent. What it throws breaks the mail off, of which nothing arrives then. */
  content: () => AsyncIterable<Buffer>
}

/** Sends e-mail. */
export interface Mailer {
  /**
   * Returns what the mail server answered, as far as it said anything.
   * @throws MailError when it did not take the mail
   */
  send(mail: Mail): Promise<string | undefined>
  /** @throws MailError when the mail server does not let us send */
  check(): Promise<void>
  close(): void
}

/** A mail that was not taken. The message has no credentials and is bounded. */
export class MailError extends Error {
  /** Whether the mail server says for good that there is no such recipient. */
  readonly isNoRecipient: boolean
  /** Whether the connection ended without an answer, so that nobody knows. */
  readonly mayHaveArrived: boolean

  constructor(message: string, options: MailErrorOptions = {}) {
    const { isNoRecipient = false, mayHaveArrived = false, ...rest } = options
    super(message, rest)
    this.isNoRecipient = isNoRecipient
    this.mayHaveArrived = mayHaveArrived
  }
}

type MailErrorOptions = ErrorOptions & { isNoRecipient?: boolean; mayHaveArrived?: boolean }

/** What the log says of a mail that was not taken: mail servers repeat addresses in their answers. */
export const toMailReason = ({ message }: MailError): string => withoutAddresses(message)

/** What a mail server says, without the addresses in it. */
export const withoutAddresses = (text: string): string =>
  text
    .split(' ')
    .map((word) => (word.includes('@') ? '…' : word))
    .join(' ')

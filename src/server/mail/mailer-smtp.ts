import { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'

import { type Mail, MailError, type Mailer } from './mailer'

/** Connections to the mail server at once. */
const MAX_CONNECTIONS = 4
const ANSWER_MAX_LENGTH = 300
/** Programs that answer mails, such as those of people on holiday, do not answer these (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' }
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends over SMTP. Uses STARTTLS where the server offers it; an `smtps` URL encrypts from the start. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  // Text is never read from files or the web.
  const defaults = { from, disableFileAccess: true, disableUrlAccess: true }
  const transport = createTransport(
    { url, pool: true, maxConnections: MAX_CONNECTIONS, ...TIMEOUTS },
    defaults,
  )
  // Each over a connection of its own: the pool makes mails again when a connection ends, but a file is read once.
  const fileTransport = createTransport({ url, ...TIMEOUTS }, defaults)

  async function deliver({ unsubscribeUrl, attachment, ...mail }: Mail, returnPath?: string) {
    const content = attachment && Readable.from(attachment.content())
    const file = attachment && {
      filename: attachment.fileName,
      contentType: attachment.mediaType,
      content,
    }
    const message = {
      ...mail,
      headers: { ...toListHeaders(unsubscribeUrl), ...AUTOMATIC },
      ...(returnPath !== undefined && { envelope: { from: returnPath, to: mail.to } }),
    }
    try {
      const { response } = file
        ? await fileTransport.sendMail({ ...message, attachments: [file] })
        : await transport.sendMail(message)
      return response.slice(0, ANSWER_MAX_LENGTH)
    } finally {
      content?.destroy()
    }
  }

  return {
    async send({ returnPath, ...mail }) {
      try {
        return await deliver(mail, returnPath).catch((error: unknown) => {
          if (returnPath === undefined || !isRefused(error)) throw error
          return deliver(mail)
        })
      } catch (error) {
        throw new MailError(describe(error), {
          cause: error,
          isNoRecipient: isNoRecipient(error),
          mayHaveArrived: mayHaveArrived(error),
        })
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw new MailError(describe(error), { cause: error })
      }
    },
    close: () => transport.close(),
  }
}

/** Mail providers show a button that needs no page (RFC 8058), for which the address must be HTTPS. */
function toListHeaders(unsubscribeUrl: string | undefined): Record<string, string> {
  if (unsubscribeUrl === undefined) return {}
  const header = { 'List-Unsubscribe': `<${unsubscribeUrl}>` }
  if (!unsubscribeUrl.startsWith('https:')) return header
  return { ...header, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** What the server answered, or why it could not be reached. */
function describe(error: unknown): string {
  const { response, code } = error as { response?: unknown; code?: unknown }
  if (typeof response === 'string') return response.slice(0, ANSWER_MAX_LENGTH)
  return `The mail server could not be reached (${typeof code === 'string' ? code : 'unknown'})`
}

/** Whether the server refuses a mail for good, perhaps for whom it comes from. */
function isRefused(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode >= 500
}

/** Enhanced status codes (RFC 3463) of addresses to which nothing can be delivered; others are of senders or policies. */
const NO_RECIPIENT = /^5\d\d[ -]5\.(?:1\.(?:[0-46]|10)|2\.1)\b/
const WITH_ENHANCED_CODE = /^5\d\d[ -]5\.\d/
/** What servers without enhanced codes answer to an address that they do not have. */
const PLAIN_CODES = new Set([550, 551, 553])

/** A refusal of everything, such as one to relay, must not be taken for that of one address. */
function isNoRecipient(error: unknown): boolean {
  const { response, responseCode, command } = error as Record<string, unknown>
  if (typeof response !== 'string') return false
  if (WITH_ENHANCED_CODE.test(response)) return NO_RECIPIENT.test(response)
  return command === 'RCPT TO' && PLAIN_CODES.has(Number(responseCode))
}

function mayHaveArrived(error: unknown): boolean {
  const { response, syscall, code } = error as Record<string, unknown>
  return typeof response !== 'string' && syscall !== 'connect' && code !== 'EDNS'
}

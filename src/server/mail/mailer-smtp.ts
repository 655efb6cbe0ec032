import { createTransport } from 'nodemailer'

import { MailError, type Mailer } from './mailer'

/** Connections to the mail server at once. */
const MAX_CONNECTIONS = 4
const ANSWER_MAX_LENGTH = 300
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends over SMTP. Uses STARTTLS where the server offers it; an `smtps` URL encrypts from the start. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(
    { url, pool: true, maxConnections: MAX_CONNECTIONS, ...TIMEOUTS },
    // Text is never read from files or the web.
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ unsubscribeUrl, ...mail }) {
      try {
        await transport.sendMail({ ...mail, headers: toListHeaders(unsubscribeUrl) })
      } catch (error) {
        throw new MailError(describe(error), { cause: error })
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

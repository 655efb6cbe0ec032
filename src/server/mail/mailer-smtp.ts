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
      const list = unsubscribeUrl && { unsubscribe: { url: unsubscribeUrl, comment: 'Choose' } }
      try {
        await transport.sendMail({ ...mail, ...(list && { list }) })
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

/** What the server answered, or why it could not be reached. */
function describe(error: unknown): string {
  const { response, code } = error as { response?: unknown; code?: unknown }
  if (typeof response === 'string') return response.slice(0, ANSWER_MAX_LENGTH)
  return `The mail server could not be reached (${typeof code === 'string' ? code : 'unknown'})`
}

import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { SMTPServer } from 'smtp-server'

import { listenOnLoopback } from './loopback'

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts a real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer() {
  const received: { to: string[]; source: string }[] = []
  let refusal: string | undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      const source = await text(stream)
      if (refusal !== undefined) return done(new Error(refusal))
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      return done()
    },
  })
  return {
    /** For `SMTP_URL`. */
    url: `smtp://127.0.0.1:${await listenOnLoopback(server.server)}`,
    received,
    /** What it answers to the next mails instead of taking them; undefined takes them. */
    refuse: (answer: string | undefined) => void (refusal = answer),
    async close() {
      const closed = once(server.server, 'close')
      server.close()
      await closed
    },
  }
}

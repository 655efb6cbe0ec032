import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { SMTPServer } from 'smtp-server'

import { listenOnLoopback } from './loopback'

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts a real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer() {
  const received: { to: string[]; source: string }[] = []
  let refusal: string | undefined
  let isBroken = false
  const refusedRecipients = new Map<string, { code: number; text: string }>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const refused = refusedRecipients.get(address)
      if (!refused) return done()
      return done(Object.assign(new Error(refused.text), { responseCode: refused.code }))
    },
    async onData(stream, session, done) {
      const source = await text(stream).catch(() => undefined)
      // The sender has broken it off.
      if (source === undefined) return
      if (refusal !== undefined) return done(new Error(refusal))
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      if (isBroken) for (const connection of server.connections) connection.close()
      else done()
      return undefined
    },
  })
  return {
    /** For `SMTP_URL`. */
    url: `smtp://127.0.0.1:${await listenOnLoopback(server.server)}`,
    received,
    /** What it answers to the next mails instead of taking them; undefined takes them. */
    refuse: (answer: string | undefined) => void (refusal = answer),
    /** What it answers to the name of a recipient from now on; undefined takes it again. */
    refuseRecipient(address: string, refused: { code: number; text: string } | undefined) {
      if (refused) refusedRecipients.set(address, refused)
      else refusedRecipients.delete(address)
    },
    /** Whether it takes mails and ends the connection instead of saying so. */
    breakOff: (isTrue: boolean) => void (isBroken = isTrue),
    async close() {
      const closed = once(server.server, 'close')
      server.close()
      await closed
    },
  }
}

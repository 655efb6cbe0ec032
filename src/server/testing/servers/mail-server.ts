import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { SMTPServer } from 'smtp-server'

import { listenOnLoopback } from './loopback'

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

type Afterwards = 'answer' | 'hang up' | 'say nothing'

/** Starts a real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer() {
  const received: { from: string; to: string[]; source: string }[] = []
  let refusal: string | undefined
  let afterwards: { does: Afterwards; from: number } = { does: 'answer', from: 0 }
  let refusedSenders: RegExp | undefined
  const refusedRecipients = new Map<string, { code: number; text: string }>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom({ address }, _session, done) {
      if (refusedSenders === undefined || !refusedSenders.test(address)) return done()
      const refused = new Error('5.7.1 Sender address rejected: not owned by you')
      return done(Object.assign(refused, { responseCode: 553 }))
    },
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
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom ? mailFrom.address : ''
      received.push({ from, to: rcptTo.map(({ address }) => address), source })
      const does = received.length >= afterwards.from ? afterwards.does : 'answer'
      if (does === 'answer') done()
      if (does === 'hang up') for (const connection of server.connections) connection.close()
      return undefined
    },
  })
  return {
    /** For `SMTP_URL`. */
    url: `smtp://127.0.0.1:${await listenOnLoopback(server.server)}`,
    received,
    /** What it answers to the next mails instead of taking them; undefined takes them. */
    refuse: (answer: string | undefined) => void (refusal = answer),
    /** Which senders of envelopes it refuses from now on, as servers do that send for somebody. */
    refuseSenders: (senders: RegExp) => void (refusedSenders = senders),
    /** What it answers to the name of a recipient from now on; undefined takes it again. */
    refuseRecipient(address: string, refused: { code: number; text: string } | undefined) {
      if (refused) refusedRecipients.set(address, refused)
      else refusedRecipients.delete(address)
    },
    /** What it does once it has all of a mail, from the one with this number on. */
    afterEach: (does: Afterwards, from = 0) => void (afterwards = { does, from }),
    async close() {
      const closed = once(server.server, 'close')
      server.close()
      await closed
    },
  }
}

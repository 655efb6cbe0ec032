import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

type ReceivedMail = { to: string[]; source: string }

export type MailServer = {
  /** For `SMTP_URL`. */
  url: string
  received: ReceivedMail[]
  /** What it answers to the next mails instead of taking them; undefined takes them. */
  refuse(answer: string | undefined): void
  close(): Promise<void>
}

/** Starts a real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let refusal: string | undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusal !== undefined) return done(new Error(refusal))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, source: Buffer.concat(chunks).toString() })
        return done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse(answer) {
      refusal = answer
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

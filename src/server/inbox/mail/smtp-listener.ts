import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

import { MAX_MAIL_BYTES } from '../../../shared/constants'
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import type { MailDesk, MailOutcome } from './mail-desk'
import type { SmtpSettings } from './settings'
import { createSmtpConnections } from './smtp-connections'

/** How long a mail may take to come in. */
const RECEIVE_WITHIN_MS = 15 * MINUTE_MS
/** Senders wait ten minutes for the answer to a whole mail. */
const SETTLE_WITHIN_MS = 9 * MINUTE_MS
const IDLE_MS = 60 * SECOND_MS
/** Senders guess addresses until they are sent away. */
const MAX_UNKNOWN_RECIPIENTS = 5
const MAX_COMMAND_LENGTH = 2_048
/** There is nothing to sign in to, and none of the rest is needed. */
const REFUSED_COMMANDS = ['AUTH', 'HELP', 'VRFY', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL']

export type SmtpListener = Awaited<ReturnType<typeof startSmtpListener>>

/**
 * Takes mails for our addresses from the mail server in front, and for no others. A mail is answered with 250 once it
 * is durably settled; until then its sender keeps it.
 * @throws when the port cannot be had
 */
export async function startSmtpListener(settings: SmtpSettings, desk: MailDesk) {
  const connections = createSmtpConnections(settings.networks)
  const unknownRecipients = new WeakMap<SMTPServerSession, number>()
  const stopping = new AbortController()

  async function judgeRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const found = await desk.findRecipient([toAsciiDomain(address)]).catch(() => {
      throw reply(451, 'Addresses cannot be looked up now, try again later')
    })
    if (found !== undefined) return connections.trust(session.id)
    const unknown = (unknownRecipients.get(session) ?? 0) + 1
    unknownRecipients.set(session, unknown)
    throw unknown < MAX_UNKNOWN_RECIPIENTS
      ? reply(550, 'There is no such address here')
      : reply(421, 'Too many unknown addresses')
  }

  async function receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<string> {
    const recipient = toAsciiDomain(session.envelope.rcptTo[0]?.address ?? '')
    const ending = new AbortController()
    const settleTimer = { current: undefined as NodeJS.Timeout | undefined }
    stream.once('error', () => ending.abort(new Error('The sender has gone away')))
    stream.once('end', () => {
      settleTimer.current = setTimeout(
        () => ending.abort(new Error('It took too long')),
        SETTLE_WITHIN_MS,
      )
    })
    connections.beginMail(session.id, RECEIVE_WITHIN_MS)
    const signal = AbortSignal.any([ending.signal, stopping.signal])
    try {
      return answer(await desk.receive({ recipient, socket: 'smtp' }, readMail(stream), signal))
    } catch (error) {
      throw isReply(error) ? error : reply(451, 'The mail cannot be taken now, try again later')
    } finally {
      clearTimeout(settleTimer.current)
      connections.answerMail(session.id)
      // The answer comes after the last byte, wanted or not.
      stream.resume()
    }
  }

  const smtp = new SMTPServer({
    name: settings.name,
    heloResponse: '%s',
    authOptional: true,
    disabledCommands: [...REFUSED_COMMANDS, ...(settings.certificate ? [] : ['STARTTLS'])],
    ...settings.certificate,
    minVersion: 'TLSv1.2',
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    size: MAX_MAIL_BYTES,
    rejectOversized: true,
    maxRecipients: 1,
    maxCommandLength: MAX_COMMAND_LENGTH,
    socketTimeout: IDLE_MS,
    onRcptTo({ address }, session, done) {
      void answerWith(judgeRecipient(address, session), done)
    },
    onData(stream, session, done) {
      stream.once('close', () => connections.endMail(session.id))
      void answerWith(receive(stream, session), done)
    },
  })
  // What goes wrong with a connection ends it, and is its client's to tell.
  smtp.on('error', () => undefined)

  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const id = randomUUID()
    if (connections.enter(id, socket)) smtp.connect(socket, { id })
  })
  server.on('error', () => undefined)
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(settings.port, settings.host, resolve)
  await listening
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : settings.port,
    connections: () => connections.count(),
    /** Accepts no more; mails that are on their way may still be settled. */
    drain(): void {
      server.close()
      smtp.close()
      connections.endIdle()
    },
    async close(): Promise<void> {
      const closed = new Promise((resolveClosed) => server.close(resolveClosed))
      stopping.abort(new Error('The listener is stopping'))
      connections.close()
      await closed
    },
  }
}

/** Answers a client once something is known, or has failed. */
async function answerWith<T>(
  work: Promise<T>,
  done: (error?: Error | null, known?: T) => void,
): Promise<void> {
  let known: T
  try {
    known = await work
  } catch (error) {
    return done(error as Error)
  }
  done(null, known)
}

/** The bytes of a mail, as long as they are not too many. It ends with an error when its sender goes away. */
async function* readMail(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  const pieces = (stream as Readable).iterator({ destroyOnReturn: false })
  for await (const piece of pieces) {
    if (stream.sizeExceeded) break
    yield piece as Buffer
  }
  if (stream.sizeExceeded) throw reply(552, 'The mail is too large')
}

function answer({ kind, text }: MailOutcome): string {
  if (kind === 'settled') return text
  throw reply(kind === 'refused' ? 554 : 451, text)
}

type Reply = Error & { responseCode: number }

const reply = (responseCode: number, message: string): Reply =>
  Object.assign(new Error(message), { responseCode })

const isReply = (error: unknown): error is Reply =>
  error instanceof Error && 'responseCode' in error

/** The domain as it is registered, whatever script it was written in. */
function toAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at + 1)}${domainToASCII(address.slice(at + 1))}`
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { parseImapUrl } from '../../../inbox/mail/imap-url'
import { findRecipients } from '../../../inbox/mail/recipients'
import { startSmtpListener } from '../../../inbox/mail/smtp-listener'
import type { Task } from './measure'
import { FEW_TEXTS, type Text, TEXTS } from './texts'

const KB = 1024
const LARGEST_MAIL = 1024 * KB
const LARGEST_HEADER = 64 * KB
const LARGEST_ADDRESS = 2 * KB

const ADDRESS = 'a@in.example.com'
/** Lines that begin with a dot are what mails are searched for. */
const DOTS: Record<string, Text> = {
  'lines of dots': (size) => '..\r\n'.repeat(size / 4),
  'dots between line feeds': (size) => '\n.\n.'.repeat(size / 4),
  'ends that are none': (size) => '\r\n.\n'.repeat(size / 4),
}

let client: Promise<Socket> | undefined

/** Opens one connection for all mails, because each begins with a pause. */
const openClient = () =>
  (client ??= (async () => {
    const listener = await startSmtpListener(
      { host: '127.0.0.1', port: 0, name: 'in.example.com', networks: [], certificate: null },
      {
        findRecipient: ([address]) => Promise.resolve(address),
        async receive(_mail, body) {
          await buffer(body)
          return { kind: 'settled', text: 'Taken' }
        },
      },
    )
    const socket = connect(listener.port, '127.0.0.1')
    await once(socket, 'data')
    await say(socket, 'EHLO client.example\r\n')
    return socket
  })())

async function say(socket: Socket, text: string): Promise<void> {
  const answered = once(socket, 'data')
  socket.write(text)
  await answered
}

async function sendMail(text: string) {
  const socket = await openClient()
  await say(socket, 'MAIL FROM:<a@b.example>\r\n')
  await say(socket, `RCPT TO:<${ADDRESS}>\r\n`)
  await say(socket, 'DATA\r\n')
  await say(socket, `${text.replaceAll('\r\n.\r\n', '\r\n..\r\n')}\r\n.\r\n`)
}

function readHeader(text: string) {
  for (const header of [text, `To: ${text}`, `To: ${text}@in.example.com`]) findRecipients(header)
}

const ofTexts = (
  run: (text: string) => unknown,
  largest: number,
  inputs: Record<string, Text> = TEXTS,
): Task => ({ run: (text) => run(text as string), inputs, largest })

/** What comes to the sockets of mail. */
export const mailSocketCases: Record<string, Task> = {
  'a mail at the port for mails': ofTexts(sendMail, LARGEST_MAIL, { ...FEW_TEXTS, ...DOTS }),
  'the header of a mail in a mailbox': ofTexts(readHeader, LARGEST_HEADER),
  'the address of a mailbox': ofTexts((text) => parseImapUrl(`imaps://${text}`), LARGEST_ADDRESS),
}

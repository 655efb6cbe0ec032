import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

import { DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import { splitTypedAddress } from '../../../../shared/typed-address'
import { toTransfer } from '../../../features/catalogue/connections/transfer-settings'
import { createFileFetcher } from '../../../files/fetch/fetch'
import { createNetworkSender } from '../../../files/send/send-file'
import { hostKeyOf } from '../../fixtures/ssh-keys'
import { FTP_PASSWORD, FTP_USER, startFtpServer } from '../../servers/ftp-server'
import { SFTP_PASSWORD, SFTP_USER, startSftpServer } from '../../servers/sftp-server'
import { bodyOf, requestOf } from '../../stages/sending'
import type { Task } from './measure'
import { unlessRefused } from './stage'
import { FEW_TEXTS, type Text, TEXTS } from './texts'

const KB = 1024
/** More than a server may say before it is given up. */
const LARGEST_ANSWER = 64 * KB
/** As many names as take seconds for whatever looks at each of them again and again. */
const LARGEST_FOLDER = 256 * KB
const LARGEST_ADDRESS = 2 * KB

const fetcher = createFileFetcher({
  allow: ['127.0.0.1'],
  maxBytes: 1e9,
  now: Date.now,
  timeouts: { headersMs: 2_000, idleMs: 2_000 },
})

/** Fetches from a server, which may refuse or fail in any way. */
const fetch = (
  url: string,
  login: { username: string; password: string },
  hostKeys: string[] = [],
) =>
  unlessRefused(
    fetcher.fetch({
      url,
      signal: new AbortController().signal,
      server: { ...DEFAULT_TRANSFER, usesTls: false, hostKeys, login },
    }),
  )

const SFTP_LOGIN = { username: SFTP_USER, password: SFTP_PASSWORD }
const FTP_LOGIN = { username: FTP_USER, password: FTP_PASSWORD }

/** What a server does with a connection, until another is said. */
let onConnection: (socket: Socket) => void = () => undefined
let port: Promise<number> | undefined

const openPort = () =>
  (port ??= (async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      onConnection(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  })())

const sender = createNetworkSender({
  allow: ['127.0.0.1'],
  now: Date.now,
  timeouts: { headersMs: 2_000, idleMs: 1_000, acceptMs: 2_000, continueMs: 10, cleanUpMs: 100 },
})

const LARGE = Buffer.alloc(256 * KB)

/** Sends a file to a server, which may refuse or fail in any way. */
const send = (address: string, login: { username: string; password: string }) =>
  unlessRefused(
    sender.send(
      requestOf(LARGE, {
        address,
        server: { hostKeys: [], usesTls: false, allowsOld: false, login },
      }),
      bodyOf(LARGE),
    ),
  )

async function answerSendings(text: string) {
  const at = await openPort()
  onConnection = (socket) => {
    socket.write('220 Ready\r\n')
    socket.on('data', (chunk) => {
      const code = { ...CODES, STOR: '550' }[chunk.toString().slice(0, 4)] ?? '200'
      socket.write(`${code}-${text}\r\n ${text}\r\n${code} ${text}\r\n`)
    })
  }
  await send(`ftp://127.0.0.1:${at}/`, FTP_LOGIN)
  const answers = [
    text,
    `HTTP/1.1 ${text}`,
    `HTTP/1.1 500 ${text}\r\n\r\n`,
    `HTTP/1.1 307 Go\r\nlocation: ${text}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n\r\n${text}`,
    'HTTP/1.1 102 Wait\r\n\r\n'.repeat(text.length / 25),
  ]
  for (const answer of answers) {
    onConnection = (socket) => socket.once('data', () => socket.end(answer))
    await send(`http://127.0.0.1:${at}/`, FTP_LOGIN)
  }
}

async function greetOverSsh(text: string) {
  const at = await openPort()
  for (const greeting of [`${text}\r\n`, `SSH-2.0-${text}\r\n`, `SSH-2.0-a\r\n${text}`]) {
    onConnection = (socket) => socket.end(greeting)
    await fetch(`sftp://127.0.0.1:${at}/a.csv`, SFTP_LOGIN)
  }
}

/** The codes with which a server goes on. */
const CODES: Record<string, string> = {
  USER: '331',
  PASS: '230',
  SIZE: '500',
  MDTM: '213',
  MLST: '250',
  EPSV: '229',
  PASV: '227',
}

async function answerOverFtp(text: string) {
  const at = await openPort()
  onConnection = (socket) => socket.end(`220-${text}\r\n220 ${text}\r\n`)
  await fetch(`ftp://127.0.0.1:${at}/a.csv`, FTP_LOGIN)
  onConnection = (socket) => {
    socket.write('220 Ready\r\n')
    socket.on('data', (chunk) => {
      const code = CODES[chunk.toString().slice(0, 4)] ?? '200'
      socket.write(`${code}-${text}\r\n ${text}\r\n${code} ${text}\r\n`)
    })
  }
  await fetch(`ftp://127.0.0.1:${at}/a.csv`, FTP_LOGIN)
}

const sftp = startSftpServer()
const ftp = startFtpServer()

async function listOverSftp(text: string) {
  const server = await sftp
  server.files.clear()
  for (const name of text.split(/[\n/]/)) server.put(`/in/${name.slice(0, 1_000)}`, 'a')
  await fetch(server.url('/in/a*a*a*.csv'), SFTP_LOGIN, [
    hostKeyOf(server.publicKeys[0]).fingerprint,
  ])
}

async function listOverFtp(text: string) {
  const server = await ftp
  server.files.clear()
  for (const name of text.split('/')) server.put(`/in/${name}`, 'a')
  for (const answer of ['500 Not known', null]) {
    server.state.answers.MLSD = () => answer
    await fetch(server.url('/in/a*a*a*.csv'), FTP_LOGIN)
  }
}

/** What is typed as an address, and as keys of its server. */
function readSettings(text: string) {
  for (const address of [text, `sftp://${text}`, `ftp://a:${text}@b/${text}`, `ftps://b/${text}`]) {
    splitTypedAddress(address)
  }
  const options = { known: undefined, fieldPrefix: '' }
  for (const key of [`${text} SHA256:${'A'.repeat(43)}`, `${text} ssh-rsa AAAA${text}`]) {
    try {
      toTransfer('sftp://a/b', { hostKeys: [key] }, options)
    } catch {
      // It is refused.
    }
  }
}

const ofTexts = (
  run: (text: string) => unknown,
  largest: number,
  inputs: Record<string, Text> = FEW_TEXTS,
): Task => ({ run: (text) => run(text as string), inputs, largest })

/** What servers of files say. */
export const fileServerCases: Record<string, Task> = {
  'the greeting of an SFTP server': ofTexts(greetOverSsh, LARGEST_ANSWER),
  'the answers of an FTP server': ofTexts(answerOverFtp, LARGEST_ANSWER),
  'the answers of servers that are sent a file': ofTexts(answerSendings, LARGEST_ANSWER),
  'the names in a folder of an SFTP server': ofTexts(listOverSftp, LARGEST_FOLDER),
  'the names in a folder of an FTP server': ofTexts(listOverFtp, LARGEST_FOLDER),
  'an address of a server of files, and its keys': ofTexts(readSettings, LARGEST_ADDRESS, TEXTS),
}

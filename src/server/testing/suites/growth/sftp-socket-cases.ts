import { once } from 'node:events'
import { connect } from 'node:net'

import type { Client, ServerChannel, SFTPWrapper } from 'ssh2'

import { SFTP_LIMITS } from '../../../inbox/limits'
import type { Parent } from '../../../inbox/parent'
import { isName, isTemporary, isVerdict, toPath } from '../../../inbox/sftp/paths'
import { startSftpServer } from '../../../inbox/sftp/sftp-server'
import { connectSsh } from '../../fixtures/sftp-client'
import { makeSshKey } from '../../fixtures/ssh-keys'
import type { Task } from './measure'
import { FEW_TEXTS, type Text, TEXTS } from './texts'

const KB = 1024
/** More than is read of a client that says nothing that is understood. */
const LARGEST_GREETING = 1024 * KB
const LARGEST_PACKETS = 1024 * KB
const LARGEST_PATH = 4 * KB
/** Up to as many names, of which each costs some requests. */
const LARGEST_NAMES = KB

/** All come from one network, one after the other. */
const limits = { ...SFTP_LIMITS, handshakesOfNetwork: 1e9, failuresOfNetwork: 1e9, rekeys: 1e9 }

let port: Promise<number> | undefined

/** Starts a server whose parent lets everybody in, and takes everything. */
const openPort = () =>
  (port ??= (async () => {
    const listening = Promise.withResolvers<number>()
    const parent: Parent = {
      async ask(question) {
        const id = 0
        const bytes: Buffer[] = []
        if (question.type === 'sign-in') {
          return { answer: { type: 'signed-in', id, home: 'drop-box' }, bytes }
        }
        if (question.type === 'list') return { answer: { type: 'listed', id, entries: [] }, bytes }
        return { answer: { type: 'done', id }, bytes }
      },
      tell(message) {
        if (message.type === 'listening') listening.resolve(message.port)
      },
    }
    const { privateKey } = await makeSshKey('ed25519')
    const place = { host: '127.0.0.1', port: 0, hostKeys: [privateKey] }
    startSftpServer(parent, place, { limits, now: () => performance.now() })
    return listening.promise
  })())

async function greet(text: string) {
  const at = await openPort()
  for (const greeting of [text, `SSH-2.0-${text}\r\n`, `SSH-2.0-a\r\n${text}`]) {
    const socket = connect(at, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const ended = once(socket, 'close')
    socket.resume().end(greeting, 'latin1')
    await ended
  }
}

async function signedIn<T>(run: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectSsh({ port: await openPort(), username: 'a', password: 'a' })
  try {
    return await run(client)
  } finally {
    client.destroy()
  }
}

const INIT = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3])

/** Bytes in the place of requests, and in a request of each kind. */
async function sendPackets(text: string) {
  const content = Buffer.from(text)
  const requests = [3, 4, 11, 14, 16, 17, 18, 200].map((kind) => {
    const head = Buffer.alloc(9)
    head.writeUInt32BE(content.length + 5)
    head.writeUInt8(kind, 4)
    return Buffer.concat([head, content])
  })
  for (const bytes of [content, ...requests]) {
    await signedIn(async (client) => {
      const channel = await new Promise<ServerChannel>((resolve, reject) => {
        client.subsys('sftp', (error, opened) =>
          error ? reject(error) : resolve(opened as unknown as ServerChannel),
        )
      })
      channel.on('error', () => undefined)
      // A server that is done with a client may reset the connection.
      const ended = new Promise<void>((resolve) => {
        for (const end of [client, channel]) end.once('close', () => resolve())
      })
      channel.resume()
      channel.write(INIT)
      channel.write(bytes)
      channel.end()
      await ended
    })
  }
}

/** Files that are put under each of these names, and looked for, listed, renamed and removed. */
const putNames = (text: string) =>
  signedIn(async (client) => {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => (error ? reject(error) : resolve(opened)))
    })
    const done = (start: (resolve: () => void) => void) => new Promise<void>(start)
    for (const name of text.split(/[\n,]/)) {
      const path = `/${name.slice(0, 1_000)}.part`
      await done((resolve) => sftp.writeFile(path, 'a', () => resolve()))
      await done((resolve) => sftp.rename(path, path.slice(0, -5), () => resolve()))
      await done((resolve) => sftp.stat(path, () => resolve()))
      await done((resolve) => sftp.unlink(path, () => resolve()))
    }
    for (const path of [text, '/']) await done((resolve) => sftp.readdir(path, () => resolve()))
  })

function readPath(text: string) {
  const path = toPath(text, LARGEST_PATH * 8)
  for (const name of [text, `${path}.part`, `${path}.HELD.txt`]) {
    isName(name)
    isTemporary(name)
    isVerdict(name)
  }
}

const ofTexts = (
  run: (text: string) => unknown,
  largest: number,
  inputs: Record<string, Text> = FEW_TEXTS,
): Task => ({ run: (text) => run(text as string), inputs, largest })

/** What comes to the SFTP server, before and after somebody has signed in. */
export const sftpSocketCases: Record<string, Task> = {
  'the greeting of an SFTP client': ofTexts(greet, LARGEST_GREETING),
  'the packets of an SFTP client': ofTexts(sendPackets, LARGEST_PACKETS),
  'the names that an SFTP client puts': ofTexts(putNames, LARGEST_NAMES),
  'a path of an SFTP client': ofTexts(readPath, LARGEST_PATH, TEXTS),
}

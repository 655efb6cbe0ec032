import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { hostKeyOf } from '../../testing/fixtures/ssh-keys'
import {
  SFTP_PASSWORD,
  SFTP_USER,
  type SftpServer,
  startSftpServer,
} from '../../testing/servers/sftp-server'
import { failureOf } from '../../testing/stages/fetching'
import { bodyOf } from '../../testing/stages/sending'
import { toChildCommands } from '../children/child-command'
import type { ChildExit } from '../children/child-link'
import { createSenderProcess } from '../children/fetcher/sender-process'
import { createOrphanGuard } from '../children/orphan-guard'
import { FileError } from '../file-error'
import { createFileSender } from './file-sender'
import { createNetworkSender, type NetworkSender } from './send-file'
import type { FileSender, Sending } from './sending'

const CSV = 'sku,name\n1,Shirt\n'
const LARGE = Buffer.alloc(6_000_003, 'a long line of some text, ')

let server: SftpServer
let sender: FileSender
let exits: ChildExit[]

const NETWORKS: [string, (allow: string[]) => NetworkSender][] = [
  ['in this process', (allow) => createNetworkSender({ allow, now: Date.now })],
  [
    'in a child process',
    (allow) =>
      createSenderProcess(toChildCommands({ allow, maxBytes: 1_000, env: {} }).fetcher, {
        orphanGuard: createOrphanGuard(),
        onUnexpectedExit: (exit) => exits.push(exit),
      }),
  ],
]

describe.each(NETWORKS)('a sender %s', (_name, open) => {
  beforeEach(async () => {
    exits = []
    server = await startSftpServer()
    sender = createFileSender(open([server.host]))
  })
  afterEach(async () => {
    await sender.close()
    await server.close()
  })

  const sendingOf = (content: Buffer | string, sending: Partial<Sending> = {}): Sending => ({
    address: server.url('/in'),
    fileName: 'stock.csv',
    mediaType: 'text/csv',
    sizeBytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
    method: 'PUT',
    idempotencyKey: '1',
    isRepeat: false,
    isTrial: false,
    server: {
      login: { username: SFTP_USER, password: SFTP_PASSWORD },
      hostKeys: server.publicKeys.map((key) => hostKeyOf(key).fingerprint),
      usesTls: true,
      allowsOld: false,
    },
    signal: new AbortController().signal,
    ...sending,
  })

  it('sends files whole, several at a time', async () => {
    const files = [LARGE, Buffer.from(CSV), Buffer.alloc(0), LARGE.subarray(0, 1_000_001)]
    await Promise.all(
      files.map((content, index) =>
        sender.send(sendingOf(content, { fileName: `${index}.csv` }), bodyOf(content)),
      ),
    )
    for (const [index, content] of files.entries()) {
      expect(server.files.get(`/in/${index}.csv`)?.content.equals(content)).toBe(true)
    }
  })

  it('holds the slot of the host as long as it sends, and leaves it whatever happens', async () => {
    const seen: string[] = []
    const hosts = {
      enter: async (host: string) => {
        seen.push(`enters ${host}`)
        return () => void seen.push('leaves')
      },
    }
    await sender.send(
      sendingOf(CSV, { hosts }),
      bodyOf(CSV, () => void seen.push('is asked')),
    )
    expect(seen).toEqual([`enters ${server.host}`, 'is asked', 'leaves'])
    server.state.isReadOnly = true
    seen.length = 0
    await failureOf(sender.send(sendingOf(CSV, { hosts }), bodyOf(CSV)))
    expect(seen).toEqual([`enters ${server.host}`, 'leaves'])
  })

  it('tells failures as they are, with the key that a server shows', async () => {
    const { server: access } = sendingOf(CSV)
    const unknown = sendingOf(CSV, { server: { ...access!, hostKeys: [] } })
    const failure = await failureOf(sender.send(unknown, bodyOf(CSV)))
    expect(failure.code).toBe('host-key-unknown')
    expect(failure.hostKey).toContain('SHA256:')
    expect(
      await failureOf(sender.send(sendingOf(CSV, { address: 's3://a' }), bodyOf(CSV))),
    ).toMatchObject({ code: 'bad-address' })
  })

  it('fails as its body does, and with the reason for which it is to end', async () => {
    const broken = sender.send(sendingOf(LARGE), async function* body() {
      yield LARGE.subarray(0, 1_000_000)
      throw new FileError('not-stored', 'The file is not there any more')
    })
    expect((await failureOf(broken)).message).toBe('The file is not there any more')
    const ending = new AbortController()
    const work = sender.send(sendingOf(LARGE, { signal: ending.signal }), async function* body() {
      yield LARGE.subarray(0, 1_000_000)
      ending.abort(new Error('The lease was lost'))
      await new Promise(() => undefined)
    })
    await expect(work).rejects.toThrow('The lease was lost')
    expect(server.files.has('/in/stock.csv')).toBe(false)
    await sender.send(sendingOf(LARGE), bodyOf(LARGE))
    expect(server.files.get('/in/stock.csv')?.content.equals(LARGE)).toBe(true)
  })

  it('refuses what is too long for the process that sends, in which other files go on', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    server.state.onWrite = () => {
      begun.resolve()
      return held.promise
    }
    const other = sender.send(sendingOf(LARGE, { fileName: 'other.csv' }), bodyOf(LARGE))
    await begun.promise
    const long = sendingOf(CSV, { fileName: `${'Acme'.repeat(100)}.csv` })
    expect(await failureOf(sender.send(long, bodyOf(CSV)))).toMatchObject({ code: 'bad-address' })
    held.resolve()
    await other
    expect(server.files.get('/in/other.csv')?.content.equals(LARGE)).toBe(true)
    expect(exits).toEqual([])
  })

  it('reads no more of a body than is on its way when the server takes nothing', async () => {
    const blocked = Promise.withResolvers<void>()
    server.state.onWrite = () => blocked.promise
    const read = { bytes: 0 }
    const large = Buffer.alloc(40_000_000)
    const work = sender.send(
      sendingOf(large),
      bodyOf(large, (at) => (read.bytes = at)),
    )
    let before = -1
    while (read.bytes !== before || read.bytes === 0) {
      before = read.bytes
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(read.bytes).toBeLessThan(5_000_000)
    server.state.onWrite = () => 'refused'
    blocked.resolve()
    await failureOf(work)
  })
})

describe('a sender in a child process', () => {
  it('that is killed in the middle of a file tells so, and the next attempt sends it whole', async () => {
    exits = []
    server = await startSftpServer()
    const guard = createOrphanGuard()
    let pid = 0
    const orphanGuard = { ...guard, add: (added: number) => void (pid = added) }
    const { fetcher } = toChildCommands({ allow: [server.host], maxBytes: 1, env: {} })
    const network = createSenderProcess(fetcher, {
      orphanGuard,
      onUnexpectedExit: (exit) => exits.push(exit),
    })
    const request = {
      address: server.url('/in'),
      fileName: 'stock.csv',
      mediaType: 'text/csv',
      sizeBytes: LARGE.length,
      sha256: '0'.repeat(64),
      method: 'PUT' as const,
      idempotencyKey: '1',
      isRepeat: false,
      isTrial: false,
      server: {
        login: { username: SFTP_USER, password: SFTP_PASSWORD },
        hostKeys: server.publicKeys.map((key) => hostKeyOf(key).fingerprint),
        usesTls: true,
        allowsOld: false,
      },
      signal: new AbortController().signal,
    }
    server.state.onWrite = (position) => {
      if (position > 1_000_000) process.kill(pid, 'SIGKILL')
    }
    const failure = await failureOf(network.send(request, bodyOf(LARGE)))
    expect(failure.message).toContain('ended unexpectedly')
    expect(server.files.has('/in/stock.csv')).toBe(false)
    server.state.onWrite = undefined
    await network.send(request, bodyOf(LARGE))
    expect(server.files.get('/in/stock.csv')?.content.equals(LARGE)).toBe(true)
    expect(exits.map(({ signal }) => signal)).toEqual(['SIGKILL'])
    await network.close()
    await server.close()
  })
})

import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import ssh from 'ssh2'
import { describe, expect, it } from 'vitest'

import { figure } from '../../testing/fixtures/figures'
import { hostKeyOf } from '../../testing/fixtures/ssh-keys'
import { isInstalled } from '../../testing/servers/installed-program'
import { SSHD, startInstalledSshServer } from '../../testing/servers/installed-ssh-server'
import { closeServer, listenOnLoopback } from '../../testing/servers/loopback'
import {
  INSTALLED_DESTINATIONS,
  type InstalledDestination,
} from '../../testing/stages/installed-destinations'
import { requestOf } from '../../testing/stages/sending'
import { toChildCommands } from '../children/child-command'
import { createSenderProcess } from '../children/fetcher/sender-process'
import { createOrphanGuard } from '../children/orphan-guard'
import { measureProcess } from '../children/process-usage'

const MB = 1024 * 1024
const SIZE = 1024 * MB
const PIECE = Buffer.alloc(64 * 1024, 'a long line of some text, ')
const MINUTES = 60_000

/** @param half is called once half of it was read */
async function* body(half: () => unknown = () => undefined) {
  for (let bytes = 0; bytes < SIZE; bytes += PIECE.length) {
    if (bytes === SIZE / 2) await half()
    yield PIECE
  }
}

/** What a child trusts besides. */
async function trust(certificate: string | undefined): Promise<Record<string, string>> {
  if (certificate === undefined) return {}
  const file = join(await mkdtemp(join(tmpdir(), 'trusted-')), 'ca.pem')
  await writeFile(file, certificate)
  return { NODE_EXTRA_CA_CERTS: file }
}

/** Sends from a child; returns the megabytes a second, and by how much both processes have grown. */
async function sendLarge(
  allow: string[],
  request: Parameters<typeof requestOf>[1],
  half?: (senderPid: number) => unknown,
  certificate?: string,
) {
  const guard = createOrphanGuard()
  let pid = 0
  const orphanGuard = { ...guard, add: (added: number) => void (pid = added) }
  const { fetcher } = toChildCommands({ allow, maxBytes: 1, env: await trust(certificate) })
  const sender = createSenderProcess(fetcher, { orphanGuard, onUnexpectedExit: () => undefined })
  const most = { child: 0, parent: 0 }
  const first = { child: 0, parent: process.memoryUsage().rss }
  const measureChild = async () => {
    const { memoryBytes = 0 } = (await measureProcess(pid)) ?? {}
    first.child ||= memoryBytes
    most.child = Math.max(most.child, memoryBytes)
  }
  const timer = setInterval(() => {
    void measureChild()
    most.parent = Math.max(most.parent, process.memoryUsage().rss)
  }, 200)
  try {
    const startedAt = performance.now()
    await sender.send({ ...requestOf('', request), sizeBytes: SIZE }, () => body(() => half?.(pid)))
    const speed = SIZE / MB / ((performance.now() - startedAt) / 1_000)
    const grown = {
      child: (most.child - first.child) / MB,
      parent: (most.parent - first.parent) / MB,
    }
    return { speed, grown }
  } finally {
    clearInterval(timer)
    await sender.close()
  }
}

it.skipIf(!isInstalled(SSHD))(
  'sends 1 GB to OpenSSH in constant memory, half as fast as a bare stream at least',
  async () => {
    const server = await startInstalledSshServer()
    const [, port] = server.host.split(':')
    const client = new ssh.Client()
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject)
      client.connect({ host: '127.0.0.1', port: Number(port), ...server.login })
    })
    const sftp = await new Promise<ssh.SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => (error ? reject(error) : resolve(opened)))
    })
    const startedAt = performance.now()
    await pipeline(Readable.from(body()), sftp.createWriteStream('bare.csv'))
    const bare = SIZE / MB / ((performance.now() - startedAt) / 1_000)
    client.end()
    const sent = await sendLarge([server.host], {
      address: server.url('/'),
      server: {
        login: server.login,
        hostKeys: server.publicKeys.map((key) => hostKeyOf(key).fingerprint),
        usesTls: false,
        allowsOld: false,
      },
    })
    await server.close()
    expect(sent.speed).toBeGreaterThan(bare / 2)
    expect(sent.grown.child).toBeLessThan(100)
    expect(sent.grown.parent).toBeLessThan(150)
  },
  10 * MINUTES,
)

/** Implicit TLS sends no other bytes than explicit, once it is there. */
const SERVERS = INSTALLED_DESTINATIONS.filter(({ name }) => !name.endsWith('implicit'))

describe.each(SERVERS)('1 GB to an installed server: $name', ({ name, isThere, start }) => {
  const send = (server: InstalledDestination, half?: (senderPid: number) => unknown) =>
    sendLarge(
      ['127.0.0.1'],
      { address: server.address, server: server.access },
      half,
      server.ca?.toString(),
    )

  it.skipIf(!isThere)(
    'arrives whole, in constant memory',
    async () => {
      const server = await start()
      const { speed, grown } = await send(server)
      const { size } = await stat(join(server.folder, 'stock.csv'))
      await server.close()
      figure('sending', `1 GB to ${name}`, `${speed.toFixed(0)} MB/s`, 'constant memory')
      expect(size).toBe(SIZE)
      expect(grown.child).toBeLessThan(100)
      expect(grown.parent).toBeLessThan(150)
    },
    10 * MINUTES,
  )

  it.skipIf(!isThere).each<[string, (server: InstalledDestination, senderPid: number) => unknown]>([
    ['its server is killed', (server) => server.kill()],
    ['its server is frozen', (server) => server.freeze()],
    ['the sender is killed', (_, senderPid) => process.kill(senderPid, 'SIGKILL')],
    ['the sender is frozen', (_, senderPid) => process.kill(senderPid, 'SIGSTOP')],
  ])(
    'has left nothing under its name when %s in the middle of it',
    async (_what, breakIt) => {
      const server = await start()
      await writeFile(join(server.folder, 'stock.csv'), 'the file before')
      const sending = send(server, (senderPid) => breakIt(server, senderPid))
      await expect(sending).rejects.toThrow(/\S/)
      expect(await readFile(join(server.folder, 'stock.csv'), 'utf8')).toBe('the file before')
      await server.close()
    },
    10 * MINUTES,
  )
})

it(
  'sends 1 GB to a web address in constant memory',
  async () => {
    let bytes = 0
    const server = createServer((request, response) => {
      request.on('data', (piece: Buffer) => (bytes += piece.length))
      request.on('end', () => response.writeHead(201).end())
    })
    const port = await listenOnLoopback(server)
    const address = `http://127.0.0.1:${port}/in/`
    const sent = await sendLarge([`127.0.0.1:${port}`], { address })
    await closeServer(server)
    expect(bytes).toBe(SIZE)
    expect(sent.grown.child).toBeLessThan(100)
    expect(sent.grown.parent).toBeLessThan(150)
  },
  10 * MINUTES,
)

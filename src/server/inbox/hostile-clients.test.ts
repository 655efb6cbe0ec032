import { once } from 'node:events'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'

import ssh, { type Client } from 'ssh2'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { MINUTE_MS } from '../../shared/durations'
import { makeSshKey } from '../testing/fixtures/ssh-keys'
import { openInboxStage, type InboxStage } from '../testing/stages/inbox-stage'

const CSV = 'sku,qty\r\n1,5\r\n'

let stage: InboxStage
beforeEach(async () => {
  stage = await openInboxStage()
})
afterEach(async () => {
  vi.useRealTimers()
  await stage.close()
})

/** What `ssh2` hides: what a client can say that means no good. */
type Hidden = {
  _protocol: {
    ping(): void
    _handlers: Record<string, (...args: never[]) => void>
  }
  _sock: Socket
}
function hiddenOf(client: Client) {
  const { _protocol: protocol, _sock: socket } = client as unknown as Hidden
  return { protocol, socket }
}

/** Sends two megabytes of questions, unless the connection is ended before. */
async function flood(client: Client): Promise<void> {
  const { protocol, socket } = hiddenOf(client)
  for (let count = 0; count < 32 && !socket.destroyed; count++) {
    socket.cork()
    for (let one = 0; one < 1_000; one++) protocol.ping()
    socket.uncork()
    await new Promise((resolve) => socket.write('', resolve))
  }
}

describe('one client', () => {
  it('is told of files with the longest of names, whichever way they came', async () => {
    await stage.send(`${'\u{1F34E}'.repeat(196)}.csv`, CSV)
    const drop = await stage.drop()
    await drop.put(`/${'a'.repeat(251)}.csv`, CSV).catch(() => undefined)
    await drop.put(`/${'a'.repeat(196)}.csv`, CSV)
    expect(await drop.list()).toHaveLength(4)
  })

  it('cannot disguise a name, as at no other place', async () => {
    const drop = await stage.drop()
    for (const name of ['a\u202Evsc.csv', 'a\\b.csv', ' a.csv', `${'a'.repeat(201)}.csv`]) {
      await expect(drop.put(`/${name}`, CSV)).rejects.toThrow('cannot have this name')
    }
  })

  it('is ended when it does not read its answers, and no other is', async () => {
    const [other, { client, sftp }] = [await stage.drop(), await stage.drop()]
    const pid = stage.inbox.pid()
    const { protocol, socket } = hiddenOf(client)
    socket.pause()
    const path = `/${'a'.repeat(1_000)}`
    for (let count = 0; count < 3_000; count++) sftp.realpath(path, () => undefined)
    const askAgain = () => {
      protocol.ping()
      return socket.destroyed
    }
    await expect.poll(askAgain).toBe(true)
    expect(await other.list()).toEqual([])
    expect(stage.inbox.pid()).toBe(pid)
  })

  it('is ended when it sends much before it has signed in', async () => {
    const flooding = Promise.withResolvers<void>()
    const client = new ssh.Client()
    client.on('error', () => undefined)
    client.connect({
      host: '127.0.0.1',
      port: stage.port,
      username: 'drop',
      authHandler: () => void flood(client).then(flooding.resolve),
    })
    await flooding.promise
    const { socket } = hiddenOf(client)
    // Before the time is over in which it has to sign in.
    await expect.poll(() => socket.destroyed, { timeout: 15_000 }).toBe(true)
  })

  it('opens a hundred channels at most', async () => {
    const client = await stage.connect()
    const run = promisify(client.exec.bind(client))
    const tried = await Promise.allSettled(Array.from({ length: 101 }, () => run('id')))
    const reasons = tried.map((one) => String((one as PromiseRejectedResult).reason))
    expect(reasons.filter((reason) => reason.includes('open failure'))).toHaveLength(1)
  })

  it('has so many sessions, and no more', async () => {
    for (let count = 0; count < 32; count++) await stage.connect()
    await expect(stage.connect()).rejects.toThrow('authentication methods failed')
    await stage.shop()
  })

  it('signs with SHA-2', async () => {
    const { privateKey, publicKey } = await makeSshKey('rsa')
    await stage.deps.db
      .updateTable('sftpLogins')
      .set({ publicKeys: [publicKey] })
      .execute()
    const key = { privateKey, password: undefined as never }
    await stage.connect(key)
    const client = new ssh.Client()
    const ready = once(client, 'ready')
    client.on('error', () => undefined)
    client.connect({ host: '127.0.0.1', port: stage.port, username: 'drop', ...key })
    // As if the server had not said that it knows SHA-2.
    const { _handlers: handlers } = hiddenOf(client).protocol
    handlers['EXT_INFO'] = () => undefined
    await expect(ready).rejects.toThrow('authentication methods failed')
  })
})

describe('a file that waits for its name', () => {
  it('does so for ten minutes', async () => {
    const drop = await stage.drop()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await drop.put('/stock.csv.part', CSV)
    vi.advanceTimersByTime(10 * MINUTE_MS)
    vi.useRealTimers()
    await expect.poll(stage.states).toEqual({ 'stock.csv.part': 'refused' })
    await expect(drop.rename('/stock.csv.part', '/stock.csv')).rejects.toThrow('Send it again')
    expect(await stage.deps.db.selectFrom('uploads').select('id').execute()).toEqual([])
  })

  it('gives way to the next of its name', async () => {
    const drop = await stage.drop()
    await drop.put('/a.part', CSV)
    await drop.put('/b.part', CSV)
    await drop.rename('/a.part', '/b.part')
    const uploads = () => stage.deps.db.selectFrom('uploads').select('id').execute()
    await expect.poll(async () => (await uploads()).length).toBe(1)
  })

  it('leaves a place for the supplier itself', async () => {
    const drop = await stage.drop()
    await drop.put('/a.part', CSV)
    await drop.put('/b.part', CSV)
    await expect(drop.put('/c.part', CSV)).rejects.toThrow('2 files are being sent already')
    await stage.send('by-hand.csv', CSV)
    expect(await stage.states()).toEqual({ 'by-hand.csv': 'waiting' })
  })
})

it('a file that is read again and again is opened anew, which is counted', async () => {
  await stage.send('stock.csv', `sku,qty\r\n${'1,5\r\n'.repeat(160_000)}`)
  await stage.deps.work()
  const { sftp, open } = await stage.shop()
  const handle = await open('/inventory/inventory.csv', 'r')
  const read = (at: number) =>
    new Promise<void>((resolve, reject) => {
      sftp.read(handle, Buffer.alloc(1), 0, 1, at, (error) => (error ? reject(error) : resolve()))
    })
  const readOften = async () => {
    for (let count = 0; count < 100; count++) await read((count % 2) * 300_000)
  }
  await expect(readOften()).rejects.toThrow('read several times already')
})

it('a session ends with its connection, whatever it still asks for', async () => {
  const drop = await stage.drop()
  const ended = once(drop.client, 'close')
  for (let count = 0; count < 900; count++) drop.sftp.stat('/stock.csv', () => undefined)
  drop.client.end()
  await ended
  expect(await (await stage.drop()).list()).toEqual([])
})

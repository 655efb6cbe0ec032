import { once } from 'node:events'
import { promisify } from 'node:util'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { listDownloads } from '../features/distribution/downloads/download-history'
import { openShopFile, WHOLE } from '../features/distribution/downloads/feed-file'
import { findRetailers } from '../features/distribution/retailers/retailers.queries'
import { makeSshKey } from '../testing/fixtures/ssh-keys'
import { openInboxStage, type InboxStage } from '../testing/stages/inbox-stage'
import { openInbox } from './inbox-process'

const CSV = 'sku,qty\r\n1,5\r\n'
const NEXT = 'sku,qty\r\n1,6\r\n'

let stage: InboxStage
beforeEach(async () => {
  stage = await openInboxStage()
})
afterEach(() => stage.close())

/** The actions of the audit log, newest first. */
const audited = async () =>
  (
    await stage.deps.db.selectFrom('auditEntries').select('action').orderBy('id', 'desc').execute()
  ).map(({ action }) => action)

describe('a drop box', () => {
  it('receives a file when it is closed, and shows what became of it', async () => {
    const drop = await stage.drop()
    await drop.put('/stock.csv', CSV)
    expect(await drop.list()).toEqual(['stock.csv', 'stock.csv.WAITING.txt'])
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(CSV)
    expect(await drop.list()).toEqual(['stock.csv', 'stock.csv.PUBLISHED.txt'])
    expect(await drop.read('/stock.csv.PUBLISHED.txt')).toBe(
      [
        'stock.csv: PUBLISHED',
        '',
        'The file is published.',
        '',
        'Received  2026-01-15 08:30 UTC, 14 Bytes',
        'Decided   2026-01-15 08:30 UTC',
        'Content   1 row',
        '',
      ].join('\r\n'),
    )
    expect((await stage.received())[0]).toMatchObject({
      way: 'sftp',
      sender: 'drop',
      receivedBy: null,
    })
    expect(await audited()).toContain('connection.receive-by-sftp')
  })

  it('waits for the rename of a file with a temporary name', async () => {
    const drop = await stage.drop()
    await drop.put('/stock.csv.filepart', CSV)
    expect(await stage.received()).toEqual([])
    expect((await drop.look('/stock.csv.filepart')).size).toBe(CSV.length)
    await drop.rename('/stock.csv.filepart', '/stock.csv')
    expect((await stage.received()).map(({ fileName }) => fileName)).toEqual(['stock.csv'])
    expect((await drop.look('/stock.csv')).size).toBe(CSV.length)
  })

  it('lets programs remove what they replace, as WinSCP does', async () => {
    const drop = await stage.drop()
    await drop.put('/stock.csv', CSV)
    await drop.put('/stock.csv.filepart', NEXT)
    await drop.setTimes('/stock.csv.filepart', 1_700_000_000)
    await drop.remove('/stock.csv')
    await expect(drop.look('/stock.csv')).rejects.toThrow('no such file')
    await drop.rename('/stock.csv.filepart', '/stock.csv')
    expect(await drop.look('/stock.csv')).toMatchObject({ size: NEXT.length, mtime: 1_700_000_000 })
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(NEXT)
  })

  it('tells of a file that was never renamed, and does not read it', async () => {
    const drop = await stage.drop()
    await drop.put('/stock.csv.part', CSV)
    drop.client.end()
    await expect.poll(stage.states).toEqual({ 'stock.csv.part': 'refused' })
    const next = await stage.drop()
    expect(await next.list()).toEqual(['stock.csv.part', 'stock.csv.part.REFUSED.txt'])
    expect(await next.read('/stock.csv.part.REFUSED.txt')).toContain('The file was not renamed')
  })

  it('takes nothing of a file whose connection breaks', async () => {
    const drop = await stage.drop()
    const handle = await drop.open('/stock.csv', 'w')
    await drop.write(handle, 0, CSV)
    drop.client.end()
    const uploads = () => stage.deps.db.selectFrom('uploads').select('id').execute()
    await expect.poll(uploads).toEqual([])
    expect(await stage.received()).toEqual([])
  })

  it('takes parts that overtake each other a little, and neither gaps nor bytes twice', async () => {
    const drop = await stage.drop()
    const handle = await drop.open('/stock.csv', 'w')
    await Promise.all([drop.write(handle, 4, CSV.slice(4)), drop.write(handle, 0, CSV.slice(0, 4))])
    await drop.close(handle)
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(CSV)
    const gap = await drop.open('/gap.csv', 'w')
    drop.write(gap, 4, CSV).catch(() => undefined)
    await expect(drop.close(gap)).rejects.toThrow('nothing came for byte 0')
    const twice = await drop.open('/twice.csv', 'w')
    await drop.write(twice, 0, CSV)
    await expect(drop.write(twice, 0, CSV)).rejects.toThrow('from its start to its end, once')
  })

  it('says why it does not take a file', async () => {
    const drop = await stage.drop()
    await expect(drop.open('/stock.csv', 'a')).rejects.toThrow('neither continued nor appended to')
    await expect(drop.open('/in/stock.csv', 'w')).rejects.toThrow('one folder only')
    await expect(drop.open('/a.csv.HELD.txt', 'w')).rejects.toThrow('cannot be sent')
    await expect(drop.put('/stock.csv', '')).rejects.toThrow('The file is empty')
    await stage.deps.db.updateTable('connections').set({ isActive: false }).execute()
    await expect(drop.open('/stock.csv', 'w')).rejects.toThrow('This connection is paused')
  })

  it('tells beside it what was refused at its end, which many programs do not show', async () => {
    const drop = await stage.drop()
    await drop.put('/stock.csv', '').catch(() => undefined)
    expect(await drop.list()).toContain('stock.csv.REFUSED.txt')
  })

  it('breaks off a file that is too large', async () => {
    const drop = await stage.drop()
    const handle = await drop.open('/stock.csv', 'w')
    const piece = 'x'.repeat(30_000)
    const send = async () => {
      for (let at = 0; at < 1_200_000; at += piece.length) await drop.write(handle, at, piece)
    }
    await expect(send()).rejects.toThrow('maximum size')
    expect(await stage.states()).toEqual({})
  })

  it('shows nothing but itself, whatever path is asked for', async () => {
    const drop = await stage.drop()
    await drop.put('/stock.csv', CSV)
    expect(await drop.resolve('.')).toBe('/')
    expect(await drop.resolve('../../etc/../..')).toBe('/')
    for (const path of [
      '/etc/passwd',
      '../../../etc/passwd',
      '/%2e%2e/etc/passwd',
      '/stock.csv\0.txt',
      `/${'a'.repeat(5_000)}`,
    ]) {
      await expect(drop.read(path)).rejects.toThrow('no such file')
    }
    await expect(drop.list('/etc')).rejects.toThrow('no such file')
    await expect(drop.read('/stock.csv')).rejects.toThrow('cannot be read here')
    const link = promisify(drop.sftp.symlink.bind(drop.sftp))
    await expect(link('/etc/passwd', '/link')).rejects.toThrow('unsupported')
    await expect(drop.makeFolder('/in')).rejects.toThrow('Folders cannot be made')
    await expect(drop.makeFolder('/')).rejects.toThrow('there already')
  })
})

it('limits how often a login sends, and how often it fetches', async () => {
  const { deps } = stage
  Object.assign(deps.limits, {
    uploadBySftp: { ...deps.limits.uploadBySftp, max: 1 },
    fetchBySftp: { ...deps.limits.fetchBySftp, max: 1 },
  })
  const [drop, shop] = [await stage.drop(), await stage.shop()]
  await drop.put('/stock.csv', CSV)
  await expect(drop.put('/stock.csv', NEXT)).rejects.toThrow('Too many attempts')
  await deps.work()
  await shop.read('/inventory/inventory.csv')
  await expect(shop.read('/inventory/inventory.csv')).rejects.toThrow('Too many attempts')
})

describe('the pick-up of a retailer', () => {
  it('has the bytes of its feed address, and counts who has read them', async () => {
    const content = `sku,qty\r\n${Array.from({ length: 20_000 }, (_, row) => `${row},5\r\n`).join('')}`
    await stage.send('stock.csv', content)
    await stage.deps.work()
    const shop = await stage.shop()
    expect(await shop.list('/inventory')).toEqual(['inventory.csv'])
    expect(await shop.read('/inventory/inventory.csv')).toBe(content)
    const [retailer] = await findRetailers(stage.deps.db, [stage.retailer.id], {})
    const feed = await openShopFile(stage.deps, retailer!, { ...WHOLE, addressId: null })
    expect(feed.value.sizeBytes).toBe(content.length)
    await stage.deps.pulls.flush()
    const [download] = await listDownloads(stage.deps, stage.retailer.user, stage.retailer.id)
    expect(download).toMatchObject({
      client: 'Node.js',
      rowCount: 20_000,
      fileSize: content.length,
    })
  })

  it('can only be read', async () => {
    const shop = await stage.shop()
    await expect(shop.put('/inventory/inventory.csv', CSV)).rejects.toThrow('can only be read')
    await expect(shop.put('/stock.csv', CSV)).rejects.toThrow('can only be read')
    await expect(shop.read('/inventory/inventory.csv')).rejects.toThrow('no such file')
    expect(await shop.list('/')).toEqual(['inventory'])
  })
})

describe('the inbox', () => {
  it('lets in who has the password or a key, and records who has not', async () => {
    const { privateKey } = stage.key
    const { privateKey: otherKey } = await makeSshKey('ed25519')
    await stage.connect({ privateKey, password: undefined as never })
    const wrong = [
      { password: 'another one' },
      { username: 'nobody' },
      { privateKey: otherKey, password: undefined as never },
    ]
    for (const options of wrong) {
      await expect(stage.connect(options)).rejects.toThrow('authentication methods failed')
    }
    expect(await audited()).toEqual(
      expect.arrayContaining(['connection.fail-sftp-sign-in', 'user.sign-in-failed']),
    )
  })

  it('has neither commands nor a shell, and forwards nothing', async () => {
    const client = await stage.connect()
    const refused = 'Unable to exec'
    await expect(promisify(client.exec.bind(client))('id')).rejects.toThrow(refused)
    const shell = promisify(client.shell.bind(client) as never) as (pty?: false) => Promise<unknown>
    await expect(shell()).rejects.toThrow('pseudo-terminal')
    await expect(shell(false)).rejects.toThrow('Unable to open shell')
    const forward = promisify(client.forwardOut.bind(client))
    await expect(forward('127.0.0.1', 1, '127.0.0.1', stage.port)).rejects.toThrow('open failure')
    await expect(promisify(client.forwardIn.bind(client))('127.0.0.1', 0)).rejects.toThrow(
      'Unable to bind',
    )
  })

  it.each([
    ['of more than may be in one', [0x40, 0x2e, 0x40, 0x2e]],
    ['of none', [0, 0, 0, 0]],
  ])('ends the connection of a client that begins a packet %s', async (_, length) => {
    const client = await stage.connect()
    const closed = new Promise<string>((resolve) => client.once('close', () => resolve('closed')))
    const channel = await promisify(client.subsys.bind(client))('sftp')
    channel.on('error', () => undefined)
    channel.write(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3, ...length]))
    channel.write(Buffer.alloc(100_000))
    expect(await closed).toBe('closed')
  })

  it('ends the sessions of a login that is revoked', async () => {
    const drop = await stage.drop()
    const ended = once(drop.client, 'close')
    await stage.deps.db.deleteFrom('sftpLogins').where('username', '=', 'drop').execute()
    await ended
    await expect(stage.drop()).rejects.toThrow('authentication methods failed')
  })

  it('does not take a file whose login was revoked while it came', async () => {
    const drop = await stage.drop()
    const handle = await drop.open('/stock.csv', 'w')
    await drop.write(handle, 0, CSV)
    await stage.deps.db.deleteFrom('sftpLogins').where('username', '=', 'drop').execute()
    await expect(drop.close(handle)).rejects.toThrow('')
    expect(await stage.received()).toEqual([])
  })

  it('ends also while it starts', async () => {
    const inbox = openInbox(stage.deps)
    await inbox?.close()
    expect(inbox?.pid()).toBe(undefined)
  })

  it('tells what listens, and what waits for its port', async () => {
    const { deps, inbox, port } = stage
    expect(inbox.state()).toEqual({ sftp: 'listening' })
    expect((await deps.metrics.scrape()).text).toContain(
      'stockbridge_inbox_listening{way="sftp"} 1',
    )
    const config = { ...deps.config, sftp: { ...deps.config.sftp!, port } }
    const second = openInbox({ ...deps, config })
    expect(second?.state()).toEqual({ sftp: 'waiting' })
    await second?.close()
    process.kill(inbox.pid()!, 'SIGKILL')
    await expect.poll(() => inbox.state()).toEqual({ sftp: 'waiting' })
  })

  it('begins anew after a crash, and takes nothing of what was on its way', async () => {
    const drop = await stage.drop()
    const handle = await drop.open('/stock.csv', 'w')
    await drop.write(handle, 0, CSV)
    process.kill(stage.inbox.pid()!, 'SIGKILL')
    const again = async () => (await stage.drop()).put('/next.csv', NEXT)
    await expect
      .poll(
        () =>
          again().then(
            () => 'received',
            () => 'not yet',
          ),
        { interval: 500 },
      )
      .toBe('received')
    expect(Object.keys(await stage.states())).toEqual(['next.csv'])
  })
})

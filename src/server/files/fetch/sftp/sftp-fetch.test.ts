import { afterEach, describe, expect, it } from 'vitest'

import { showHostKey } from '../../../../shared/host-key'
import { DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import { hostKeyOf, makeSshKey } from '../../../testing/fixtures/ssh-keys'
import {
  SFTP_PASSWORD,
  SFTP_USER,
  type SftpServer,
  type SftpServerOptions,
  startSftpServer,
} from '../../../testing/servers/sftp-server'
import { failureOf, readWhole } from '../../../testing/stages/fetching'
import { createFileFetcher, type FileFetcher, type FileFetcherOptions } from '../fetch'
import type { FetchRequest } from '../fetch-context'
import type { FileServerAccess } from '../file-server'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'

let server: SftpServer
let fetcher: FileFetcher

async function start(options?: SftpServerOptions, fetching: Partial<FileFetcherOptions> = {}) {
  server = await startSftpServer(options)
  server.put('/stock.csv', CSV)
  fetcher = createFileFetcher({
    now: Date.now,
    allow: [server.host],
    maxBytes: 64 * 1024 * 1024,
    ...fetching,
  })
}
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

const pinOf = (publicKey: string) => showHostKey(hostKeyOf(publicKey))

const accessOf = (access: Partial<FileServerAccess> = {}): FileServerAccess => ({
  ...DEFAULT_TRANSFER,
  hostKeys: server.publicKeys.map(pinOf),
  login: { username: SFTP_USER, password: SFTP_PASSWORD },
  ...access,
})

const fetch = (
  path: string,
  access: Partial<FileServerAccess> = {},
  request: Partial<FetchRequest> = {},
) =>
  fetcher.fetch({
    url: server.url(path),
    signal: new AbortController().signal,
    server: accessOf(access),
    ...request,
  })

const contentOf = async (...args: Parameters<typeof fetch>) => readWhole(await fetch(...args))

const failureAt = (...args: Parameters<typeof fetch>) => failureOf(contentOf(...args))

describe('fetching over SFTP', () => {
  it('reads a file with a password, and tells its size, time and name', async () => {
    await start()
    const { bytes, ...facts } = await contentOf('/stock.csv')
    expect(bytes.toString()).toBe(CSV)
    expect(facts).toMatchObject({
      fileName: 'stock.csv',
      expectedBytes: CSV.length,
      mediaType: '',
      compression: 'none',
      etag: expect.stringMatching(/^"25-\d+"$/) as string,
    })
  })

  it.each([
    ['a password that is asked for by prompts', { byPrompt: true }],
    ['old servers that answer with few bytes', {}],
  ])('works with %s', async (_name, options) => {
    await start(options)
    server.state.maxReadBytes = 7
    expect((await contentOf('/stock.csv')).bytes.toString()).toBe(CSV)
  })

  it.each(['ed25519', 'ecdsa', 'rsa'] as const)(
    'signs in with a private key of %s',
    async (type) => {
      const { privateKey, publicKey } = await makeSshKey(type)
      await start({ publicKey })
      const login = { username: SFTP_USER, privateKey }
      expect((await contentOf('/stock.csv', { login })).bytes.toString()).toBe(CSV)
      expect(server.state.signIns.every((method) => method === 'publickey')).toBe(true)
    },
  )

  it('reads a large file whole and in order, whatever is answered first', async () => {
    await start()
    const large = Buffer.alloc(5_000_003, 'a long line of some text, ')
    server.put('/large.csv', large)
    expect((await contentOf('/large.csv')).bytes.equals(large)).toBe(true)
  })

  it('reads nothing of a file whose size and time are as before', async () => {
    await start()
    const { etag } = await contentOf('/stock.csv')
    const before = server.state.opened
    expect(await fetch('/stock.csv', {}, { etag })).toEqual({ kind: 'unchanged' })
    expect(server.state.opened).toBe(before)
    server.put('/stock.csv', CSV, Date.now() - 7_200_000)
    expect((await fetch('/stock.csv', {}, { etag })).kind).toBe('content')
  })

  it('says what is wrong with the address or the access', async () => {
    await start()
    expect(await failureAt('/other.csv')).toMatchObject({ code: 'no-file' })
    const login = { username: SFTP_USER, password: 'wrong' }
    expect(await failureAt('/stock.csv', { login })).toMatchObject({
      code: 'sign-in-refused',
      message: 'The server does not accept this user name and password.',
    })
  })
})

describe('the key of a server', () => {
  it('is shown before anything is sent to a server that nobody has confirmed', async () => {
    await start({ keys: ['rsa', 'ed25519'] })
    const failure = await failureAt('/stock.csv', { hostKeys: [] })
    const shown = pinOf(server.publicKeys[1] ?? '')
    expect(failure).toMatchObject({ code: 'host-key-unknown', hostKey: shown })
    expect(failure.message).toContain(shown)
    expect(server.state.signIns).toEqual([])
  })

  it('stops a fetch before any password is sent if it is not the confirmed one', async () => {
    await start()
    const { publicKey: other } = await makeSshKey('ed25519')
    const failure = await failureAt('/stock.csv', { hostKeys: [pinOf(other)] })
    expect(failure).toMatchObject({
      code: 'host-key-changed',
      hostKey: pinOf(server.publicKeys[0] ?? ''),
    })
    expect(failure.message).toContain(pinOf(other).split(' ')[1] as string)
    expect(server.state.signIns).toEqual([])
  })

  it('may be one of several, and a server that gains one of another kind is no alarm', async () => {
    await start({ keys: ['ed25519', 'rsa'] })
    const [ed25519 = '', rsa = ''] = server.publicKeys.map(pinOf)
    const other = pinOf((await makeSshKey('ed25519')).publicKey)
    for (const hostKeys of [[rsa], [other, ed25519], [ed25519]]) {
      expect((await contentOf('/stock.csv', { hostKeys })).bytes.toString()).toBe(CSV)
    }
  })

  it('is found by its fingerprint alone, of whichever kind it is', async () => {
    await start({ keys: ['ed25519', 'ecdsa', 'rsa'] })
    for (const pin of server.publicKeys.map(pinOf)) {
      const hostKeys = [pin.split(' ')[1] ?? '']
      expect((await contentOf('/stock.csv', { hostKeys })).bytes.toString()).toBe(CSV)
    }
  })

  it('of a kind that the server has no more is told', async () => {
    await start({ keys: ['rsa'] })
    const hostKeys = [pinOf((await makeSshKey('ed25519')).publicKey)]
    expect(await failureAt('/stock.csv', { hostKeys })).toMatchObject({ code: 'host-key-changed' })
    expect(server.state.signIns).toEqual([])
  })
})

describe('methods of an SSH server', () => {
  const OLD = {
    serverHostKey: ['ssh-rsa' as const],
    kex: ['diffie-hellman-group14-sha1' as const],
    hmac: ['hmac-sha1' as const],
    cipher: ['aes128-cbc' as const],
  }
  it('that are old are accepted only where a connection says so', async () => {
    await start({ keys: ['rsa'], algorithms: OLD })
    const failure = await failureAt('/stock.csv')
    expect(failure).toMatchObject({ code: 'ssh' })
    expect(failure.message).toContain('allow old methods for this connection')
    expect((await contentOf('/stock.csv', { allowsOld: true })).bytes.toString()).toBe(CSV)
  })
})

describe('an address with a pattern', () => {
  const HOUR = 3_600_000
  it('has the newest file that fits it, and of those of one time the last by name', async () => {
    await start()
    const now = Date.now()
    server.put('/in/stock_1.csv', 'one', now - 3 * HOUR)
    server.put('/in/stock_2.csv', 'two', now - 2 * HOUR)
    server.put('/in/prices_9.csv', 'none', now - HOUR)
    server.put('/in/old/stock_3.csv', 'none', now - HOUR)
    const second = await contentOf('/in/stock_*.csv')
    expect(second).toMatchObject({ foundName: 'stock_2.csv', fileName: 'stock_2.csv' })
    expect(second.bytes.toString()).toBe('two')
    const { etag } = second
    expect(await fetch('/in/stock_*.csv', {}, { etag })).toEqual({ kind: 'unchanged' })
    server.put('/in/stock_2b.csv', 'two', now - 2 * HOUR)
    expect(await fetch('/in/stock_*.csv', {}, { etag })).toMatchObject({
      foundName: 'stock_2b.csv',
    })
  })

  it('that nothing fits is told', async () => {
    await start()
    expect(await failureAt('/stick_*.csv')).toMatchObject({ code: 'no-file' })
  })

  it('of a folder that is not there is a fault, also where nothing new is none', async () => {
    await start()
    server.state.hasNoFolders = true
    const failure = await failureAt('/in/*.csv', {}, { mayBeGone: true })
    expect(failure.message).toContain('no such folder')
  })

  it('of a folder with too many names is given up', async () => {
    await start()
    server.state.endlessNames = () => 'a.csv'
    const failure = await failureAt('/*.txt')
    expect(failure.message).toContain('more than 100,000 names')
  })

  it('never has a name that leads out of its folder', async () => {
    await start()
    const names = ['../x.csv', 'a/b.csv', 'c\n.csv']
    server.state.endlessNames = () => names.pop() ?? 'y.txt'
    expect((await failureAt('/*.csv')).message).toContain('more than 100,000 names')
  })
})

describe('a file that is being written', () => {
  const SETTLING = {
    youngMs: 60_000,
    settleMs: 40,
    settleWithinMs: 400,
    headersMs: 2_000,
    connectMs: 2_000,
    idleMs: 2_000,
    slowWindowMs: 60_000,
    minBytesPerSecond: 1,
    totalMs: 60_000,
  }
  const isAwaited = { isAwaited: true }

  it('is waited for until its size and time stand', async () => {
    await start({}, { timeouts: SETTLING })
    server.put('/stock.csv', 'sku\n1\n', Date.now())
    const writer = setTimeout(() => server.put('/stock.csv', CSV, Date.now()), 20)
    expect((await contentOf('/stock.csv', {}, isAwaited)).bytes.toString()).toBe(CSV)
    clearTimeout(writer)
  })

  it('is not read if it never stands', async () => {
    await start({}, { timeouts: SETTLING })
    let rows = 0
    server.put('/stock.csv', 'sku\n', Date.now())
    const writer = setInterval(
      () => server.put('/stock.csv', `sku\n${'1\n'.repeat(++rows)}`, Date.now()),
      10,
    )
    const failure = await failureAt('/stock.csv', {}, isAwaited).finally(() =>
      clearInterval(writer),
    )
    expect(failure).toMatchObject({ code: 'still-written' })
    expect(server.state.opened).toBe(0)
  })

  it.each([
    ['grows', () => server.put('/stock.csv', `${CSV}3,Hat\n`, Date.now())],
    ['is replaced', () => server.put('/stock.csv', CSV.toUpperCase(), Date.now())],
    ['shrinks', () => server.put('/stock.csv', 'sku\n', Date.now())],
  ])('is not taken for whole if it %s while it is read', async (_name, change) => {
    await start()
    server.state.onRead = change
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'still-written' })
  })

  it('with a time that lies ahead is waited for too', async () => {
    await start({}, { timeouts: SETTLING })
    server.put('/stock.csv', CSV, Date.now() + 3_600_000)
    expect((await contentOf('/stock.csv', {}, isAwaited)).bytes.toString()).toBe(CSV)
  })
})

describe('an SFTP server that fails', () => {
  it('in the middle of a file leaves no whole file, and the reason is told', async () => {
    await start()
    server.put('/large.csv', Buffer.alloc(4_000_000, 'x'))
    server.state.onRead = (position) => {
      if (position > 1_000_000) server.dropAll()
    }
    expect(await failureAt('/large.csv')).toMatchObject({ code: 'truncated' })
  })

  it('by saying nothing any more is given up', async () => {
    await start({}, { timeouts: { idleMs: 100 } })
    server.put('/large.csv', Buffer.alloc(4_000_000, 'x'))
    server.state.onRead = (position) =>
      position > 1_000_000 ? new Promise<void>(() => undefined) : undefined
    expect(await failureAt('/large.csv')).toMatchObject({ code: 'stalled' })
  })

  it.each([
    ['asks', 'keepalive@openssh.com', 5_001, 0],
    ['shows its keys', 'hostkeys-00@openssh.com', 6, 20],
  ])('to hear what it %s without end is left', async (_what, name, times, keys) => {
    await start()
    const blob = Buffer.from(server.publicKeys[0]?.split(' ')[1] ?? '', 'base64')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(blob.length)
    const text = Buffer.concat(Array.from({ length: keys }, () => [length, blob]).flat())
    let most = times
    server.state.onReady = (ask) => {
      for (let count = 0; count < most; count++) ask(name, text)
    }
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'bad-answer' })
    most -= 1
    expect((await contentOf('/stock.csv')).bytes.toString()).toBe(CSV)
  })

  it('by sending a file in tiny pieces without end is left', async () => {
    await start()
    server.put('/large.csv', Buffer.alloc(300_000, 'x'))
    server.state.maxReadBytes = 1
    expect((await failureAt('/large.csv')).message).toContain('too small')
    server.state.maxReadBytes = 512
    expect((await contentOf('/large.csv')).bytes).toHaveLength(300_000)
  })

  it('to tell the size of a file has sent none that could be taken for whole', async () => {
    await start()
    server.state.leavesOut = 'size'
    const failure = await failureAt('/stock.csv')
    expect(failure).toMatchObject({ code: 'bad-answer' })
    expect(failure.message).toContain('how large the file is')
  })

  it('to tell when a file was changed still sends it whole', async () => {
    await start()
    server.state.leavesOut = 'mtime'
    const { bytes, etag } = await contentOf('/stock.csv')
    expect([bytes.toString(), etag]).toEqual([CSV, null])
    expect((await failureAt('/sto*.csv')).message).toContain('does not tell when its files were')
  })

  it('while a file is moved is told as that, and not as a refusal', async () => {
    await start()
    const { etag } = await contentOf('/stock.csv')
    server.state.onLook = (path) => path.startsWith('/done') && server.dropAll()
    const afterReading = { action: 'move', folder: '/done' } as const
    const tidying = { etag: etag ?? '', foundName: undefined, afterReading }
    expect(await failureOf(fetch('/stock.csv', {}, { tidying }))).toMatchObject({
      code: 'connection-lost',
    })
  })

  it('with an end before the announced size has sent half a file', async () => {
    await start()
    server.put('/stock.csv', CSV, undefined, 100_000)
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'truncated' })
  })
})

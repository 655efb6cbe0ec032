import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

import { afterEach, describe, expect, it } from 'vitest'

import { type AfterReading, DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import {
  FTP_PASSWORD,
  FTP_USER,
  type FtpServer,
  type FtpServerOptions,
  startFtpServer,
} from '../../../testing/servers/ftp-server'
import { createAuthority, createSelfSigned } from '../../../testing/servers/source-certificate'
import { failureOf, readWhole } from '../../../testing/stages/fetching'
import { createFileFetcher, type FileFetcher, type FileFetcherOptions } from '../fetch'
import type { FetchRequest } from '../fetch-context'
import type { FileServerAccess } from '../file-server'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'
const NAME = 'files.example'
const authority = createAuthority()
const certified = authority.issue(NAME)
const PLAIN = { usesTls: false }

let server: FtpServer
let fetcher: FileFetcher

async function start(options: FtpServerOptions = {}, fetching: Partial<FileFetcherOptions> = {}) {
  server = await startFtpServer(options)
  server.put('/stock.csv', CSV)
  fetcher = createFileFetcher({
    now: Date.now,
    allow: ['127.0.0.1'],
    maxBytes: 64 * 1024 * 1024,
    lookup: async () => [{ address: '127.0.0.1' }],
    ca: authority.cert,
    ...fetching,
  })
}
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

const fetch = (
  path: string,
  access: Partial<FileServerAccess> = {},
  request: Partial<FetchRequest> = {},
) =>
  fetcher.fetch({
    url: server.url(path, NAME),
    signal: new AbortController().signal,
    server: {
      ...DEFAULT_TRANSFER,
      login: { username: FTP_USER, password: FTP_PASSWORD },
      ...access,
    },
    ...request,
  })

const contentOf = async (...args: Parameters<typeof fetch>) => readWhole(await fetch(...args))

const textOf = async (...args: Parameters<typeof contentOf>) =>
  (await contentOf(...args)).bytes.toString()
const failureAt = (...args: Parameters<typeof contentOf>) => failureOf(contentOf(...args))

const isSaid = (command: string) => server.state.said.some((line) => line.startsWith(command))

describe('fetching over FTP', () => {
  it('reads a file, and tells its size, time and name', async () => {
    await start()
    const { bytes, ...facts } = await contentOf('/stock.csv', PLAIN)
    expect(bytes.toString()).toBe(CSV)
    expect(facts).toMatchObject({
      fileName: 'stock.csv',
      expectedBytes: CSV.length,
      mediaType: '',
      compression: 'none',
      etag: expect.stringMatching(/^"25-\d+"$/) as string,
    })
  })

  it('reads nothing of a file whose size and time are as before', async () => {
    await start()
    const { etag } = await contentOf('/stock.csv', PLAIN)
    expect(await fetch('/stock.csv', PLAIN, { etag })).toEqual({ kind: 'unchanged' })
    expect(server.state.dataConnections).toBe(1)
    server.put('/stock.csv', CSV, Date.now() - 7_200_000)
    expect((await fetch('/stock.csv', PLAIN, { etag })).kind).toBe('content')
  })

  it('signs in without a name where none is given', async () => {
    await start({ isOpen: true })
    expect(await textOf('/stock.csv', { ...PLAIN, login: undefined })).toBe(CSV)
    expect(server.state.said).toContain('USER anonymous')
  })

  it('reads a large file whole and in order, and an empty one', async () => {
    await start()
    const large = Buffer.alloc(5_000_003, 'a long line of some text, ')
    server.put('/large.csv', large)
    expect((await contentOf('/large.csv', PLAIN)).bytes.equals(large)).toBe(true)
    server.put('/empty.csv', '')
    expect(await textOf('/empty.csv', PLAIN)).toBe('')
  })

  it('begins in the folder of the user, and at the root with a second slash', async () => {
    await start()
    const named = {
      '/a/Bestände 1.csv': 'a/Bestände 1.csv',
      '//a/b.csv': '/a/b.csv',
      '/ c.csv': './ c.csv',
    }
    server.put('/a/Bestände 1.csv', CSV)
    server.put('/a/b.csv', CSV)
    server.put('/./ c.csv', CSV)
    for (const [path, asked] of Object.entries(named)) {
      expect(await textOf(path, PLAIN)).toBe(CSV)
      expect(server.state.said).toContain(`RETR ${asked}`)
    }
  })

  it('takes size and time from MLST where only that is known', async () => {
    await start()
    server.state.answers = {
      SIZE: '502 No',
      MDTM: '502 No',
      MLST: '250-Facts\r\n Type=file;Size=25;Modify=20260102030405.5; stock.csv\r\n250 End',
    }
    const { etag, bytes } = await contentOf('/stock.csv', PLAIN)
    expect(bytes.toString()).toBe(CSV)
    expect(etag).toBe(`"25-${Date.UTC(2026, 0, 2, 3, 4, 5, 500)}"`)
  })

  it('does without a time, and says so if there is no size either', async () => {
    await start()
    server.state.answers.MDTM = '500 No'
    expect((await contentOf('/stock.csv', PLAIN)).etag).toBeNull()
    server.state.answers.SIZE = '500 No'
    const failure = await failureAt('/stock.csv', PLAIN)
    expect(failure).toMatchObject({ code: 'bad-answer' })
    expect(failure.message).toContain('how large the file is')
  })

  it('asks with PASV where EPSV is not known', async () => {
    await start()
    server.state.answers.EPSV = '500 No'
    expect(await textOf('/stock.csv', PLAIN)).toBe(CSV)
  })

  it('works over IPv6, where only EPSV is asked', async (test) => {
    const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === '::1'),
    )
    test.skip(!hasIpv6, 'this machine has no IPv6')
    const lookup = async () => [{ address: '::1' }]
    await start({ address: '::1', tls: certified }, { allow: ['::1'], lookup })
    expect(await textOf('/stock.csv')).toBe(CSV)
    server.state.answers.EPSV = '500 No'
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'bad-answer' })
    expect(isSaid('PASV')).toBe(false)
  })

  it('understands answers of several lines that arrive byte by byte', async () => {
    await start()
    server.state.answers.SIZE = (_path, { control }) => void writeSlowly(control, '213 25\r\n')
    server.state.answers.OPTS = (_path, { control }) =>
      void writeSlowly(control, '200-Some\r\n200x\r\n200 Fine\r\n')
    expect(await textOf('/stock.csv', PLAIN)).toBe(CSV)
  })

  it('ends its connections when the file was read', async () => {
    await start()
    await contentOf('/stock.csv', PLAIN)
    await expect.poll(() => server.connections()).toBe(0)
  })
})

describe('TLS with a server of FTP', () => {
  const WAYS = [
    ['that it changes to', { tls: certified }],
    ['that it begins with', { tls: certified, isImplicit: true }],
    ['of version 1.2', { tls: { ...certified, maxVersion: 'TLSv1.2' as const } }],
    [
      'of version 1.2 from the beginning',
      { tls: { ...certified, maxVersion: 'TLSv1.2' as const }, isImplicit: true },
    ],
  ] as const
  it.each(WAYS)(
    '%s protects all that is said, and data connections resume it',
    async (_name, options) => {
      await start(options)
      for (let count = 1; count <= 2; count++) {
        expect(await textOf('/stock.csv')).toBe(CSV)
        expect(server.state.resumed).toEqual(Array.from({ length: count }, () => true))
      }
      expect(server.state.names[0]).toBe(NAME)
      const { said } = server.state
      expect(said.indexOf('PROT P')).toBeGreaterThanOrEqual(0)
      expect(said.indexOf('PROT P')).toBeLessThan(said.indexOf(`USER ${FTP_USER}`))
    },
  )

  it('is with an address too, whose certificate must be of the address', async () => {
    await start({ tls: certified })
    const failure = await failureAt('/stock.csv', {}, { url: server.url('/stock.csv') })
    expect(failure).toMatchObject({ code: 'certificate-wrong-name' })
    expect(isSaid('USER')).toBe(false)
  })

  it('that a server does not offer is told before any name is sent', async () => {
    await start()
    const failure = await failureAt('/stock.csv')
    expect(failure).toMatchObject({ code: 'tls' })
    expect(failure.message).toContain('switch TLS off for this connection')
    expect(isSaid('USER')).toBe(false)
  })

  it.each([
    ['certificate-wrong-name', authority.issue('other.example')],
    ['certificate-expired', authority.issue(NAME, 2021)],
    ['certificate-untrusted', createSelfSigned(NAME)],
  ])('is refused with %s before any name is sent', async (code, tls) => {
    for (const isImplicit of [false, true]) {
      await start({ tls, isImplicit })
      expect(await failureAt('/stock.csv')).toMatchObject({ code })
      expect(isSaid('USER')).toBe(false)
      await fetcher.close()
      await server.close()
    }
  })

  it('of an old version is accepted only where a connection says so', async () => {
    const old = { minVersion: 'TLSv1' as const, maxVersion: 'TLSv1.1' as const }
    for (const isImplicit of [false, true]) {
      await start({ tls: { ...certified, ...old, ciphers: 'DEFAULT:@SECLEVEL=0' }, isImplicit })
      const failure = await failureAt('/stock.csv')
      expect(failure).toMatchObject({ code: 'tls' })
      expect(failure.message).toContain('allow old methods for this connection')
      expect(await textOf('/stock.csv', { allowsOld: true })).toBe(CSV)
      await fetcher.close()
      await server.close()
    }
  })

  it('that should begin at once, but does not, is told', async () => {
    await start()
    const url = server.url('/stock.csv', NAME).replace('ftp:', 'ftps:')
    const failure = await failureAt('/stock.csv', {}, { url })
    expect(failure).toMatchObject({ code: 'tls' })
    expect(failure.message).toContain('ftp://')
  })

  it('cannot be preceded by what somebody in between has added to the answer', async () => {
    await start({ tls: certified })
    server.state.answers.AUTH = '234 Go on\r\n200 Fine\r\n200 Fine\r\n230 Signed in\r\n213 1'
    expect(await textOf('/stock.csv')).toBe(CSV)
    expect(server.state.said).toContain(`PASS ${FTP_PASSWORD}`)
  })

  it('of data connections shows a certificate that is trusted too', async () => {
    await start({ tls: certified, dataTls: createSelfSigned(NAME) })
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'certificate-untrusted' })
  })

  it('must protect files too, before or after the sign-in', async () => {
    await start({ tls: certified })
    let isSignedIn = false
    server.state.answers.USER = () => {
      isSignedIn = true
      return null
    }
    server.state.answers.PROT = () => (isSignedIn ? null : '503 Sign in first')
    expect(await textOf('/stock.csv')).toBe(CSV)
    server.state.answers.PROT = '534 No'
    expect((await failureAt('/stock.csv')).message).toContain('does not protect')
  })
})

describe('a server of FTP', () => {
  it('is told what is wrong with the user', async () => {
    await start()
    const login = { username: FTP_USER, password: 'wrong' }
    expect(await failureAt('/stock.csv', { ...PLAIN, login })).toMatchObject({
      code: 'sign-in-refused',
      message: 'The server does not accept this user name and password.',
    })
    server.state.answers.USER = '530 Use TLS'
    expect((await failureAt('/stock.csv', PLAIN)).message).toContain('Switch on TLS')
    server.state.answers.USER = '332 Account?'
    expect((await failureAt('/stock.csv', PLAIN)).message).toContain('an account')
    const lines = { username: 'feed\r\nDELE stock.csv', password: 'x' }
    expect(await failureAt('/stock.csv', { ...PLAIN, login: lines })).toMatchObject({
      code: 'bad-address',
    })
    expect(isSaid('DELE')).toBe(false)
  })

  it('that has no such file, or a folder there, says so', async () => {
    await start()
    expect(await failureAt('/other.csv', PLAIN)).toMatchObject({ code: 'no-file' })
    server.state.answers.MLST = '250-Facts\r\n Type=dir;Modify=20260102030405; other\r\n250 End'
    expect((await failureAt('/other', PLAIN)).message).toContain('there is a folder')
    server.state.answers.RETR = '550 Not yours'
    expect((await failureAt('/stock.csv', PLAIN)).message).toContain('may not read')
  })

  it.each([
    ['USER', 'connection-lost'],
    ['SIZE', 'connection-lost'],
    ['RETR', 'connection-lost'],
  ])('that is too busy at %s says so', async (command, code) => {
    await start()
    server.state.answers[command] = '421 secret text of the server'
    const failure = await failureAt('/stock.csv', PLAIN)
    expect(failure).toMatchObject({ code })
    expect(failure.message).toContain('no more connections')
    expect(failure.message).not.toContain('secret')
  })

  it('that serves nobody from the beginning says so', async () => {
    await start()
    server.state.greeting = '421 Busy'
    expect((await failureAt('/stock.csv', PLAIN)).message).toContain('no more connections')
  })

  it('of another protocol is told from one of FTP', async () => {
    await start()
    server.state.greeting = 'SSH-2.0-OpenSSH_9.9'
    expect((await failureAt('/stock.csv', PLAIN)).message).toContain('did not respond with FTP')
  })
})

describe('connections of FTP', () => {
  const PRIVATE = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
  ]

  it.each(PRIVATE)('to %s are refused', async (host) => {
    await start({}, { allow: [] })
    for (const scheme of ['ftp', 'ftps']) {
      const url = `${scheme}://${host}:${server.port}/stock.csv`
      expect(await failureAt('', PLAIN, { url })).toMatchObject({ code: 'address-refused' })
    }
    expect(server.connections()).toBe(0)
  })

  it.each([
    'ftp://files.example:22/a.csv',
    'ftp://files.example:990/a.csv',
    'ftps://files.example:21/a.csv',
    'ftp://files.example:6379/a.csv',
  ])('to an unusual port are refused: %s', async (url) => {
    await start()
    expect(await failureAt('', PLAIN, { url })).toMatchObject({ code: 'address-refused' })
  })

  it('to a name are refused if it leads to a private address', async () => {
    await start({}, { allow: [] })
    expect(await failureAt('/stock.csv', PLAIN)).toMatchObject({ code: 'name-not-found' })
  })

  it.each(['10,0,0,1', '169,254,169,254', '8,8,8,8'])(
    'for data go to the server itself, though it names %s',
    async (address) => {
      await start()
      server.state.answers.EPSV = '500 No'
      let usual = ''
      const passive = server.passive
      server.state.answers.PASV = (_argument, client) => {
        const answer = async () => {
          const port = await passive(client)
          usual = `227 Here (${address},${port >> 8},${port & 255})`
          client.control.write(`${usual}\r\n`)
        }
        void answer()
      }
      expect(await textOf('/stock.csv', PLAIN)).toBe(CSV)
      expect(usual).toContain(address)
    },
  )

  it.each(['127.0.0.1', '::ffff:127.0.0.1'])(
    'for data are refused where %s is allowed for the first connection only',
    async (address) => {
      server = await startFtpServer()
      const lookup = async () => [{ address }]
      await server.close()
      await start({}, { lookup })
      await fetcher.close()
      fetcher = createFileFetcher({
        now: Date.now,
        allow: [`${NAME}:${server.port}`],
        maxBytes: 1_000_000,
        lookup,
      })
      const failure = await failureAt('/stock.csv', PLAIN)
      expect(failure).toMatchObject({ code: 'address-refused' })
      expect(failure.message).toContain('names a private address')
      expect(server.state.dataConnections).toBe(0)
    },
  )

  it.each(['0', '22', '80', '1023', '6379', '65536', '99999'])(
    'for data are not opened to port %s',
    async (port) => {
      await start({}, { allow: ['127.0.0.1', '127.0.0.1:80'] })
      server.state.answers.EPSV = `229 Here (|||${port}|)`
      server.state.answers.PASV = '500 No'
      const failure = await failureAt('/stock.csv', PLAIN)
      expect(failure.code).toBe('address-refused')
    },
  )

  it('for data that nobody answers are told as such', async () => {
    await start()
    server.state.answers.EPSV = '229 Here (|||29999|)'
    server.state.answers.PASV = '227 Here (127,0,0,1,117,47)'
    const failure = await failureAt('/stock.csv', PLAIN)
    expect(failure).toMatchObject({ code: 'connect-failed' })
    expect(failure.message).toContain('second connection')
  })

  it('end when the fetch is given up', async () => {
    await start()
    server.put('/large.csv', Buffer.alloc(4_000_000, 'x'))
    const abort = new AbortController()
    server.state.onSend = (position) => {
      if (position > 1_000_000) abort.abort(new Error('changed my mind'))
    }
    const reading = contentOf('/large.csv', PLAIN, { signal: abort.signal })
    await expect(reading).rejects.toThrow('changed my mind')
    await expect.poll(() => server.connections()).toBe(0)
  })
})

const IMPATIENT = { timeouts: { idleMs: 120 } }

describe('a server of FTP that fails', () => {
  it.each([
    ['drops all connections', () => server.dropAll(), 'truncated'],
    ['cuts the data connection', (data: Socket) => void data.destroy(), 'truncated'],
    ['says nothing any more', () => new Promise<void>(() => undefined), 'stalled'],
  ])('and %s in the middle leaves no whole file', async (_name, onFail, code) => {
    for (const tls of [undefined, certified]) {
      await start({ ...(tls && { tls }) }, IMPATIENT)
      server.put('/large.csv', Buffer.alloc(4_000_000, 'x'))
      server.state.onSend = (position, data) => (position > 1_000_000 ? onFail(data) : undefined)
      expect(await failureAt('/large.csv', tls ? {} : PLAIN)).toMatchObject({ code })
      await fetcher.close()
      await server.close()
    }
  })

  it.each(['426 Cut', '451 Disk', '550 Gone', '551 Bad'])(
    'and ends all bytes with %s has sent no whole file',
    async (ending) => {
      await start()
      server.state.ending = ending
      expect((await failureAt('/stock.csv', PLAIN)).code).toMatch(/^(?:truncated|not-permitted)$/)
    },
  )

  it('and never says that the file is complete is given up', async () => {
    await start({}, IMPATIENT)
    server.state.ending = '150 Still sending'
    expect((await failureAt('/stock.csv', PLAIN)).code).toMatch(/^(?:stalled|answer-timeout)$/)
  })

  it('and sends fewer bytes than it said, or more, has sent another file', async () => {
    await start()
    server.put('/stock.csv', CSV, undefined, 100)
    expect(await failureAt('/stock.csv', PLAIN)).toMatchObject({ code: 'truncated' })
    server.put('/stock.csv', CSV, undefined, 10)
    expect(await failureAt('/stock.csv', PLAIN)).toMatchObject({ code: 'still-written' })
  })

  it.each([
    ['grows', () => server.put('/stock.csv', `${CSV}3,Hat\n`)],
    ['is replaced', () => server.put('/stock.csv', CSV.toUpperCase(), Date.now())],
    ['shrinks', () => server.put('/stock.csv', 'sku\n')],
  ])('and whose file %s while it is read has not sent it whole', async (_name, change) => {
    await start()
    server.state.onSend = change
    expect(await failureAt('/stock.csv', PLAIN)).toMatchObject({ code: 'still-written' })
  })

  it.each(['USER', 'TYPE', 'SIZE', 'EPSV', 'AUTH'])(
    'and never answers to %s is given up',
    async (command) => {
      await start({ tls: certified }, { timeouts: { headersMs: 120 } })
      server.state.answers[command] = () => undefined
      expect(await failureAt('/stock.csv')).toMatchObject({ code: 'answer-timeout' })
    },
  )

  it('and agrees to TLS, but never begins it, is given up', async () => {
    await start({ tls: certified }, { timeouts: { headersMs: 120 } })
    server.state.answers.AUTH = (_way, { control }) => void control.write('234 Go on\r\n')
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'answer-timeout' })
    await expect.poll(() => server.connections()).toBe(0)
  })

  it('and never begins TLS with a data connection is given up', async () => {
    await start({ tls: certified }, IMPATIENT)
    server.state.answers.PROT = '200 Fine'
    expect(await failureAt('/stock.csv')).toMatchObject({ code: 'tls' })
    await expect.poll(() => server.connections()).toBe(0)
  })

  it.each([
    ['a line', 'x'.repeat(1_000)],
    ['an answer', `213-${'x'.repeat(1_000)}\r\n`],
    ['a series of answers', `100 ${'x'.repeat(1_000)}\r\n`],
    ['blank lines', '\r\n'.repeat(1_000)],
  ])('and sends %s without end is left', async (_name, piece) => {
    await start()
    server.state.answers.SIZE = (_path, { control }) => {
      const flood = () => {
        if (control.writable) control.write(piece, () => setImmediate(flood))
      }
      flood()
    }
    expect(await failureAt('/stock.csv', PLAIN)).toMatchObject({ code: 'bad-answer' })
  })

  it('and floods the first connection while a file is read is left', async () => {
    await start()
    server.put('/large.csv', Buffer.alloc(4_000_000, 'x'))
    server.state.answers.RETR = (_path, { control }) => {
      control.write(`150 Sending\r\n${`150 ${'x'.repeat(1_000)}\r\n`.repeat(40)}`)
    }
    expect(await failureAt('/large.csv', PLAIN)).toMatchObject({ code: 'bad-answer' })
  })

  it.each([
    `229 Here (|||${'1'.repeat(20_000)}|)`,
    '229 Here',
    `227 Here (${'1,'.repeat(10_000)})`,
    '227 Here (1,2,3)',
    '500 No',
  ])('and names no port is told as such: %.20s', async (answer) => {
    await start()
    server.state.answers.EPSV = answer
    server.state.answers.PASV = answer
    const failure = await failureAt('/stock.csv', PLAIN)
    expect(failure.code).toMatch(/^(?:bad-answer|address-refused)$/)
  })

  it('and answers more than once is not believed', async () => {
    await start()
    server.state.ending = '226 Sent\r\n213 1\r\n226 Sent'
    server.state.answers.TYPE = '200 Fine\r\n213 5\r\n213 20260102030405'
    expect(await textOf('/stock.csv', PLAIN)).toBe(CSV)
    server.state.answers.SIZE = '226 Sent\r\n213 25'
    expect(await failureAt('/stock.csv', PLAIN)).toMatchObject({ code: 'bad-answer' })
  })
})

describe('an address of FTP with a pattern', () => {
  const HOUR = 3_600_000

  it.each(['tells', 'does not tell'])(
    'has the newest file that fits it, where the server %s the times in a folder',
    async (how) => {
      await start()
      if (how !== 'tells') server.state.answers.MLSD = '500 Not known'
      const now = Date.now()
      server.put('/in/stock_1.csv', 'one', now - 3 * HOUR)
      server.put('/in/stock_2.csv', 'two', now - 2 * HOUR)
      server.put('/in/prices.csv', 'none', now - HOUR)
      const { foundName, bytes, etag } = await contentOf('/in/stock_*.csv', PLAIN)
      expect([foundName, bytes.toString()]).toEqual(['stock_2.csv', 'two'])
      expect(await fetch('/in/stock_*.csv', PLAIN, { etag })).toEqual({ kind: 'unchanged' })
      const changedAt = Math.floor((now - 2 * HOUR) / 1_000) * 1_000
      const after = (name: string) =>
        fetch('/in/stock_*.csv', PLAIN, { notBefore: { name, changedAt }, mayBeGone: true })
      expect(await after('stock_3.csv')).toEqual({ kind: 'unchanged' })
      for (const name of ['stock_2.csv', 'stock_1b.csv']) {
        expect(await after(name)).toMatchObject({ foundName: 'stock_2.csv' })
      }
      expect(await failureAt('/in/x*.csv', PLAIN)).toMatchObject({ code: 'no-file' })
    },
  )

  it('of too many files whose times are not told is given up', async () => {
    await start()
    server.state.answers.MLSD = '500 Not known'
    for (let file = 0; file < 101; file++) server.put(`/in/${file}.csv`, 'a')
    expect((await failureAt('/in/*.csv', PLAIN)).message).toContain('the newest of 101')
  })
})

describe('a folder of FTP', () => {
  it('with more lines than names are looked at is given up before it takes memory', async () => {
    await start()
    server.state.listing = 'type=cdir; .\r\n'.repeat(100_001)
    expect(await failureAt('/in/*.csv', PLAIN)).toMatchObject({ code: 'folder-too-large' })
  })

  it('that is listed in a way that cannot be read is told as such', async () => {
    await start()
    server.state.listing = 'type=file;modify=yesterday; stock_1.csv\r\n'
    expect(await failureAt('/in/*.csv', PLAIN)).toMatchObject({ code: 'bad-answer' })
  })

  it('that is not there is a fault, also where nothing new is none', async () => {
    await start()
    server.state.answers.MLSD = '550 No such folder'
    const failure = await failureAt('/in/*.csv', PLAIN, { mayBeGone: true })
    expect(failure.message).toContain('no such folder')
    // Without MLSD, an empty folder may look like that.
    server.state.answers.MLSD = '500 Not known'
    server.state.answers.LIST = '550 No files found'
    expect(await fetch('/in/*.csv', PLAIN, { mayBeGone: true })).toEqual({ kind: 'unchanged' })
  })
})

describe('a file of FTP that was read', () => {
  it('and may not be read any more is a fault, and not gone', async () => {
    await start()
    server.state.answers.RETR = '550 Not yours'
    const failure = await failureAt('/stock.csv', PLAIN, { mayBeGone: true })
    expect(failure).toMatchObject({ code: 'not-permitted' })
  })

  const OLD = Date.UTC(2026, 0, 2)
  const tidy = async (afterReading: AfterReading) => {
    await start()
    server.put('/in/stock.csv', CSV, OLD)
    const { etag } = await contentOf('/in/stock.csv', PLAIN)
    const tidying = { etag: etag ?? '', foundName: undefined, afterReading }
    return () => fetch('/in/stock.csv', PLAIN, { tidying })
  }
  const names = () => [...server.files.keys()].filter((path) => path.startsWith('/in/'))

  it('is deleted, unless it has changed since', async () => {
    const run = await tidy({ action: 'delete' })
    server.put('/in/stock.csv', `${CSV}3,Hat\n`)
    await run()
    expect(names()).toEqual(['/in/stock.csv'])
    server.put('/in/stock.csv', CSV, OLD)
    await run()
    expect(names()).toEqual([])
  })

  it('is moved, and takes the place of no other', async () => {
    const run = await tidy({ action: 'move', folder: 'done' })
    server.put('/in/done/stock.csv', 'of yesterday')
    await run()
    expect(names()).toHaveLength(2)
    expect(server.files.get('/in/done/stock.csv')?.content.toString()).toBe('of yesterday')
  })

  it('and that its user may not move is told', async () => {
    const run = await tidy({ action: 'move', folder: '/done' })
    server.state.answers.RNTO = '553 No'
    expect((await failureOf(run())).message).toContain('could not be moved into')
  })
})

describe('a file at a server of FTP that is being written', () => {
  const timeouts = { youngMs: 60_000, settleMs: 40, settleWithinMs: 400 }

  it('is waited for until its size and time stand', async () => {
    await start({}, { timeouts })
    server.put('/stock.csv', 'sku\n1\n', Date.now())
    const writer = setTimeout(() => server.put('/stock.csv', CSV, Date.now()), 20)
    expect(await textOf('/stock.csv', PLAIN, { isAwaited: true })).toBe(CSV)
    clearTimeout(writer)
  })
})

async function writeSlowly(socket: Socket, text: string) {
  socket.setNoDelay(true)
  for (const character of text) {
    await new Promise<void>((done) => socket.write(character, () => setTimeout(done, 1)))
  }
}

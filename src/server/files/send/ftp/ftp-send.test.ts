import { afterEach, describe, expect, it } from 'vitest'

import {
  FTP_PASSWORD,
  FTP_USER,
  type FtpServer,
  type FtpServerOptions,
  startFtpServer,
} from '../../../testing/servers/ftp-server'
import { createAuthority } from '../../../testing/servers/source-certificate'
import { failureOf } from '../../../testing/stages/fetching'
import { bodyOf, requestOf } from '../../../testing/stages/sending'
import type { SendTimeouts } from '../send-context'
import { createNetworkSender, type NetworkSender } from '../send-file'
import type { SendRequest } from '../send-request'
import type { SentBody } from '../sending'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'
const LARGE = Buffer.alloc(5_000_003, 'a long line of some text, ')
const NAME = 'files.example'
const authority = createAuthority()
const certified = authority.issue(NAME)

let server: FtpServer
let sender: NetworkSender

async function start(options: FtpServerOptions = {}, timeouts: Partial<SendTimeouts> = {}) {
  server = await startFtpServer(options)
  sender = createNetworkSender({
    now: Date.now,
    allow: ['127.0.0.1'],
    lookup: async () => [{ address: '127.0.0.1' }],
    ca: authority.cert,
    timeouts,
  })
}
afterEach(async () => {
  await sender.close()
  await server.close()
})

const send = (
  content: Buffer | string = CSV,
  {
    access = {},
    ...request
  }: Parameters<typeof requestOf>[1] & { access?: Partial<SendRequest['server']> } = {},
  body: SentBody = bodyOf(content),
) =>
  sender.send(
    requestOf(content, {
      address: server.url('/in/', NAME),
      server: {
        hostKeys: [],
        login: { username: FTP_USER, password: FTP_PASSWORD },
        usesTls: false,
        allowsOld: false,
        ...access,
      },
      ...request,
    }),
    body,
  )

const contentAt = (path: string) => server.files.get(path)?.content

describe('sending over FTP', () => {
  it.each([
    ['without TLS', {}, false],
    ['with TLS', { tls: certified }, true],
    ['with TLS from the beginning', { tls: certified, isImplicit: true }, true],
  ])('writes a file beside its name and renames it, %s', async (_name, options, usesTls) => {
    await start(options)
    const seen: [string, number][] = []
    server.state.onChange = (path, bytes) => void seen.push([path, bytes])
    const { text } = await send(LARGE, { access: { usesTls } })
    expect(text).toBe('The server has all 5,000,003 bytes of stock.csv.')
    expect(contentAt('/in/stock.csv')?.equals(LARGE)).toBe(true)
    expect([...server.files.keys()]).toEqual(['/in/stock.csv'])
    expect(seen.at(-1)).toEqual(['/in/stock.csv', LARGE.length])
    expect(new Set(seen.slice(0, -1).map(([path]) => path))).toEqual(
      new Set(['/in/.stock.csv.part']),
    )
    expect(server.state.resumed).toEqual(usesTls ? [true] : [])
  })

  it('begins in the folder of the user, and at the root with a second slash', async () => {
    await start()
    await send(CSV, { address: server.url('', NAME) })
    await send(CSV, { address: server.url('//in', NAME) })
    expect(server.state.said).toContain('STOR .stock.csv.part')
    expect(server.state.said).toContain('STOR /in/.stock.csv.part')
    await send('')
    expect(contentAt('/in/stock.csv')?.length).toBe(0)
  })

  it('deletes the file before it where the server does not rename over it, and says so', async () => {
    await start()
    server.put('/in/stock.csv', 'old')
    server.state.renamesOver = false
    expect((await send()).text).toContain('the one before was deleted first')
    expect(contentAt('/in/stock.csv')?.toString()).toBe(CSV)
    server.state.renamesOver = true
    expect((await send('new')).text).not.toContain('deleted')
  })

  it('overwrites what an earlier attempt has left, and deletes it first where the server wants that', async () => {
    await start()
    server.put('/in/.stock.csv.part', 'a longer text that was left by an earlier attempt')
    await send()
    expect(contentAt('/in/stock.csv')?.toString()).toBe(CSV)
    server.put('/in/.stock.csv.part', 'left')
    server.state.answers.STOR = (path) => (server.files.has(`/${path}`) ? '550 There is one' : null)
    await send('new')
    expect(contentAt('/in/stock.csv')?.toString()).toBe('new')
  })

  it('relies on the reply of a server that tells no sizes, and fails where it has fewer bytes', async () => {
    await start()
    server.state.answers.SIZE = '502 Not known'
    await send()
    expect(contentAt('/in/stock.csv')?.toString()).toBe(CSV)
    server.state.answers.SIZE = '213 3'
    const failure = await failureOf(send('other'))
    expect(failure).toMatchObject({ code: 'wrong-length' })
    expect(contentAt('/in/stock.csv')?.toString()).toBe(CSV)
    expect(server.files.has('/in/.stock.csv.part')).toBe(false)
  })

  it.each([
    ['550 No such folder', 'not-permitted', /into the folder in: see that the folder exists/],
    ['553 Not allowed', 'not-permitted', /into the folder in: see/],
    ['452 Full', 'not-permitted', /no space/],
    ['425 No', 'connection-lost', /second connection/],
    ['421 Too many', 'connection-lost', /no more connections/],
  ])('asks for no byte when the server answers %s', async (answer, code, text) => {
    await start()
    server.state.answers.STOR = answer
    let isAsked = false
    const failure = await failureOf(
      send(
        CSV,
        {},
        bodyOf(CSV, () => (isAsked = true)),
      ),
    )
    expect(failure.code).toBe(code)
    expect(failure.message).toMatch(text)
    expect(isAsked).toBe(false)
  })

  it('tells of a server that breaks off with an answer, without sending on', async () => {
    await start()
    server.state.onTake = (position, data) => {
      if (position > 500_000) data.destroy()
    }
    expect(['truncated', 'connection-lost']).toContain((await failureOf(send(LARGE))).code)
    expect(server.files.has('/in/stock.csv')).toBe(false)
    server.state.onTake = undefined
    server.state.ending = '552 Over quota'
    expect((await failureOf(send(LARGE))).message).toContain('no space')
    expect(server.files.size).toBe(0)
  })

  it.each([
    ['explicit', false],
    ['implicit', true],
  ])(
    'tells of a server that crashes in plain text that the connection was lost, %s TLS',
    async (_name, isImplicit) => {
      await start({ tls: certified, isImplicit })
      server.state.onTake = () => server.crash('500 OOPS: child died\r\n')
      const failure = await failureOf(send(LARGE, { access: { usesTls: true } }))
      expect(failure).toMatchObject({ code: 'connection-lost' })
    },
  )

  it('gives up a server that takes nothing more, or does not confirm what it has', async () => {
    await start({}, { idleMs: 200, acceptMs: 500, cleanUpMs: 200 })
    server.state.onTake = () => new Promise<void>(() => undefined)
    const large = Buffer.alloc(30_000_000)
    expect(await failureOf(send(large))).toMatchObject({ code: 'stalled' })
    server.state.onTake = undefined
    server.state.answers.STOR = (_path, { control, data }) => {
      control.write('150 Go on\r\n')
      void data?.then((socket) => socket.resume())
    }
    expect(await failureOf(send())).toMatchObject({ code: 'answer-timeout' })
  })

  it('ends at once when it is to, and tells of a connection that was lost', async () => {
    await start()
    const ending = new AbortController()
    const work = send(LARGE, { signal: ending.signal }, async function* body() {
      yield LARGE.subarray(0, 1_000)
      setTimeout(() => ending.abort(new Error('The lease was lost')), 50)
      await new Promise(() => undefined)
    })
    const startedAt = performance.now()
    await expect(work).rejects.toThrow('The lease was lost')
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    server.state.onTake = () => server.dropAll()
    expect(await failureOf(send(LARGE))).toMatchObject({ code: 'connection-lost' })
  })

  it('takes a trial away again, and tells what was done', async () => {
    await start()
    const { text } = await send(CSV, { isTrial: true })
    expect(text).toBe(
      'Connected, signed in, stock.csv was written and renamed and it was removed again.',
    )
    expect(server.files.size).toBe(0)
  })

  it('sends only to the server itself, whatever address it names for files', async () => {
    await start()
    server.state.answers.EPSV = '500 Not known'
    server.state.answers.PASV = (_argument, client) => {
      void server
        .passive(client)
        .then((port) => client.control.write(`227 Here (10,0,0,7,${port >> 8},${port & 255})\r\n`))
    }
    await send()
    expect(contentAt('/in/stock.csv')?.toString()).toBe(CSV)
    server.state.answers.PASV = '227 Here (127,0,0,1,0,25)'
    const failure = await failureOf(send())
    expect(failure).toMatchObject({ code: 'address-refused' })
    expect(failure.message).toContain('an unusual port for files')
  })

  it('sends no password over a connection without TLS where it is to have it', async () => {
    await start()
    const failure = await failureOf(send(CSV, { access: { usesTls: true } }))
    expect(failure).toMatchObject({ code: 'tls' })
    expect(failure.message).toContain('switch TLS off for this destination')
    expect(server.state.said.join()).not.toContain('PASS')
  })
})

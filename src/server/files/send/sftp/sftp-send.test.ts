import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { hostKeyOf, makeSshKey } from '../../../testing/fixtures/ssh-keys'
import {
  SFTP_PASSWORD,
  SFTP_USER,
  type SftpServer,
  startSftpServer,
} from '../../../testing/servers/sftp-server'
import { failureOf } from '../../../testing/stages/fetching'
import { bodyOf, requestOf } from '../../../testing/stages/sending'
import type { SendTimeouts } from '../send-context'
import { createNetworkSender, type NetworkSender } from '../send-file'
import type { SendRequest } from '../send-request'
import type { SentBody } from '../sending'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'
const LARGE = Buffer.alloc(5_000_003, 'a long line of some text, ')
const PART = '/in/.stock.csv.part'

let server: SftpServer
let sender: NetworkSender

beforeEach(async () => {
  server = await startSftpServer()
  sender = open()
})
afterEach(async () => {
  await sender.close()
  await server.close()
})

const open = (timeouts: Partial<SendTimeouts> = {}) =>
  createNetworkSender({ now: Date.now, allow: [server.host], timeouts })

const accessOf = (access: Partial<SendRequest['server']> = {}) => ({
  hostKeys: server.publicKeys.map((key) => hostKeyOf(key).fingerprint),
  login: { username: SFTP_USER, password: SFTP_PASSWORD },
  usesTls: false,
  allowsOld: false,
  ...access,
})

const send = (
  content: Buffer | string = CSV,
  request: Parameters<typeof requestOf>[1] = {},
  body: SentBody = bodyOf(content),
) =>
  sender.send(
    requestOf(content, { address: server.url('/in/'), server: accessOf(), ...request }),
    body,
  )

const textAt = (path: string) => server.files.get(path)?.content.toString()

describe('sending over SFTP', () => {
  it('writes a file beside its name and renames it, so that it is never there with fewer bytes', async () => {
    const seen: [string, number][] = []
    server.state.onChange = (path, bytes) => void seen.push([path, bytes])
    expect(await send(LARGE)).toEqual({ text: 'The server has all 5,000,003 bytes of stock.csv.' })
    expect(server.files.get('/in/stock.csv')?.content.equals(LARGE)).toBe(true)
    expect([...server.files.keys()]).toEqual(['/in/stock.csv'])
    expect(seen.at(-1)).toEqual(['/in/stock.csv', LARGE.length])
    expect(new Set(seen.slice(0, -1).map(([path]) => path))).toEqual(new Set([PART]))
  })

  it('takes a folder without a slash, the root, and the folder in which the user begins', async () => {
    for (const path of ['/in', '', '/~/out', '/Beständ%C3%A9']) {
      await send(CSV, { address: server.url(path) })
    }
    expect([...server.files.keys()]).toEqual([
      '/in/stock.csv',
      '/stock.csv',
      './out/stock.csv',
      '/Beständé/stock.csv',
    ])
  })

  it('sends an empty file, and one whose answers come in any order', async () => {
    await send('')
    expect(textAt('/in/stock.csv')).toBe('')
    server.state.onWrite = (position) => new Promise((resolve) => setTimeout(resolve, position % 7))
    await send(LARGE)
    expect(server.files.get('/in/stock.csv')?.content.equals(LARGE)).toBe(true)
  })

  it('overwrites what an earlier attempt has left', async () => {
    server.put(PART, 'a longer text that was left by an earlier attempt')
    await send()
    expect(textAt('/in/stock.csv')).toBe(CSV)
    expect(server.files.has(PART)).toBe(false)
  })

  it('deletes the file before it where the server does not rename over it, and says so', async () => {
    server.put('/in/stock.csv', 'old')
    const { text } = await send()
    expect(textAt('/in/stock.csv')).toBe(CSV)
    expect(text).toContain('the one before was deleted first')
    server.state.renames = 'over'
    expect((await send('new')).text).not.toContain('deleted')
    expect(textAt('/in/stock.csv')).toBe('new')
  })

  it('keeps the file before it, and leaves nothing, where it may not rename', async () => {
    server.put('/in/stock.csv', 'old')
    server.state.renames = 'never'
    const onRemove = { calls: 0 }
    server.state.onRemove = () => (++onRemove.calls === 1 ? 'refused' : undefined)
    const failure = await failureOf(send())
    expect(failure).toMatchObject({ code: 'not-permitted' })
    expect(failure.message).toContain('allow renaming')
    expect(failure.message).not.toContain('is deleted')
    expect([...server.files.keys()]).toEqual(['/in/stock.csv'])
    expect(textAt('/in/stock.csv')).toBe('old')
  })

  it('says which folder is missing, or not to be written into', async () => {
    server.state.folders = ['/other']
    expect((await failureOf(send())).message).toContain('There is no folder /in at the server')
    server.state.folders = undefined
    server.state.isReadOnly = true
    const failure = await failureOf(send())
    expect(failure.message).toContain('may not write into the folder /in')
  })

  it('fails, and removes what it has written, when the server stores fewer bytes or refuses some', async () => {
    server.state.onWrite = (position) => (position > 1_000_000 ? 'refused' : undefined)
    const refused = await failureOf(send(LARGE))
    expect(refused).toMatchObject({ code: 'not-permitted' })
    expect(refused.message).toContain('disk may be full')
    expect(server.files.size).toBe(0)
    server.state.onWrite = undefined
    server.state.onLook = (path) => {
      if (path === PART) server.put(path, 'less')
    }
    expect(await failureOf(send())).toMatchObject({ code: 'wrong-length' })
    expect(server.files.size).toBe(0)
  })

  it('asks for no byte before the key is confirmed, somebody has signed in and the file is open', async () => {
    let isAsked = false
    const body = bodyOf(CSV, () => (isAsked = true))
    const { publicKey } = await makeSshKey('ed25519')
    const other = accessOf({ hostKeys: [hostKeyOf(publicKey).fingerprint] })
    const changed = await failureOf(send(CSV, { server: other }, body))
    expect(changed).toMatchObject({ code: 'host-key-changed' })
    expect(changed.message).toContain('in the settings of the destination')
    expect(changed.hostKey).toContain('SHA256:')
    expect(server.state.signIns).toEqual([])
    const wrong = accessOf({ login: { username: SFTP_USER, password: 'wrong' } })
    expect(await failureOf(send(CSV, { server: wrong }, body))).toMatchObject({
      code: 'sign-in-refused',
    })
    server.state.isReadOnly = true
    await failureOf(send(CSV, {}, body))
    expect(isAsked).toBe(false)
  })

  it('takes a trial away again, and tells what was done', async () => {
    const request = { isTrial: true, fileName: 'stockbridge-test-1.csv' }
    expect((await send(CSV, request)).text).toBe(
      'Connected, the key of the server is a confirmed one, signed in, stockbridge-test-1.csv was written and renamed and it was removed again.',
    )
    expect(server.files.size).toBe(0)
    server.state.onRemove = () => 'refused'
    expect((await send(CSV, request)).text).toContain('may not be removed by this user')
  })

  it('gives up a server that takes nothing more, and ends at once when it is to', async () => {
    server.state.onWrite = (position) =>
      position > 1_000_000 ? new Promise<void>(() => undefined) : undefined
    sender = open({ idleMs: 300, cleanUpMs: 200 })
    expect(await failureOf(send(LARGE))).toMatchObject({ code: 'stalled' })
    const ending = new AbortController()
    const work = send(LARGE, { signal: ending.signal }, async function* body() {
      yield LARGE.subarray(0, 1_000)
      setTimeout(() => ending.abort(new Error('The lease was lost')), 50)
      await new Promise(() => undefined)
    })
    const startedAt = performance.now()
    await expect(work).rejects.toThrow('The lease was lost')
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(server.files.has('/in/stock.csv')).toBe(false)
  })

  it('tells of a connection that was lost in the middle, and sends it whole the next time', async () => {
    server.state.onWrite = (position) => {
      if (position > 1_000_000) server.dropAll()
    }
    expect(await failureOf(send(LARGE))).toMatchObject({ code: 'connection-lost' })
    expect(server.files.has('/in/stock.csv')).toBe(false)
    server.state.onWrite = undefined
    await send(LARGE)
    expect(server.files.get('/in/stock.csv')?.content.equals(LARGE)).toBe(true)
  })

  it('sends no file that is shorter or longer than was said, or cannot be read', async () => {
    for (const content of [CSV.slice(1), `${CSV}3,Hat\n`]) {
      await expect(send(CSV, {}, bodyOf(content))).rejects.toThrow('has not as many bytes')
    }
    // oxlint-disable-next-line require-yield -- it fails at once
    const broken = send(CSV, {}, async function* body() {
      throw new Error('The disk cannot be read')
    })
    await expect(broken).rejects.toThrow('The disk cannot be read')
    expect([...server.files.keys()]).toEqual([])
  })

  it.each(['../stock.csv', 'a/b.csv', '.hidden', 'a*.csv', 'a\nb.csv'])(
    'sends nothing under the name %j',
    async (fileName) => {
      expect(await failureOf(send(CSV, { fileName }))).toMatchObject({ code: 'bad-address' })
      expect(server.state.signIns).toEqual([])
    },
  )
})

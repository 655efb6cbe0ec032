import { createServer } from 'node:net'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { PRIVATE_ADDRESSES } from '../../testing/fixtures/private-addresses'
import { listenOnLoopback } from '../../testing/servers/loopback'
import { bodyOf, requestOf } from '../../testing/stages/sending'
import { createNetworkSender } from './send-file'

const FOLDER = { sftp: '/in', ftp: '/in', ftps: '/in', http: '/in/', https: '/in/', s3: '/a?X=1' }
const schemes = Object.entries(FOLDER)

describe.each(schemes)('sending over %s', (scheme, path) => {
  let port = 0
  let connections = 0
  let isAsked = false
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  beforeAll(async () => {
    port = await listenOnLoopback(server)
  })
  beforeEach(() => {
    connections = 0
    isAsked = false
  })
  afterAll(() => void server.close())

  async function codeAt(host: string, answers: string[] = [], at = port, allow: string[] = []) {
    let asked = 0
    // The name leads elsewhere when it is asked for again.
    const lookup = async () =>
      (asked++ === 0 ? answers : ['127.0.0.1']).map((address) => ({ address }))
    const sender = createNetworkSender({
      now: Date.now,
      allow,
      lookup,
      timeouts: { connectMs: 200 },
    })
    const url = `http://${host}:${at}${path}`
    const request = requestOf('a', {
      ...(scheme === 's3'
        ? { address: 's3://a/', signed: { putUrl: url, putHeaders: [], deleteUrl: url } }
        : { address: `${scheme}://${host}:${at}${path}` }),
      server: {
        hostKeys: [],
        login: { username: 'me', password: 'secret' },
        usesTls: false,
        allowsOld: false,
      },
    })
    try {
      await sender.send(
        request,
        bodyOf('a', () => (isAsked = true)),
      )
      return 'sent'
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await sender.close()
    }
  }

  it.each(PRIVATE_ADDRESSES)('to %s is refused', async (host) => {
    expect(['address-refused', 'bad-address']).toContain(await codeAt(host))
    expect(connections).toBe(0)
    expect(isAsked).toBe(false)
  })

  it('to a name is refused when any of its addresses is private, as if there was no such name', async () => {
    for (const answers of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1'], []]) {
      expect(await codeAt('files.example', answers)).toBe('name-not-found')
    }
    expect(await codeAt('localhost', ['127.0.0.1'])).toBe('address-refused')
    expect(connections).toBe(0)
  })

  it('goes to the address that was checked, not to what its name leads to afterwards', async () => {
    const code = await codeAt('files.example', ['192.0.2.1'], port, ['192.0.2.1'])
    expect(['connect-timeout', 'connect-failed', 'connection-lost']).toContain(code)
    expect(connections).toBe(0)
  })

  it.each([23, 25, 6379])('to port %i is refused', async (at) => {
    expect(await codeAt('files.example', ['8.8.8.8'], at)).toBe('address-refused')
  })
})

describe('sending', () => {
  it('to an address of another kind is refused', async () => {
    const sender = createNetworkSender({ now: Date.now, allow: [] })
    for (const address of ['file:///etc/', 'gopher://a/', 'constructor:', '', 'data:,a']) {
      const work = sender.send(requestOf('a', { address }), bodyOf('a'))
      await expect(work).rejects.toMatchObject({ code: 'bad-address' })
    }
  })
})

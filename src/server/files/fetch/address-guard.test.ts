import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type Server, createServer as createTcpServer } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/fixtures/file-fixtures'
import { PRIVATE_ADDRESSES } from '../../testing/fixtures/private-addresses'
import { createSelfSigned } from '../../testing/servers/source-certificate'
import type { Lookup } from './address-guard'
import { createFileFetcher } from './fetch'

describe('the connection', () => {
  const server = createServer((request, response) => response.end(`host ${request.headers.host}`))
  let port = 0
  const { signal } = new AbortController()
  beforeAll(async () => {
    port = (await listen(server)) ?? 0
  })
  afterAll(() => void server.close())

  /** The port, or undefined if this machine does not have the address. */
  const listen = (on: Server, address = '127.0.0.1') =>
    new Promise<number | undefined>((resolve) => {
      on.once('error', () => resolve(undefined))
      on.listen(0, address, () => resolve((on.address() as AddressInfo).port))
    })

  async function codeAt(url: string, answers: string[] | Error = [], allow: string[] = []) {
    const lookup: Lookup = async () => {
      if (answers instanceof Error) throw answers
      return answers.map((address) => ({ address }))
    }
    const fetcher = createFileFetcher({
      now: Date.now,
      allow,
      maxBytes: 1_000,
      lookup,
      timeouts: { connectMs: 5_000 },
    })
    try {
      const response = await fetcher.fetch({ url, signal })
      return response.kind === 'content' ? (await readAll(response.body)).toString() : response.kind
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await fetcher.close()
    }
  }

  it.each(PRIVATE_ADDRESSES)('to the literal %s is refused', async (host) => {
    expect(await codeAt(`http://${host}:${port}/`)).toBe('address-refused')
  })

  it('to a name is refused when any of its addresses is private', async () => {
    const url = `http://shop.example:${port}/`
    expect(await codeAt(url, ['127.0.0.1'])).toBe('name-not-found')
    expect(await codeAt(url, ['8.8.8.8', '10.0.0.1'])).toBe('name-not-found')
    expect(await codeAt(url, ['2606:4700::1111', '::1'])).toBe('name-not-found')
    expect(await codeAt(`http://localhost.:${port}/`, ['127.0.0.1'])).toBe('address-refused')
  })

  it.each(['localhost', 'shop.localhost'])(
    'to %s, if there is none, fails with name-not-found where FETCH_ALLOW allows it, and else is refused',
    async (host) => {
      const url = `http://${host}:${port}/`
      const missing = [new Error('ENOTFOUND'), []]
      for (const allow of [[`${host}:${port}`], ['127.0.0.0/8', '::1']]) {
        // A metadata address is never allowed by a name, and must not tell that the name exists.
        for (const answers of [...missing, ['169.254.169.254']]) {
          expect(await codeAt(url, answers, allow)).toBe('name-not-found')
        }
      }
      for (const allow of [[], [`${host}:1`], [`a.${host}:${port}`], ['127.0.0.1']]) {
        for (const answers of [...missing, ['127.0.0.1', '::1']]) {
          expect(await codeAt(url, answers, allow)).toBe('address-refused')
        }
      }
    },
  )

  it('to a name without addresses fails with name-not-found', async () => {
    expect(await codeAt(`http://shop.example:${port}/`, [])).toBe('name-not-found')
  })

  it('to a name that cannot be resolved fails with name-not-found, which quotes the name', async () => {
    const fetcher = createFileFetcher({
      now: Date.now,
      allow: [],
      maxBytes: 1_000,
      lookup: () => Promise.reject(new Error('ENOTFOUND')),
    })
    await expect(fetcher.fetch({ url: 'http://nowhere.example/', signal })).rejects.toMatchObject({
      code: 'name-not-found',
      message:
        'The name nowhere.example could not be found, or cannot be reached from here. Check how it is spelled.',
    })
    await fetcher.close()
  })

  it('goes to the address that was checked, with the name in the Host header', async () => {
    const url = `http://shop.example:${port}/`
    expect(await codeAt(url, ['127.0.0.1'], [`shop.example:${port}`])).toBe(
      `host shop.example:${port}`,
    )
  })

  it('resolves a name once, so that a changed DNS record cannot redirect it', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    let lookups = 0
    const lookup: Lookup = async () => (answers[lookups++] ?? []).map((address) => ({ address }))
    const fetcher = createFileFetcher({
      now: Date.now,
      allow: [`127.0.0.1:${port}`],
      maxBytes: 1_000,
      lookup,
    })
    const url = `http://rebind.example:${port}/`
    const first = await fetcher.fetch({ url, signal })
    if (first.kind === 'content') await readAll(first.body)
    expect(lookups).toBe(1)
    // The next request checks the new addresses; it does not reuse the old connection.
    await expect(fetcher.fetch({ url, signal })).rejects.toMatchObject({ code: 'name-not-found' })
    await fetcher.close()
  })

  it('requests the certificate of the name, not of the address', async () => {
    let hello = Buffer.alloc(0)
    const tlsServer = createTcpServer((socket) => {
      socket.on('data', (chunk: Buffer) => {
        hello = Buffer.concat([hello, chunk])
        socket.destroy()
      })
    })
    const tlsPort = await listen(tlsServer)
    const url = `https://shop.example:${tlsPort}/`
    expect(await codeAt(url, ['127.0.0.1'], ['127.0.0.1'])).toBe('connect-failed')
    expect(hello.includes('shop.example')).toBe(true)
    tlsServer.close()
  })

  it('is refused when the certificate is not trusted, before the request is sent', async () => {
    let requests = 0
    const tlsServer = createTlsServer(createSelfSigned('shop.example'), (_request, response) => {
      requests++
      response.end()
    })
    const tlsPort = await listen(tlsServer)
    const fetcher = createFileFetcher({
      now: Date.now,
      allow: ['127.0.0.1'],
      maxBytes: 1_000,
      lookup: async () => [{ address: '127.0.0.1' }],
    })
    const url = `https://shop.example:${tlsPort}/`
    await expect(fetcher.fetch({ url, signal })).rejects.toMatchObject({
      code: 'certificate-untrusted',
      message: expect.stringContaining("The server's certificate is not trusted"),
    })
    expect(requests).toBe(0)
    await fetcher.close()
    tlsServer.close()
  })

  it('is closed on a timeout or an abort when the server never starts TLS', async () => {
    const abort = new AbortController()
    const cases = {
      'The server did not accept a connection in time.': { connectMs: 30 },
      'changed my mind': { connectMs: 5_000 },
    }
    for (const [message, timeouts] of Object.entries(cases)) {
      let closed: Promise<unknown> | undefined
      const mute = createTcpServer((socket) => {
        closed = new Promise((resolve) => {
          socket.resume().once('close', resolve)
        })
        if (timeouts.connectMs === 5_000) abort.abort(new Error('changed my mind'))
      })
      const url = `https://127.0.0.1:${await listen(mute)}/`
      const options = {
        now: Date.now,
        allow: ['127.0.0.1'],
        maxBytes: 1_000,
        timeouts,
      }
      const fetcher = createFileFetcher(options)
      await expect(fetcher.fetch({ url, signal: abort.signal })).rejects.toThrow(message)
      await closed
      await fetcher.close()
      mute.close()
    }
  })

  it('goes to IPv6 literals, with brackets in the Host header', async (test) => {
    const ipv6Server = createServer((request, response) => response.end(request.headers.host))
    const ipv6Port = await listen(ipv6Server, '::1')
    test.skip(ipv6Port === undefined, 'this machine has no IPv6')
    expect(await codeAt(`http://[::1]:${ipv6Port}/`, [], ['::1'])).toBe(`[::1]:${ipv6Port}`)
    ipv6Server.close()
  })

  it('goes to the next address when one does not respond', async () => {
    const url = `http://shop.example:${port}/`
    const answers = ['::1', '127.0.0.1']
    expect(await codeAt(url, answers, ['::1', '127.0.0.1'])).toBe(`host shop.example:${port}`)
  })

  it('times out when the name lookup hangs', async () => {
    const fetcher = createFileFetcher({
      now: Date.now,
      allow: [],
      maxBytes: 1_000,
      lookup: () => new Promise(() => {}),
      timeouts: { connectMs: 30 },
    })
    await expect(fetcher.fetch({ url: 'http://slow.example/', signal })).rejects.toMatchObject({
      code: 'connect-timeout',
    })
    await fetcher.close()
  })
})

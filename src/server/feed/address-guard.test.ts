import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type Server, createServer as createTcpServer } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createSelfSigned } from '../testing/feed-certificate'
import { readAll } from '../testing/feed-fixtures'
import type { Lookup } from './address-guard'
import { checkUrl, isAddressOpen, judgeAddress, parseFetchAllow } from './address-rules'
import { createFeedFetcher } from './fetch'

describe('addresses', () => {
  const verdicts: Record<string, string[]> = {
    public: ['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'],
    metadata: [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      'FD00:0EC2::0254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
    ],
    private: [
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.1.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::7f00:1',
      '::127.0.0.1',
      '::8.8.8.8',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::ffff:0:127.0.0.1',
      '64:ff9b::8.8.8.8',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '3fff::1',
      '4000::1',
      '5f00::1',
      'fc00::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      'nonsense',
      '',
      '127.1',
      '2130706433',
    ],
  }
  for (const [verdict, addresses] of Object.entries(verdicts)) {
    it(`are ${verdict}`, () => {
      const judged = Object.fromEntries(addresses.map((text) => [text, judgeAddress(text)]))
      expect(judged).toEqual(Object.fromEntries(addresses.map((text) => [text, verdict])))
    })
  }
})

describe('FETCH_ALLOW', () => {
  const allow = parseFetchAllow([
    '127.0.0.1:8080',
    'feeds.internal:81',
    '10.1.2.3',
    '192.168.0.0/16',
    '[::1]:9000',
    'fd00::/8',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '',
  ])
  const cases: [host: string, port: number, address: string, isOpen: boolean][] = [
    ['127.0.0.1', 8080, '127.0.0.1', true],
    ['127.0.0.1', 8081, '127.0.0.1', false],
    ['127.0.0.2', 8080, '127.0.0.2', false],
    ['localhost', 8080, '127.0.0.1', true],
    ['feeds.internal', 81, '10.9.9.9', true],
    ['FEEDS.internal', 81, '10.9.9.9', true],
    ['feeds.internal', 80, '10.9.9.9', false],
    ['evil.feeds.internal', 81, '10.9.9.9', false],
    ['feeds.internal', 81, '169.254.169.254', false],
    ['10.1.2.3', 443, '10.1.2.3', true],
    ['any.example', 80, '10.1.2.3', true],
    ['any.example', 80, '10.1.2.4', false],
    ['any.example', 80, '192.168.7.7', true],
    ['any.example', 80, '::ffff:192.168.7.7', true],
    ['any.example', 80, '172.20.0.1', false],
    ['::1', 9000, '::1', true],
    ['::1', 9001, '::1', false],
    ['any.example', 80, 'fd00::1', true],
    ['any.example', 80, 'fd00:ec2::254', false],
    ['any.example', 80, '100.100.100.200', false],
    ['any.example', 80, '169.254.169.254', false],
    ['any.example', 80, '8.8.8.8', true],
  ]
  for (const [host, port, address, isOpen] of cases) {
    it(`${isOpen ? 'opens' : 'keeps shut'} ${host}:${port} at ${address}`, () => {
      expect(isAddressOpen(allow, { host, port, address })).toBe(isOpen)
    })
  }

  it('opens a metadata address only when it is named exactly', () => {
    const target = { host: '169.254.169.254', port: 80, address: '169.254.169.254' }
    expect(isAddressOpen(parseFetchAllow(['169.254.169.254']), target)).toBe(true)
    expect(isAddressOpen(parseFetchAllow(['169.254.169.254:80']), target)).toBe(true)
    expect(isAddressOpen(parseFetchAllow(['169.254.169.254:81']), target)).toBe(false)
    expect(isAddressOpen(parseFetchAllow(['169.254.169.254/32']), target)).toBe(false)
    expect(isAddressOpen(parseFetchAllow(['0.0.0.0/0']), target)).toBe(false)
  })

  it('refuses entries that are none of the three', () => {
    for (const entry of [
      'example.com',
      '10.0.0.0/33',
      'host:99999',
      'http://x:80',
      '10.1',
      '*:80',
    ]) {
      expect(() => parseFetchAllow([entry])).toThrow(`FETCH_ALLOW: "${entry}" is not`)
    }
  })
})

describe('URLs', () => {
  const nothing = parseFetchAllow([])
  const codeOf = (url: string, allow = nothing) => {
    try {
      checkUrl(url, allow)
      return 'ok'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const cases: Record<string, string> = {
    'https://example.com/a.csv': 'ok',
    'http://example.com:8080/a.csv': 'ok',
    'ftp://example.com/a.csv': 'bad-address',
    'file:///etc/passwd': 'bad-address',
    'javascript:alert(1)': 'bad-address',
    'example.com': 'bad-address',
    'https://user@example.com/': 'bad-address',
    'https://:secret@example.com/': 'bad-address',
    [`https://example.com/${'a'.repeat(2_048)}`]: 'bad-address',
    'http://example.com:22/': 'address-refused',
    'http://example.com:25/': 'address-refused',
    'http://example.com:443/': 'ok',
    'http://example.com:1023/': 'address-refused',
    'http://example.com:1024/': 'ok',
    'http://example.com:6379/': 'address-refused',
    'http://example.com:11211/': 'address-refused',
  }
  for (const [url, code] of Object.entries(cases)) {
    it(`${url.slice(0, 60)} is ${code}`, () => {
      expect(codeOf(url)).toBe(code)
    })
  }

  it('may use another port where FETCH_ALLOW names it with the host', () => {
    expect(codeOf('http://feeds.internal:81/', parseFetchAllow(['feeds.internal:81']))).toBe('ok')
    expect(codeOf('http://127.0.0.1:81/', parseFetchAllow(['127.0.0.1:81']))).toBe('ok')
    expect(codeOf('http://127.0.0.1:81/', parseFetchAllow(['127.0.0.1']))).toBe('address-refused')
  })
})

describe('the connection', () => {
  const server = createServer((request, response) => response.end(`host ${request.headers.host}`))
  let port = 0
  const { signal } = new AbortController()
  beforeAll(async () => {
    port = (await listen(server)) ?? 0
  })
  afterAll(() => void server.close())

  /** The port, or undefined where this address does not exist. */
  const listen = (on: Server, address = '127.0.0.1') =>
    new Promise<number | undefined>((resolve) => {
      on.once('error', () => resolve(undefined))
      on.listen(0, address, () => resolve((on.address() as AddressInfo).port))
    })

  async function codeAt(url: string, answers: string[] = [], allow: string[] = []) {
    const lookup: Lookup = async () => answers.map((address) => ({ address }))
    const fetcher = createFeedFetcher({
      now: Date.now,
      allow,
      maxBytes: 1_000,
      lookup,
      timeouts: { connectMs: 5_000 },
    })
    try {
      const answer = await fetcher.fetch({ url, signal })
      return answer.kind === 'content' ? (await readAll(answer.body)).toString() : answer.kind
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await fetcher.close()
    }
  }

  it('is refused to literals, however they are written', async () => {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0177.0.0.1',
      '0x7f.1',
      '0x7f000001',
      '127.1',
      '0',
      '127。0。0。1',
      '①②⑦.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '169.254.169.254',
      '[fd00:ec2::254]',
      '10.0.0.1',
    ]) {
      expect({ host, code: await codeAt(`http://${host}:${port}/`) }).toEqual({
        host,
        code: 'address-refused',
      })
    }
  })

  it('is refused to a name when any of its addresses is private', async () => {
    const url = `http://shop.example:${port}/`
    expect(await codeAt(url, ['127.0.0.1'])).toBe('address-refused')
    expect(await codeAt(url, ['8.8.8.8', '10.0.0.1'])).toBe('address-refused')
    expect(await codeAt(url, ['2606:4700::1111', '::1'])).toBe('address-refused')
    expect(await codeAt(`http://localhost.:${port}/`, ['127.0.0.1'])).toBe('address-refused')
  })

  it('names a host without addresses', async () => {
    expect(await codeAt(`http://shop.example:${port}/`, [])).toBe('name-not-found')
  })

  it('names a host that cannot be looked up', async () => {
    const fetcher = createFeedFetcher({
      now: Date.now,
      allow: [],
      maxBytes: 1_000,
      lookup: () => Promise.reject(new Error('ENOTFOUND')),
    })
    await expect(fetcher.fetch({ url: 'http://nowhere.example/', signal })).rejects.toMatchObject({
      code: 'name-not-found',
      message: 'The name nowhere.example could not be found.',
    })
    await fetcher.close()
  })

  it('goes to the address that was judged, with the name as host', async () => {
    const url = `http://shop.example:${port}/`
    expect(await codeAt(url, ['127.0.0.1'], [`shop.example:${port}`])).toBe(
      `host shop.example:${port}`,
    )
  })

  it('looks a name up once, so a second answer cannot lead elsewhere', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    let lookups = 0
    const lookup: Lookup = async () => (answers[lookups++] ?? []).map((address) => ({ address }))
    const fetcher = createFeedFetcher({
      now: Date.now,
      allow: [`127.0.0.1:${port}`],
      maxBytes: 1_000,
      lookup,
    })
    const url = `http://rebind.example:${port}/`
    const first = await fetcher.fetch({ url, signal })
    if (first.kind === 'content') await readAll(first.body)
    expect(lookups).toBe(1)
    // The next request judges the new answer; no old connection is used for it.
    await expect(fetcher.fetch({ url, signal })).rejects.toMatchObject({ code: 'address-refused' })
    await fetcher.close()
  })

  it('asks for the certificate of the name, not of the address', async () => {
    let hello = Buffer.alloc(0)
    const tlsServer = createTcpServer((socket) => {
      socket.on('data', (chunk) => {
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

  it('is not made when nobody vouches for the certificate; nothing is sent then', async () => {
    let requests = 0
    const tlsServer = createTlsServer(createSelfSigned('shop.example'), (_request, response) => {
      requests++
      response.end()
    })
    const tlsPort = await listen(tlsServer)
    const fetcher = createFeedFetcher({
      now: Date.now,
      allow: ['127.0.0.1'],
      maxBytes: 1_000,
      lookup: async () => [{ address: '127.0.0.1' }],
    })
    const url = `https://shop.example:${tlsPort}/`
    await expect(fetcher.fetch({ url, signal })).rejects.toMatchObject({
      code: 'certificate-untrusted',
      message: "The server's certificate is not trusted.",
    })
    expect(requests).toBe(0)
    await fetcher.close()
    tlsServer.close()
  })

  it('is closed when the server accepts it and then says nothing of TLS', async () => {
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
      const options = { now: Date.now, allow: ['127.0.0.1'], maxBytes: 1_000, timeouts }
      const fetcher = createFeedFetcher(options)
      await expect(fetcher.fetch({ url, signal: abort.signal })).rejects.toThrow(message)
      await closed
      await fetcher.close()
      mute.close()
    }
  })

  it('goes to IPv6 literals, with brackets in the host', async (test) => {
    const ipv6Server = createServer((request, response) => response.end(request.headers.host))
    const ipv6Port = await listen(ipv6Server, '::1')
    test.skip(ipv6Port === undefined, 'no IPv6 here')
    expect(await codeAt(`http://[::1]:${ipv6Port}/`, [], ['::1'])).toBe(`[::1]:${ipv6Port}`)
    ipv6Server.close()
  })

  it('tries the next address when one does not answer', async () => {
    const url = `http://shop.example:${port}/`
    const answers = ['::1', '127.0.0.1']
    expect(await codeAt(url, answers, ['::1', '127.0.0.1'])).toBe(`host shop.example:${port}`)
  })

  it('gives up on a lookup that hangs', async () => {
    const fetcher = createFeedFetcher({
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

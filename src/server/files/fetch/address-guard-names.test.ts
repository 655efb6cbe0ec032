import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/fixtures/file-fixtures'
import { type SourceServer, startSourceServer } from '../../testing/servers/source-server'
import type { FileError } from '../file-error'
import type { Lookup } from './address-guard'
import { type FileFetcher, createFileFetcher } from './fetch'

/** What a name resolves to: addresses, or another name. An Error is a failing DNS server. */
type DnsRecord = string[] | { cname: string } | Error

/** Answers each lookup of a name with its next record, and every further one with the last. */
function createFakeDns(zone: Record<string, DnsRecord[]>): Lookup & { asked: string[] } {
  const asked: string[] = []
  const resolve = (name: string): { address: string }[] => {
    const records = zone[name] ?? [new Error(`ENOTFOUND ${name}`)]
    const record = (records.length > 1 ? records.shift() : records[0]) as DnsRecord
    if (record instanceof Error) throw record
    return 'cname' in record ? resolve(record.cname) : record.map((address) => ({ address }))
  }
  const lookup: Lookup = async (hostname) => {
    asked.push(hostname)
    return resolve(hostname)
  }
  return Object.assign(lookup, { asked })
}

let server: SourceServer
let fetcher: FileFetcher

beforeEach(async () => {
  server = await startSourceServer()
  server.set('/a.csv', { body: 'sku\n1\n' })
})
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

function openFetcher(zone: Record<string, DnsRecord[]>, allow = [`open.example:${server.port}`]) {
  const dns = createFakeDns(zone)
  fetcher = createFileFetcher({
    now: Date.now,
    allow,
    maxBytes: 1_000,
    lookup: dns,
  })
  return dns
}

const fetch = (url: string) => fetcher.fetch({ url, signal: new AbortController().signal })

async function outcome(url: string): Promise<string> {
  try {
    const response = await fetch(url)
    return response.kind === 'content' ? (await readAll(response.body)).toString() : response.kind
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** Everything of a failure that a supplier can see. */
async function failure(url: string): Promise<object> {
  const error: unknown = await fetch(url).catch((reason: unknown) => reason)
  const { code, message, line, retryAfterMs } = error as FileError
  return { code, message, line, retryAfterMs }
}

const at = (host: string, path = '/a.csv') => `http://${host}:${server.port}${path}`

describe('a name', () => {
  it.each<[what: string, answers: string[]]>([
    ['loopback', ['127.0.0.1']],
    ['a private address first', ['10.0.0.1', '93.184.216.34']],
    ['a private address last of many', [...Array<string>(9).fill('93.184.216.34'), '10.0.0.1']],
    ['a private IPv6 address beside public IPv4', ['93.184.216.34', 'fd00::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a NAT64 address', ['64:ff9b::7f00:1']],
    ['a 6to4 address', ['2002:7f00:1::']],
    ['a metadata address', ['169.254.169.254']],
    ['a link-local address with its zone', ['fe80::1%lo']],
    ['the unspecified address', ['0.0.0.0']],
    ['something that is not an address', ['localhost']],
    ['an address in a short form', ['127.1']],
  ])('that resolves to %s is refused, and no request is sent', async (_what, answers) => {
    openFetcher({ 'shop.example': [answers] })
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
    expect(server.requests).toEqual([])
  })

  it('that is an alias of a private host is refused', async () => {
    openFetcher({
      'shop.example': [{ cname: 'cdn.example' }],
      'cdn.example': [{ cname: 'db.internal' }],
      'db.internal': [['10.0.0.7']],
    })
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
  })

  it('is allowed by FETCH_ALLOW exactly as in the URL, not as an alias or a subdomain', async () => {
    openFetcher({
      'open.example': [['127.0.0.1']],
      'alias.example': [{ cname: 'open.example' }],
      'open.example.': [['127.0.0.1']],
      'sub.open.example': [['127.0.0.1']],
    })
    expect(await outcome(at('OPEN.example'))).toBe('sku\n1\n')
    for (const host of ['alias.example', 'open.example.', 'sub.open.example']) {
      expect({ host, code: await outcome(at(host)) }).toEqual({ host, code: 'name-not-found' })
    }
  })

  it('that FETCH_ALLOW allows is still refused when it resolves to a metadata address', async () => {
    openFetcher({ 'open.example': [['169.254.169.254'], ['127.0.0.1', 'fd00:ec2::254']] })
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('name-not-found')
  })

  it('is resolved and checked again for each request', async () => {
    const dns = openFetcher({ 'open.example': [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']] })
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
    expect(dns.asked).toHaveLength(3)
  })

  it('is resolved and checked again for each hop', async () => {
    server.set('/1', { status: 302, headers: { location: '/a.csv' } })
    openFetcher({ 'open.example': [['127.0.0.1'], ['169.254.169.254']] })
    expect(await outcome(at('open.example', '/1'))).toBe('name-not-found')
    expect(server.requests).toHaveLength(1)
  })

  it('is resolved only once per connection, even when the first address fails', async () => {
    const dns = openFetcher({ 'open.example': [['127.0.0.2', '127.0.0.1'], ['169.254.169.254']] })
    // Nothing listens at the first address; the second comes from the same lookup.
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
    expect(dns.asked).toEqual(['open.example'])
  })

  it('that cannot be resolved at first is resolved by a later request', async () => {
    openFetcher({ 'open.example': [new Error('EAI_AGAIN'), [], ['127.0.0.1']] })
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
  })

  it('that cannot be resolved at first and is private later is refused', async () => {
    openFetcher({ 'shop.example': [new Error('SERVFAIL'), ['127.0.0.1']] })
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
    expect(server.requests).toEqual([])
  })
})

describe('a name in the private network of the server', () => {
  const NAME = 'db.example'
  const inside: [what: string, zone: Record<string, DnsRecord[]>][] = [
    ['resolves to a private address', { [NAME]: [['10.0.0.7']] }],
    ['resolves to loopback', { [NAME]: [['::1', '127.0.0.1']] }],
    ['resolves to a metadata address', { [NAME]: [['169.254.169.254']] }],
    ['is an alias of such a name', { [NAME]: [{ cname: 'a.b' }], 'a.b': [['192.168.0.1']] }],
  ]

  it.each(inside)(
    'that %s gives the same error as one that does not exist',
    async (_what, zone) => {
      openFetcher({})
      const missing = await failure(at(NAME))
      expect(missing).toEqual({
        code: 'name-not-found',
        message: `The name ${NAME} could not be found, or cannot be reached from here. Check how it is spelled.`,
      })
      openFetcher(zone)
      expect(await failure(at(NAME))).toEqual(missing)
    },
  )

  it.each(inside)(
    'that %s gives the same error as one that does not exist, after a redirect too',
    async (_what, zone) => {
      server.set('/1', { status: 302, headers: { location: at(NAME) } })
      openFetcher({ 'open.example': [['127.0.0.1']] })
      const missing = await failure(at('open.example', '/1'))
      openFetcher({ 'open.example': [['127.0.0.1']], ...zone })
      expect(await failure(at('open.example', '/1'))).toEqual(missing)
    },
  )

  it('gives the same error as one that does not exist, at refused ports too', async () => {
    for (const port of [22, 6379]) {
      openFetcher({})
      const missing = await failure(`http://${NAME}:${port}/`)
      openFetcher({ [NAME]: [['10.0.0.7']] })
      expect(await failure(`http://${NAME}:${port}/`)).toEqual(missing)
    }
  })
})

describe('a private address', () => {
  it('is refused with the same error, whatever is there', async () => {
    openFetcher({})
    for (const host of ['10.0.0.7', '127.0.0.1', '[::1]', '169.254.169.254']) {
      const refusal = 'Private addresses and unusual ports are not contacted from here.'
      expect(await failure(at(host))).toEqual({ code: 'address-refused', message: refusal })
    }
  })
})

describe('a redirect', () => {
  const zone = {
    'open.example': [['127.0.0.1']],
    'inside.example': [['10.0.0.1']],
    'alias.example': [{ cname: 'inside.example' }],
  }

  it.each<[location: string, code: string]>([
    ['http://127.0.0.1/', 'address-refused'],
    ['http://2130706433/', 'address-refused'],
    ['http://0x7f.1/', 'address-refused'],
    ['http://[::ffff:127.0.0.1]/', 'address-refused'],
    ['//169.254.169.254/latest/meta-data/', 'address-refused'],
    ['http://inside.example/', 'name-not-found'],
    ['http://alias.example/', 'name-not-found'],
    ['http://open.example/', 'name-not-found'],
    ['http://open.example:22/', 'address-refused'],
    ['https://inside.example:6379/', 'address-refused'],
    ['\\\\inside.example\\share', 'name-not-found'],
    ['file:///etc/passwd', 'bad-redirect'],
    ['ftp://open.example/a.csv', 'bad-redirect'],
    ['gopher://inside.example:6379/_FLUSHALL', 'bad-redirect'],
    ['data:text/csv,sku%0A1', 'bad-redirect'],
    ['javascript:alert(1)', 'bad-redirect'],
    ['http://user:secret@open.example/', 'bad-redirect'],
    ['http://', 'bad-redirect'],
    ['http://unknown.example/', 'name-not-found'],
    [`http://open.example:1234/${'a'.repeat(2_048)}`, 'bad-redirect'],
  ])('to %s is refused with %s', async (location, code) => {
    openFetcher(zone)
    server.set('/1', { status: 302, headers: { location } })
    expect(await outcome(at('open.example', '/1'))).toBe(code)
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://shop.localhost/',
    'http://open.example:22/',
  ])('to %s is told as a redirect, after several others too', async (location) => {
    openFetcher(zone)
    server.set('/1', { status: 302, headers: { location: '/2' } })
    server.set('/2', { status: 302, headers: { location } })
    const message =
      'The server redirects to a private address or an unusual port. These are not contacted from here.'
    for (const path of ['/1', '/2']) {
      const refusal = { code: 'address-refused', message }
      expect(await failure(at('open.example', path))).toEqual(refusal)
    }
  })

  it('to a private host is refused after several other redirects too', async () => {
    openFetcher(zone)
    server.set('/1', { status: 301, headers: { location: '/2' } })
    server.set('/2', { status: 308, headers: { location: at('open.example', '/3') } })
    server.set('/3', { status: 303, headers: { location: 'http://inside.example/' } })
    expect(await outcome(at('open.example', '/1'))).toBe('name-not-found')
    expect(server.requests).toHaveLength(3)
  })

  it('is followed at most five times, in a loop too', async () => {
    openFetcher(zone)
    server.set('/1', { status: 302, headers: { location: '/2' } })
    server.set('/2', { status: 302, headers: { location: '/1' } })
    expect(await outcome(at('open.example', '/1'))).toBe('too-many-redirects')
    expect(server.requests).toHaveLength(6)
  })

  it('in a Refresh header or a body is not followed', async () => {
    openFetcher(zone)
    const body = '<meta http-equiv="refresh" content="0;url=/a.csv">'
    server.set('/1', { status: 200, body, headers: { refresh: '0; url=/a.csv' } })
    expect(await outcome(at('open.example', '/1'))).toBe(body)
    expect(server.requests).toHaveLength(1)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/feed-fixtures'
import { type FeedServer, startFeedServer } from '../../testing/feed-server'
import type { FeedError } from '../feed-error'
import type { Lookup } from './address-guard'
import { type FeedFetcher, createFeedFetcher } from './fetch'

/** What a name stands for: addresses, or another name. An Error is a server that fails. */
type DnsRecord = string[] | { cname: string } | Error

/** Answers each lookup of a name with its next record, the last one for ever, as a resolver would. */
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

let server: FeedServer
let fetcher: FeedFetcher

beforeEach(async () => {
  server = await startFeedServer()
  server.set('/a.csv', { body: 'sku\n1\n' })
})
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

function openFetcher(zone: Record<string, DnsRecord[]>, allow = [`open.example:${server.port}`]) {
  const dns = createFakeDns(zone)
  fetcher = createFeedFetcher({
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

/** All that a supplier gets to see of a failure: its code and its text. */
async function failure(url: string): Promise<object> {
  const error: unknown = await fetch(url).catch((reason: unknown) => reason)
  const { code, message, line, retryAfterMs } = error as FeedError
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
    ['the address of metadata', ['169.254.169.254']],
    ['a link-local address with its zone', ['fe80::1%lo']],
    ['all of this machine', ['0.0.0.0']],
    ['something that is no address', ['localhost']],
    ['an address in a short form', ['127.1']],
  ])('that stands for %s is refused, and nothing is asked', async (_what, answers) => {
    openFetcher({ 'shop.example': [answers] })
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
    expect(server.requests).toEqual([])
  })

  it('that is another name for a private host is refused', async () => {
    openFetcher({
      'shop.example': [{ cname: 'cdn.example' }],
      'cdn.example': [{ cname: 'db.internal' }],
      'db.internal': [['10.0.0.7']],
    })
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
  })

  it('is opened by FETCH_ALLOW as it stands in the address, not by what it stands for', async () => {
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

  it('that FETCH_ALLOW opens still leads to no metadata', async () => {
    openFetcher({ 'open.example': [['169.254.169.254'], ['127.0.0.1', 'fd00:ec2::254']] })
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('name-not-found')
  })

  it('that changes between two requests is judged each time', async () => {
    const dns = openFetcher({ 'open.example': [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']] })
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
    expect(dns.asked).toHaveLength(3)
  })

  it('that changes between a hop and the next is judged at the next', async () => {
    server.set('/1', { status: 302, headers: { location: '/a.csv' } })
    openFetcher({ 'open.example': [['127.0.0.1'], ['169.254.169.254']] })
    expect(await outcome(at('open.example', '/1'))).toBe('name-not-found')
    expect(server.requests).toHaveLength(1)
  })

  it('that changes while a connection is made is not asked again', async () => {
    const dns = openFetcher({ 'open.example': [['127.0.0.2', '127.0.0.1'], ['169.254.169.254']] })
    // Nobody listens at the first address; the second is of the same response.
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
    expect(dns.asked).toEqual(['open.example'])
  })

  it('that cannot be found at first is found later', async () => {
    openFetcher({ 'open.example': [new Error('EAI_AGAIN'), [], ['127.0.0.1']] })
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('name-not-found')
    expect(await outcome(at('open.example'))).toBe('sku\n1\n')
  })

  it('that cannot be found at first and is private then is refused', async () => {
    openFetcher({ 'shop.example': [new Error('SERVFAIL'), ['127.0.0.1']] })
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
    expect(await outcome(at('shop.example'))).toBe('name-not-found')
    expect(server.requests).toEqual([])
  })
})

describe('a name of the network that the product stands in', () => {
  const NAME = 'db.example'
  const inside: [what: string, zone: Record<string, DnsRecord[]>][] = [
    ['stands for a private address', { [NAME]: [['10.0.0.7']] }],
    ['stands for this machine', { [NAME]: [['::1', '127.0.0.1']] }],
    ['stands for the address of metadata', { [NAME]: [['169.254.169.254']] }],
    ['is another name for such a one', { [NAME]: [{ cname: 'a.b' }], 'a.b': [['192.168.0.1']] }],
  ]

  it.each(inside)('that %s cannot be told from one that does not exist', async (_what, zone) => {
    openFetcher({})
    const missing = await failure(at(NAME))
    expect(missing).toEqual({
      code: 'name-not-found',
      message: `The name ${NAME} could not be found, or cannot be reached from here. Check how it is spelled.`,
    })
    openFetcher(zone)
    expect(await failure(at(NAME))).toEqual(missing)
  })

  it.each(inside)(
    'that %s cannot be told from one at the end of a redirect',
    async (_what, zone) => {
      server.set('/1', { status: 302, headers: { location: at(NAME) } })
      openFetcher({ 'open.example': [['127.0.0.1']] })
      const missing = await failure(at('open.example', '/1'))
      openFetcher({ 'open.example': [['127.0.0.1']], ...zone })
      expect(await failure(at('open.example', '/1'))).toEqual(missing)
    },
  )

  it('is refused at other ports as a name that does not exist is', async () => {
    for (const port of [22, 6379]) {
      openFetcher({})
      const missing = await failure(`http://${NAME}:${port}/`)
      openFetcher({ [NAME]: [['10.0.0.7']] })
      expect(await failure(`http://${NAME}:${port}/`)).toEqual(missing)
    }
  })
})

describe('a private address', () => {
  it('is told that it cannot be reached, which says nothing of what is there', async () => {
    openFetcher({})
    for (const host of ['10.0.0.7', '127.0.0.1', '[::1]', '169.254.169.254']) {
      const refusal = 'This address cannot be reached from here.'
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
  ])('to %s ends in %s', async (location, code) => {
    openFetcher(zone)
    server.set('/1', { status: 302, headers: { location } })
    expect(await outcome(at('open.example', '/1'))).toBe(code)
    expect(server.requests).toHaveLength(1)
  })

  it('may not be hidden behind another one', async () => {
    openFetcher(zone)
    server.set('/1', { status: 301, headers: { location: '/2' } })
    server.set('/2', { status: 308, headers: { location: at('open.example', '/3') } })
    server.set('/3', { status: 303, headers: { location: 'http://inside.example/' } })
    expect(await outcome(at('open.example', '/1'))).toBe('name-not-found')
    expect(server.requests).toHaveLength(3)
  })

  it('is followed five times at most, in a loop of two too', async () => {
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

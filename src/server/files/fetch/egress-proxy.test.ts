import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { showHostKey } from '../../../shared/host-key'
import { DEFAULT_TRANSFER } from '../../../shared/schemas/transfer'
import { hostKeyOf } from '../../testing/fixtures/ssh-keys'
import { startEgressProxy, type EgressProxyServer } from '../../testing/servers/egress-proxy-server'
import { FTP_PASSWORD, FTP_USER, startFtpServer } from '../../testing/servers/ftp-server'
import { closeServer, listenOnLoopback } from '../../testing/servers/loopback'
import { SFTP_PASSWORD, SFTP_USER, startSftpServer } from '../../testing/servers/sftp-server'
import { createAuthority } from '../../testing/servers/source-certificate'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { failureOf, readWhole } from '../../testing/stages/fetching'
import { bodyOf, requestOf } from '../../testing/stages/sending'
import { toChildCommands } from '../children/child-command'
import { createFetcherProcess } from '../children/fetcher/fetcher-process'
import { createOrphanGuard } from '../children/orphan-guard'
import { createNetworkSender } from '../send/send-file'
import { parseEgressProxy } from './egress-proxy'
import { createFileFetcher, type FileFetcher, type FileFetcherOptions } from './fetch'
import type { FetchRequest } from './fetch-context'
import { createJsonPoster } from './post-json'

const CSV = 'sku,name\n1,Shirt\n'
const PUBLIC = '8.8.8.8'
const NAME = 'files.example'
const { signal } = new AbortController()
const authority = createAuthority()

let proxy: EgressProxyServer
let source: SourceServer
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  proxy = await startEgressProxy({ login: 'house:s3cret' })
  source = await startSourceServer()
  source.set('/stock.csv', { body: CSV })
  closing = [() => proxy.close(), () => source.close()]
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
})

const options = (more: Partial<FileFetcherOptions> = {}) => ({
  now: Date.now,
  allow: [],
  maxBytes: 1_000_000,
  lookup: async () => [{ address: PUBLIC }],
  ca: authority.cert,
  proxy: parseEgressProxy(proxy.url),
  ...more,
})

function openFetcher(more?: Partial<FileFetcherOptions>): FileFetcher {
  const fetcher = createFileFetcher(options(more))
  closing.push(() => fetcher.close())
  return fetcher
}

const fetchText = async (url: string, fetcher = openFetcher(), more?: Partial<FetchRequest>) =>
  (await readWhole(await fetcher.fetch({ url, signal, ...more }))).bytes.toString()

describe('through the proxy', () => {
  it('a file comes over HTTP from the address that was checked', async () => {
    const url = `http://${NAME}:${source.port}/stock.csv`
    expect(await fetchText(url)).toBe(CSV)
    expect(proxy.asked).toEqual([`${PUBLIC}:${source.port}`])
    expect(source.requests[0]?.headers.host).toBe(`${NAME}:${source.port}`)
    expect(source.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('a file comes over HTTPS, whose certificate is that of the server, also from a proxy with TLS', async () => {
    const server = createHttpsServer(authority.issue(NAME), source.handle)
    const port = await listenOnLoopback(server)
    closing.push(() => closeServer(server))
    expect(await fetchText(`https://${NAME}:${port}/stock.csv`)).toBe(CSV)
    const safe = await startEgressProxy({ certificate: authority.issue('localhost') })
    closing.push(() => safe.close())
    const fetcher = openFetcher({ proxy: parseEgressProxy(safe.url) })
    expect(await fetchText(`https://${NAME}:${port}/stock.csv`, fetcher)).toBe(CSV)
    expect(safe.asked).toHaveLength(1)
    const other = await failureOf(fetchText(`https://other.example:${port}/stock.csv`))
    expect(other.code).toBe('certificate-wrong-name')
  })

  it('files come over SFTP and FTP, with the second connection of the latter', async () => {
    const sftp = await startSftpServer()
    const ftp = await startFtpServer()
    closing.push(
      () => sftp.close(),
      () => ftp.close(),
    )
    for (const server of [sftp, ftp]) server.put('/stock.csv', CSV)
    const keys = sftp.publicKeys.map((key) => showHostKey(hostKeyOf(key)))
    const sftpLogin = { username: SFTP_USER, password: SFTP_PASSWORD }
    const ofSftp = { ...DEFAULT_TRANSFER, hostKeys: keys, login: sftpLogin }
    const ftpLogin = { username: FTP_USER, password: FTP_PASSWORD }
    const ofFtp = { ...DEFAULT_TRANSFER, usesTls: false, login: ftpLogin }
    const fetcher = openFetcher()
    const bySftp = sftp.url('/stock.csv').replace('127.0.0.1', NAME)
    expect(await fetchText(bySftp, fetcher, { server: ofSftp })).toBe(CSV)
    const asked = proxy.asked.length
    const byFtp = ftp.url('/stock.csv', NAME)
    expect(await fetchText(byFtp, fetcher, { server: ofFtp })).toBe(CSV)
    expect(proxy.asked.slice(asked)).toHaveLength(2)
    expect(new Set(proxy.asked.map((target) => target.split(':')[0]))).toEqual(new Set([PUBLIC]))
  })

  it('a file is sent, and a webhook called', async () => {
    const url = `http://${NAME}:${source.port}/in`
    source.set('/in', { status: 204 })
    const { allow, lookup, ...sending } = options()
    const sender = createNetworkSender({ allow, lookup, ...sending })
    closing.push(() => sender.close())
    await sender.send(requestOf('a', { address: url }), bodyOf('a'))
    const poster = createJsonPoster({ allow, lookup, proxy: sending.proxy })
    expect(await poster.post({ url, headers: {}, body: '{}', signal })).toMatchObject({
      status: 204,
    })
    expect(proxy.asked).toHaveLength(2)
  })

  it('a process fetches that has its password among no arguments', async () => {
    const { fetcher: command, reader } = toChildCommands({
      allow: [],
      maxBytes: 1_000,
      proxy: proxy.url,
      env: {},
    })
    const said = JSON.stringify([command.args, reader])
    expect(said).not.toContain('s3cret')
    const orphanGuard = createOrphanGuard()
    const fetcher = createFetcherProcess(command, {
      orphanGuard,
      onUnexpectedExit: () => undefined,
    })
    closing.push(() => fetcher.close().then(() => orphanGuard.close()))
    expect(await fetchText(`http://${PUBLIC}:${source.port}/stock.csv`, fetcher)).toBe(CSV)
  })
})

describe('the guard comes before the proxy', () => {
  it('and refuses what it refuses without one', async () => {
    for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]']) {
      const failure = await failureOf(fetchText(`http://${host}:${source.port}/stock.csv`))
      expect([host, failure.code]).toEqual([host, 'address-refused'])
    }
    const inside = openFetcher({ lookup: async () => [{ address: '192.168.0.7' }] })
    const failure = await failureOf(fetchText(`http://${NAME}/stock.csv`, inside))
    expect(failure.code).toBe('name-not-found')
    expect(proxy.asked).toEqual([])
  })

  it('and what FETCH_ALLOW opens of our own networks is reached without it', async () => {
    const fetcher = openFetcher({ allow: [source.host] })
    expect(await fetchText(source.url('/stock.csv'), fetcher)).toBe(CSV)
    expect(proxy.asked).toEqual([])
  })
})

describe('a proxy that does not let through is told of', () => {
  const url = () => `http://${NAME}:${source.port}/stock.csv`
  const messageFrom = async (address: string) => {
    const fetcher = openFetcher({
      proxy: parseEgressProxy(address),
      timeouts: { connectMs: 1_000 },
    })
    const { code, message, cause } = await failureOf(fetchText(url(), fetcher))
    expect(`${message} ${String(cause)}`).not.toContain('s3cret')
    return `${code}: ${message}`
  }

  it('when it does not know us', async () => {
    const wrong = proxy.url.replace('house:', 'home:')
    expect(await messageFrom(wrong)).toMatch(/^connect-failed: .*\(407\).*FETCH_PROXY/)
  })

  it.each([
    [403, /does not admit port \d+ of this server \(403\)/],
    [502, /could not be reached through the proxy of this installation \(502\)/],
  ])('when it answers %s', async (status, text) => {
    const refusing = await startEgressProxy({ refuse: () => status })
    closing.push(() => refusing.close())
    expect(await messageFrom(refusing.url)).toMatch(text)
  })

  it.each<[string, Server]>([
    ['is no proxy', createServer((socket) => socket.end('220 mail.example ESMTP\r\n'))],
    ['closes the connection', createServer((socket) => socket.destroy())],
    ['is a web server', createHttpServer((_request, response) => response.end('hello'))],
  ])('when it %s', async (_what, server) => {
    const port = await listenOnLoopback(server)
    closing.push(async () => void server.close())
    const said = await messageFrom(`http://house:s3cret@127.0.0.1:${port}`)
    expect(said).toMatch(/^connect-failed: The proxy of this installation/)
  })

  it('when it says nothing', async () => {
    const silent = createServer(() => undefined)
    const port = await listenOnLoopback(silent)
    closing.push(async () => void silent.close())
    expect(await messageFrom(`http://127.0.0.1:${port}`)).toMatch(/^connect-timeout: /)
  })
})

describe('the address of a proxy', () => {
  it('may have a login, a port and TLS', () => {
    expect(parseEgressProxy('http://proxy.example.com')).toEqual({
      host: 'proxy.example.com',
      port: 80,
      usesTls: false,
    })
    expect(parseEgressProxy('https://a%40b:c%3Ad@[2001:db8::1]:8443/')).toEqual({
      host: '2001:db8::1',
      port: 8443,
      usesTls: true,
      authorization: `Basic ${Buffer.from('a@b:c:d').toString('base64')}`,
    })
  })

  it.each([
    '',
    'proxy:3128',
    'socks5://proxy',
    'http://proxy/path',
    'http://a%:b@proxy',
    'http://',
  ])('is not %j', (text) => expect(parseEgressProxy(text)).toBeUndefined())
})

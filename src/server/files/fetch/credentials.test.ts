import { createServer as createTlsServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/fixtures/file-fixtures'
import { createAuthority } from '../../testing/servers/source-certificate'
import { type SourceServer, startSourceServer } from '../../testing/servers/source-server'
import { type FileFetcher, createFileFetcher } from './fetch'

const CSV = 'sku,name\n1,Shirt\n'
const credentials = { name: 'X-Api-Key', value: 'sesame' }

let first: SourceServer
let second: SourceServer
let fetcher: FileFetcher
let secure: Server
let secureUrl: string
let redirectTo = ''
let secureHeaders: Record<string, unknown>[] = []

beforeEach(async () => {
  first = await startSourceServer()
  second = await startSourceServer()
  const authority = createAuthority()
  secureHeaders = []
  secure = createTlsServer(authority.issue('shop.example'), (request, response) => {
    secureHeaders.push(request.headers)
    if (redirectTo) response.writeHead(302, { location: redirectTo })
    response.end(redirectTo ? '' : CSV)
  })
  await new Promise<void>((resolve) => {
    secure.listen(0, '127.0.0.1', resolve)
  })
  const { port } = secure.address() as AddressInfo
  secureUrl = `https://shop.example:${port}/a.csv`
  fetcher = createFileFetcher({
    now: Date.now,
    allow: [first.host, second.host, `localhost:${first.port}`, `127.0.0.1:${port}`],
    maxBytes: 1_000,
    lookup: async () => [{ address: '127.0.0.1' }],
    ca: authority.cert,
  })
})
afterEach(async () => {
  redirectTo = ''
  await fetcher.close()
  await Promise.all([first.close(), second.close()])
  secure.close()
})

async function fetchText(url: string): Promise<string> {
  const response = await fetcher.fetch({ url, credentials, signal: new AbortController().signal })
  return response.kind === 'content' ? (await readAll(response.body)).toString() : response.kind
}

const keysAt = (server: SourceServer) => server.requests.map(({ headers }) => headers['x-api-key'])
const redirect = (location: string) => ({ status: 302, headers: { location } })

describe('credentials', () => {
  it('are sent with every request to their origin', async () => {
    first.set('/1', redirect('/2'))
    first.set('/2', redirect(first.url('/a.csv')))
    first.set('/a.csv', { body: CSV })
    expect(await fetchText(first.url('/1'))).toBe(CSV)
    expect(keysAt(first)).toEqual(['sesame', 'sesame', 'sesame'])
  })

  it('are sent over TLS too', async () => {
    expect(await fetchText(secureUrl)).toBe(CSV)
    expect(secureHeaders).toMatchObject([{ 'x-api-key': 'sesame' }])
  })

  it('are not sent to another port, nor to their origin when redirected back to it', async () => {
    first.set('/1', redirect(second.url('/2')))
    second.set('/2', redirect(first.url('/a.csv')))
    first.set('/a.csv', { body: CSV })
    expect(await fetchText(first.url('/1'))).toBe(CSV)
    expect([keysAt(first), keysAt(second)]).toEqual([['sesame', undefined], [undefined]])
  })

  it('are not sent to another name of the same server', async () => {
    first.set('/1', redirect(`http://localhost:${first.port}/a.csv`))
    first.set('/a.csv', { body: CSV })
    expect(await fetchText(first.url('/1'))).toBe(CSV)
    expect(keysAt(first)).toEqual(['sesame', undefined])
  })

  it('are not sent after a redirect from http to https, which is another origin', async () => {
    first.set('/1', redirect(secureUrl))
    expect(await fetchText(first.url('/1'))).toBe(CSV)
    expect(secureHeaders[0]).not.toHaveProperty('x-api-key')
  })

  it('are not sent after a redirect from https to http, which is not followed', async () => {
    redirectTo = first.url('/a.csv')
    await expect(fetchText(secureUrl)).rejects.toMatchObject({
      code: 'bad-redirect',
      message: 'The server redirects from a secure address to an insecure one.',
    })
    expect(first.requests).toEqual([])
  })

  it('are mentioned in the error when the server refuses access', async () => {
    first.set('/401', { status: 401 })
    first.set('/away', redirect(second.url('/403')))
    second.set('/403', { status: 403 })
    await expect(fetchText(first.url('/401'))).rejects.toThrow(
      'It does not accept the credentials of this connection.',
    )
    await expect(fetchText(first.url('/away'))).rejects.toThrow(
      `The address redirects to http://${second.host}, which does not get the credentials`,
    )
  })
})

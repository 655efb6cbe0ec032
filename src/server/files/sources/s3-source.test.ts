import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type SourceServer, startSourceServer } from '../../testing/servers/source-server'
import { createLocalFetcher, failureOf } from '../../testing/stages/fetching'
import type { FileFetcher } from '../fetch/fetch'
import { presignObject } from './s3-source'
import { fetchUrl } from './url-source'

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const access = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: SECRET,
  region: 'eu-west-1',
}
let server: SourceServer
let fetcher: FileFetcher
let answer: { status: number; body?: string; headers?: Record<string, string> }

beforeEach(async () => {
  server = await startSourceServer({
    fallback: (_request, response) => {
      response.writeHead(answer.status, answer.headers).end(answer.body)
    },
  })
  fetcher = createLocalFetcher(server)
})
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

const fetchKey = (key: string) =>
  fetchUrl(
    {
      type: 'URL',
      url: `s3://acme-files/${key}`,
      s3: { ...access, endpoint: `http://${server.host}` },
    },
    { fetcher, signal: new AbortController().signal },
  )

const toXml = (code: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code>${more}</Error>`

describe('a file in a bucket', () => {
  it('has a host of its own at Amazon, and is below its bucket at other servers', async () => {
    const atAmazon = new URL(await presignObject('s3://acme-files/a b/ö#1.csv', access))
    expect(atAmazon.origin).toBe('https://acme-files.s3.eu-west-1.amazonaws.com')
    expect(atAmazon.pathname).toBe('/a%20b/%C3%B6%231.csv')
    expect(atAmazon.searchParams.get('X-Amz-SignedHeaders')).toBe('host')
    const elsewhere = { ...access, endpoint: 'https://s3.example:9000' }
    const there = await presignObject('s3://acme-files/a.csv', elsewhere)
    expect(there).toMatch(/^https:\/\/s3\.example:9000\/acme-files\/a\.csv\?/)
    expect(there).not.toContain(encodeURIComponent(SECRET))
  })

  it('is signed anew for each request', async () => {
    answer = { status: 200, body: 'sku\n1\n' }
    expect(await fetchKey('a/stock.csv')).toMatchObject({ fileName: 'stock.csv' })
    expect(server.requests[0]?.path).toMatch(/^\/acme-files\/a\/stock\.csv\?.*X-Amz-Expires=3600/)
  })

  it('needs a key pair', async () => {
    const error = await failureOf(presignObject('s3://acme-files/a.csv', undefined))
    expect(error.code).toBe('bad-address')
  })

  it.each([
    [403, toXml('AccessDenied'), /AccessDenied\. The key pair may not read this file, or/],
    [
      403,
      toXml('AccessDenied', '<Message>Request has expired</Message>'),
      /AccessDenied\. The clock of the machine/,
    ],
    [403, toXml('RequestTimeTooSkewed'), /RequestTimeTooSkewed\. The clock of the machine/],
    [
      400,
      toXml('AuthorizationQueryParametersError', '<Region>eu-central-1</Region>'),
      /The bucket is in the region eu-central-1: enter it/,
    ],
    [301, toXml('PermanentRedirect'), /The bucket is in another region, or at another server/],
    [403, toXml('InvalidObjectState'), /The file is archived/],
    [403, 'no XML', /answered 403 Forbidden\. It does not accept the credentials/],
    [503, toXml('SlowDown'), /answered 503 Service Unavailable/],
    [404, toXml('constructor'), /answered 404 Not Found/],
  ])('says why it is refused: %i %s', async (status, body, text) => {
    answer = { status, body }
    const error = await failureOf(fetchKey('a.csv'))
    expect(error.code).toBe('http-status')
    expect(error.message).toMatch(text)
    expect(error.message).not.toMatch(/X-Amz/)
    await expect.poll(() => server.openSockets()).toBe(0)
  })

  it('is not looked for elsewhere when its server redirects: the region is told', async () => {
    const headers = { location: server.url('/elsewhere'), 'x-amz-bucket-region': 'eu-south-2' }
    answer = { status: 307, headers }
    expect((await failureOf(fetchKey('a.csv'))).message).toMatch(/in the region eu-south-2/)
    expect(server.requests).toHaveLength(1)
  })
})

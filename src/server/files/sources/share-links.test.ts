import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/fixtures/file-fixtures'
import { type SourceServer, startSourceServer } from '../../testing/servers/source-server'
import { createLocalFetcher, failureOf } from '../../testing/stages/fetching'
import { decodeBody } from '../fetch/decoded-body'
import type { FileFetcher } from '../fetch/fetch'
import { fetchUrl } from './url-source'

const CSV = 'sku,name\n1,Shirt\n'
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const PAGE = '<!doctype html><title>Sign in</title>'
const LINK = '/acme/stock/-/blob/main/stock.html'
const FILE = '/acme/stock/-/raw/main/stock.html'
let server: SourceServer
let fetcher: FileFetcher

beforeEach(async () => {
  server = await startSourceServer()
  fetcher = createLocalFetcher(server)
})
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

const fetchAt = (url: string, asks: FileFetcher = fetcher) =>
  fetchUrl({ type: 'URL', url }, { fetcher: asks, signal: new AbortController().signal })

describe('a link by which people share a file', () => {
  it('is fetched from where the file is, with the credentials of its origin', async () => {
    server.set(FILE, { body: CSV })
    const response = await fetchUrl(
      { type: 'URL', url: server.url(LINK), credentials: { name: 'PRIVATE-TOKEN', value: 'abc' } },
      { fetcher, signal: new AbortController().signal },
    )
    if (response.kind !== 'content') throw new Error('Content was expected')
    expect((await readAll(decodeBody(response, 1_000))).toString()).toBe(CSV)
    expect(server.requests).toMatchObject([{ path: FILE, headers: { 'private-token': 'abc' } }])
  })

  it('says what it means when its server shows a page, and closes the connection', async () => {
    server.set(FILE, { status: 302, headers: { location: '/users/sign_in' } })
    server.set('/users/sign_in', { body: PAGE.padEnd(1_000_000), headers: HTML })
    const error = await failureOf(fetchAt(server.url(LINK)))
    expect(error.code).toBe('not-csv-html')
    expect(error.message).toMatch(/^GitLab shows a page instead of the file: .* PRIVATE-TOKEN/)
    await expect.poll(() => server.openSockets()).toBe(0)
  })

  it('brings a table in HTML that is sent as a file', async () => {
    const headers = { ...HTML, 'content-disposition': 'attachment; filename="table.html"' }
    server.set(FILE, { body: '<table></table>', headers })
    expect(await fetchAt(server.url(LINK))).toMatchObject({ fileName: 'table.html' })
  })

  it.each([
    ['https://drive.google.com/file/d/1Bxi/view', /^Drive shows a page for files above some 20 MB/],
    [
      'https://docs.google.com/spreadsheets/d/1Bxi/edit',
      /^Google shows a page instead of the sheet/,
    ],
    ['https://www.dropbox.com/s/1Bxi/a.csv?dl=0', /^Dropbox shows a page instead of the file/],
  ])('%s: its service is named when it shows a page', async (url, text) => {
    const asked: string[] = []
    const showsPage: FileFetcher = {
      async fetch(request) {
        asked.push(request.url)
        server.set('/page', { body: PAGE, headers: HTML })
        return fetcher.fetch({ ...request, url: server.url('/page') })
      },
      close: async () => undefined,
    }
    expect((await failureOf(fetchAt(url, showsPage))).message).toMatch(text)
    expect(new URL(asked[0] ?? '').origin).toBe(new URL(url).origin)
  })

  it('is not asked for when nobody but people can fetch its file', async () => {
    const error = await failureOf(fetchAt('https://1drv.ms/x/s!AkQ7'))
    expect(error).toMatchObject({
      code: 'bad-address',
      message: expect.stringContaining('OneDrive and SharePoint'),
    })
  })
})

import { createServer } from 'node:http'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { closeServer, listenOnLoopback } from '../../testing/servers/loopback'
import { createFileFetcher } from '../fetch/fetch'
import { fetchUrl } from './url-source'

const asked: string[] = []
const server = createServer(({ url = '' }, response) => {
  asked.push(url)
  response.end('sku\n1\n')
})
let origin: string

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`
})
afterAll(() => closeServer(server))

it('of a link that shows a file, the file is fetched', async () => {
  const fetcher = createFileFetcher({ allow: ['127.0.0.1'], maxBytes: 1_000, now: Date.now })
  const { signal } = new AbortController()
  const url = `${origin}/team/data/-/blob/main/stock.csv`
  const response = await fetchUrl({ type: 'URL', url }, { fetcher, signal })
  expect(response).toMatchObject({ kind: 'content', fileName: 'stock.csv' })
  expect(asked).toEqual(['/team/data/-/raw/main/stock.csv'])
  await fetcher.close()
})

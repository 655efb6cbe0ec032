import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Config } from '../config'
import { startEgressProxy } from '../testing/servers/egress-proxy-server'
import { startSourceServer, type SourceServer } from '../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { checkVersion } from './check-version'

let deps: TestDeps
let server: SourceServer

beforeEach(async () => {
  deps = await openTestDeps()
  server = await startSourceServer()
})
afterEach(async () => {
  await deps.close()
  await server.close()
})

/** What is found when the address answers so. */
async function find(body: string, settings: Partial<Config> = {}) {
  server.set('/latest', { body })
  const config = {
    ...deps.config,
    productVersion: '1.9.2',
    updateCheckUrl: server.url('/latest'),
    fetchAllow: [server.host],
    ...settings,
  }
  const [finding] = await checkVersion({ config })
  return finding
}

it.each([
  ['{ "version": "1.10.0" }', 'warning', '1.9.2, and 1.10.0 is released'],
  ['{ "tag_name": "v2.0.0", "name": "Two" }', 'warning', '1.9.2, and 2.0.0 is released'],
  ['{ "version": "1.9.2" }', 'ok', '1.9.2, the newest'],
  ['{ "tag_name": "v1.8.30" }', 'ok', '1.9.2, the newest'],
])('%s is told', async (body, state, text) => {
  expect(await find(body)).toMatchObject({ state, text })
})

it.each([
  ['{ "version": "2.0.0-rc.1" }', 'names no version'],
  ['<html>', 'names no version'],
  ['{}', 'names no version'],
  [JSON.stringify({ version: '2.0.0', body: 'x'.repeat(70_000) }), 'too long'],
])('%.40s is not taken for a release', async (body, reason) => {
  const found = await find(body)
  expect(found).toMatchObject({ state: 'warning' })
  expect(found?.text).toContain(reason)
})

it('nothing is asked unless an address is named', async () => {
  expect(await find('{ "version": "2.0.0" }', { updateCheckUrl: undefined })).toBeUndefined()
  expect(server.requests).toEqual([])
})

it('the request says nothing of the installation', async () => {
  await find('{ "version": "2.0.0" }', { publicUrl: 'https://stock.example' })
  expect(server.requests).toEqual([
    {
      method: 'GET',
      path: '/latest',
      headers: {
        host: server.host,
        'user-agent': 'Stockbridge',
        accept: 'application/json',
        'accept-encoding': 'identity',
        connection: 'close',
      },
    },
  ])
})

it('a private address is asked only if it is allowed, and a public one through the proxy', async () => {
  const refused = await find('{ "version": "2.0.0" }', { fetchAllow: [] })
  expect(refused?.text).toContain('Private addresses')
  const proxy = await startEgressProxy()
  const found = await find('{ "version": "2.0.0" }', {
    updateCheckUrl: `http://8.8.8.8:${server.port}/latest`,
    fetchProxy: proxy.url,
  })
  await proxy.close()
  expect(found?.text).toContain('2.0.0 is released')
  expect(proxy.asked).toEqual([`8.8.8.8:${server.port}`])
})

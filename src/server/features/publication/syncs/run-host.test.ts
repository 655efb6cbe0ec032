import type { ServerResponse } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { type SourceServer, startSourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'

let source: SourceServer
let other: SourceServer
let deps: TestDeps
/** The hosts that had been entered when a source was asked. */
let seen: string[][]

beforeEach(async () => {
  source = await startSourceServer()
  other = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [source.host, other.host] })
  seen = []
  await createSupplierConnection(deps, await createSupplierUser(deps), source.url('/feed.csv'))
})
afterEach(async () => {
  await deps.close()
  await source.close()
  await other.close()
})

const listHosts = async () => {
  const rows = await deps.db.selectFrom('hostRequests').select('host').orderBy('id').execute()
  return rows.map(({ host }) => host)
}

/** Answers with a redirect, or with a file. */
function answer(server: SourceServer, path: string, location?: string): void {
  const reply = async (response: ServerResponse) => {
    seen.push(await listHosts())
    if (location) response.writeHead(302, { location })
    response.end('sku,qty\r\n1,5\r\n')
  }
  server.set(path, { handler: (_request, response) => void reply(response) })
}

describe('the host of a run', () => {
  it('is entered once, as it begins, and left as it ends', async () => {
    answer(source, '/feed.csv')
    await deps.work()
    expect(seen).toEqual([[source.host]])
    expect(await listHosts()).toEqual([])
  })

  it('is left before that of a redirect is entered', async () => {
    answer(source, '/feed.csv', other.url('/moved.csv'))
    answer(other, '/moved.csv')
    await deps.work()
    expect(seen).toEqual([[source.host], [other.host]])
    await expect.poll(listHosts).toEqual([])
  })

  it('is left by a run that fails', async () => {
    source.set('/feed.csv', { status: 500 })
    await deps.work()
    expect(source.requests).toHaveLength(1)
    expect(await listHosts()).toEqual([])
  })
})

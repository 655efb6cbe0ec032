import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import type { Deps } from '../../server/domain/deps'
import { createLogger } from '../../server/observability/logger'
import {
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../server/testing/fixtures/factories'
import {
  startPostgresServer,
  type PostgresServer,
} from '../../server/testing/servers/postgres-server'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import type { Connection } from '../../shared/schemas/connection'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { createRestClient, until } from '../support/rest-client'

const LIMIT = 10
const ATTEMPTS = 50
const SUPPLIERS = 8
const CSV = 'sku,qty\r\n00A1,5\r\n'

let postgres: PostgresServer
let sourceServer: SourceServer
let dataDir: string
let env: Record<string, string>
let webs: Product[]
let programs: Product[]

beforeEach(async () => {
  postgres = await startPostgresServer({ isDurable: true })
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: CSV })
  dataDir = await makeDataDir()
  env = { DATABASE_URL: postgres.toUrl('postgres'), FETCH_ALLOW: sourceServer.host }
  webs = await Promise.all([startWeb(), startWeb()])
  programs = [...webs]
})
afterEach(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await sourceServer.close()
  await postgres.close()
  await removeDataDir(dataDir)
})

const startWeb = () => startProduct(dataDir, { ...env, WORKER: 'off' })
const clientOf = (web: Product | undefined) => createRestClient(web?.url ?? '')

async function addWorkers(count: number) {
  const workers = Array.from({ length: count }, () => startWorker(dataDir, env))
  programs.push(...(await Promise.all(workers)))
}

/** Uses the rules in this process, as one more process beside the others. */
async function use<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig({ DATA_DIR: dataDir, ...env })
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    return await work(deps)
  } finally {
    await close()
  }
}

describe('several processes on PostgreSQL', () => {
  it('agree on one administrator and one session after a first start at once', async () => {
    const [first, second] = webs.map(clientOf)
    await first!.signIn('admin', ADMIN_PASSWORD)
    const elsewhere = createRestClient(webs[1]!.url, first!.cookie())
    expect((await elsewhere.send('GET', '/api/user')).body).toMatchObject({ username: 'admin' })
    await first!.send('POST', '/api/logout')
    expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
    expect((await second!.send('GET', '/api/user')).status).toBe(401)
  })

  it('enforce a supplier’s retailer limit exactly', async () => {
    const { supplier, logins } = await use(async (deps) => {
      const owner = await createSupplierUser(deps, { maxRetailers: LIMIT })
      const users = []
      for (let count = 0; count < ATTEMPTS; count++) {
        users.push(await createRetailerUser(deps, owner))
      }
      return { supplier: owner, logins: users }
    })
    const clients = webs.map(clientOf)
    for (const client of clients) await client.signIn(supplier.username, PASSWORD)
    const responses = await Promise.all(
      logins.map(({ id: userId }, index) =>
        clients[index % 2]!.send('POST', '/api/retailers', { userId, storeName: 'Shop' }),
      ),
    )
    const counts = Map.groupBy(responses, ({ status }) => status)
    expect(counts.get(201)).toHaveLength(LIMIT)
    expect(counts.get(409)).toHaveLength(ATTEMPTS - LIMIT)
  })

  it('sync each connection once, and serve its file from every web process', async () => {
    const shops = await use(async (deps) => {
      const retailers = []
      for (let count = 0; count < SUPPLIERS; count++) {
        const supplier = await createSupplierUser(deps)
        const { user } = await createLinkedRetailer(deps, supplier)
        retailers.push({ supplier, user })
      }
      return retailers
    })
    for (const { supplier } of shops) {
      const client = clientOf(webs[0])
      await client.signIn(supplier.username, PASSWORD)
      const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
      const config = { url: sourceServer.url('/feed.csv') }
      expect((await client.send('POST', '/api/connections', { ...settings, config })).status).toBe(
        201,
      )
    }
    await addWorkers(2)
    const admin = clientOf(webs[1])
    await admin.signIn('admin', ADMIN_PASSWORD)
    const list = async () => (await admin.send('GET', '/api/connections')).body as Connection[]
    await until(list, (all) => all.every(({ lastSync }) => lastSync !== null))
    const counts = await use(async ({ db }) => ({
      versions: (await db.selectFrom('versions').select('id').execute()).length,
      runs: (await db.selectFrom('syncRuns').select('outcome').execute()).map((run) => run.outcome),
    }))
    expect(counts).toEqual({
      versions: SUPPLIERS,
      runs: Array.from({ length: SUPPLIERS }, () => 'published'),
    })
    expect(sourceServer.requests).toHaveLength(SUPPLIERS)
    const shop = clientOf(webs[1])
    await shop.signIn(shops[0]!.user.username, PASSWORD)
    const [retailer] = (await shop.send('GET', '/api/retailers')).body as { id: number }[]
    const path = `/api/retailers/${retailer!.id}/latest-file`
    const file = (await shop.send('GET', path)).body as { downloadUrl: string }
    for (const web of webs) {
      const response = await fetch(`${web.url}${file.downloadUrl}`, {
        headers: { cookie: shop.cookie() },
      })
      expect(await response.text()).toBe(CSV)
    }
  })

  it('work again once a server that crashed is back', async () => {
    const client = clientOf(webs[0])
    await client.signIn('admin', ADMIN_PASSWORD)
    await postgres.kill()
    const { status, body } = await client.send('GET', '/api/suppliers')
    const message = 'The database cannot be reached at the moment. Try again in a minute.'
    expect([status, body]).toEqual([503, { message }])
    expect((await fetch(`${webs[0]!.url}/readyz`)).status).toBe(503)
    await postgres.start()
    await until(
      () => client.send('GET', '/api/suppliers'),
      (response) => response.status === 200,
    )
    expect((await fetch(`${webs[0]!.url}/readyz`)).status).toBe(200)
  })
})

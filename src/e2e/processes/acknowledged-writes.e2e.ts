import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest'

import { readConfig } from '../../server/config'
import { createLinkedRetailer, createSupplierUser } from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import type { FileListing } from '../../shared/schemas/file'
import type { Retailer } from '../../shared/schemas/retailer'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { signIn, seedDataDir, type SeededData } from '../support/seeded-data-dir'
import { hasStrace, traceSystemCalls } from '../support/trace-system-calls'

const WRITERS = 10
const CHANGED = 'sku,qty\r\n1,6\r\n'
const CHANGED_SHA256 = createHash('sha256').update(CHANGED).digest('hex')

let dataDir: string

beforeEach(async () => {
  dataDir = await makeDataDir()
})
afterEach(() => removeDataDir(dataDir))

describe('an acknowledged write', () => {
  let product: Product
  let client: RestClient
  let username: string

  beforeEach(async () => {
    const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
    const supplier = await createSupplierUser(deps)
    for (let index = 0; index < WRITERS; index++) await createLinkedRetailer(deps, supplier)
    await deps.close()
    username = supplier.username
    product = await start()
    client = await signIn(product, username)
  })
  afterEach(() => product.stop())

  const start = () => startProduct(dataDir, { LOG_LEVEL: 'error', CALL_LIMITS: 'off' })

  const listRetailers = async (): Promise<Retailer[]> =>
    (await client.send('GET', '/api/retailers')).body

  /** Renames a store until the process dies. Returns the last name sent and acknowledged. */
  async function rename(id: number, round: number, onAcknowledged: () => void) {
    const seen = { id, sent: '', acknowledged: '' }
    for (let count = 1; ; count++) {
      seen.sent = `round ${round}, name ${count}`
      try {
        const body = { storeName: seen.sent }
        const { status } = await client.send('PATCH', `/api/retailers/${id}/basic-info`, body)
        expect(status).toBe(200)
      } catch (error) {
        if (error instanceof TypeError) return seen // No response: the process is dead.
        throw error
      }
      seen.acknowledged = seen.sent
      onAcknowledged()
    }
  }

  it('survives SIGKILL at a random moment', async () => {
    const kills = rounds(3, 100)
    let acknowledged = 0
    for (let round = 0; round < kills; round++) {
      const retailers = await listRetailers()
      const names = new Map(retailers.map(({ id, storeName }) => [id, storeName]))
      let writing: ReturnType<typeof rename>[] = []
      await new Promise<void>((resolve) => {
        writing = retailers.map(({ id }) => rename(id, round, resolve))
      })
      await sleep(Math.random() * 300)
      await product.stop('SIGKILL')
      const written = await Promise.all(writing)
      product = await start()
      // The session survives the restart.
      client = createRestClient(product.url, client.cookie())
      const found = new Map((await listRetailers()).map(({ id, storeName }) => [id, storeName]))
      for (const seen of written) {
        const last = seen.acknowledged || names.get(seen.id)
        expect([last, seen.sent]).toContain(found.get(seen.id))
        acknowledged += Number(seen.acknowledged.split(' ').at(-1) || 0)
      }
    }
    expect(acknowledged).toBeGreaterThanOrEqual(kills)
    const measured = `0 of ${acknowledged} lost`
    figure('durability', `acknowledged writes, ${kills} kills`, measured, '0')
  }, 1_800_000)
})

describe.skipIf(!hasStrace)('the system calls of the product', () => {
  let product: Product
  let sourceServer: SourceServer

  beforeEach(async () => {
    sourceServer = await startSourceServer()
  })
  // Before the data directory is removed, in which the product writes.
  afterEach(async () => {
    await product.stop()
    await sourceServer.close()
  })

  /** The disk and network calls of the product while `act` runs. */
  async function trace(context: TestContext, act: () => Promise<unknown>) {
    const calls = ['fsync', 'fdatasync', 'link', 'linkat', 'write', 'writev', 'pwrite64']
    const tracing = await traceSystemCalls(product.pid, calls)
    if (!tracing) return context.skip('tracing other processes is not permitted on this machine')
    await act()
    return tracing.stop()
  }

  it('sync a change to disk before it is acknowledged', async (context) => {
    const seeded = await seedDataDir(dataDir, 'http://192.0.2.1/feed.csv')
    product = await startProduct(dataDir, { LOG_LEVEL: 'warn', WORKER: 'off' })
    const retailer = await signIn(product, seeded.retailer.username)
    const path = `/api/retailers/${seeded.retailer.id}/store-info`
    const change = () => retailer.send('PATCH', path, { storeName: 'Renamed' })
    expect(nameCalls(await trace(context, change))).toEqual(['sync log', 'respond'])
  })

  it('sync a file and its key file to disk before it is published', async (context) => {
    sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
    const seeded = await seedDataDir(dataDir, sourceServer.url('/feed.csv'))
    const env = { FETCH_ALLOW: sourceServer.host, LOG_LEVEL: 'warn' }
    product = await startProduct(dataDir, env)
    const supplier = await signIn(product, seeded.supplier.username)
    await awaitFiles(supplier, seeded, 1)
    sourceServer.set('/feed.csv', { body: CHANGED })
    const calls = await trace(context, async () => {
      await supplier.send('POST', `/api/connections/${seeded.connectionId}/sync`)
      await awaitFiles(supplier, seeded, 2)
    })
    const stores = ['sync draft', 'link draft', 'sync folder', 'sync folder']
    // The file, and its key file.
    const order = [...stores, ...stores, 'write version', 'sync log']
    expect(nameCalls(leaveOutOthers(calls))).toEqual(order)
    figure('durability', 'system calls of a sync', order.join(', '), 'in this order')
  })
})

const awaitFiles = (client: RestClient, { connectionId }: SeededData, count: number) =>
  until(
    async () => (await client.send('GET', `/api/connections/${connectionId}/files`)).body,
    ({ files }: FileListing) => files.length === count,
  )

function nameCalls(calls: string[]): string[] {
  const names: [RegExp, string][] = [
    // Its hash is in the row of the version.
    [new RegExp(String.raw`^pwrite64\(\d+<[^>]*app\.db-wal>.*${CHANGED_SHA256}`), 'write version'],
    [/^f(?:data)?sync\(\d+<[^>]*app\.db-wal>/, 'sync log'],
    [/^fsync\(\d+<[^>]*\/drafts\/[^>]*>/, 'sync draft'],
    [/^fsync\(\d+<[^>]*\/files(?:\/[0-9a-f]{2})?>/, 'sync folder'],
    [/^link(?:at)?\(/, 'link draft'],
    [/^writev?\(\d+<(?:TCP|socket)[^>]*>.*HTTP/, 'respond'],
  ]
  return calls.flatMap((call) => names.find(([pattern]) => pattern.test(call))?.[1] ?? [])
}

/**
 * Leaves out what other work does meanwhile, which comes at any time: its drafts have other lease tokens, and
 * a commit of the database is the sync's if it writes the version.
 */
function leaveOutOthers(calls: string[]): string[] {
  const stored = new RegExp(String.raw`/drafts/([\w-]+)\..*/${CHANGED_SHA256}\.`)
  const token = calls.map((call) => stored.exec(call)?.[1]).find(Boolean)
  const isDraft = (call: string) => call.includes(`/drafts/${token}.`)
  const folders = calls
    .filter(isDraft)
    .flatMap((call) => /\/files\/[0-9a-f]{2}(?=\/)/.exec(call)?.[0] ?? [])
  const own: string[] = []
  for (const call of calls) {
    const [name] = nameCalls([call])
    const [before] = nameCalls(own.slice(-1))
    const isFolder = folders.some((folder) => call.includes(`${folder}>`))
    if (
      isDraft(call) ||
      (name === 'sync folder' && (isFolder || (call.includes('/files>') && before === name))) ||
      (name === 'write version' && before !== name) ||
      (name === 'sync log' && before === 'write version')
    ) {
      own.push(call)
    }
  }
  return own
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import type { Connection } from '../../shared/schemas/connection'
import { listTree, readProportionalMemory } from '../support/process-tree'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { replaceChild } from '../support/replaced-child'
import { timeResponses, toMilliseconds } from '../support/response-times'
import { until, type RestClient } from '../support/rest-client'
import { signIn } from '../support/seeded-data-dir'
import { hasVitals, toMegabytes } from '../support/vitals'

const MB = 1024 * 1024
/**
 * A faulty reader is stopped by its CPU time limit, which it reaches slowly on a loaded machine.
 * One that still runs after this time is never stopped.
 */
const FAULT_TIMEOUT_MS = 15 * 60_000
/** Even a product blocked by the fault responds once before it begins and once after it ends. */
const RESPONSES_WHEN_BLOCKED = 2

const LOOP = 'for (;;);'
const faults = [
  ['an endless loop', LOOP, /made no progress|took more memory/],
  [
    'unbounded memory growth',
    "const grown = new Set(); for (let n = 0; ; n++) grown.add('entry ' + n)",
    /made no progress|took more memory/,
  ],
] as const

describe.skipIf(!hasVitals).each(faults)('a reader of files with %s', (_what, fault, error) => {
  let sourceServer: SourceServer
  let dataDir: string
  let reader: Awaited<ReturnType<typeof replaceChild>>
  let product: Product
  let supplier: RestClient
  let other: RestClient
  let retailerId: number

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', { body: 'sku,category\r\n1,Shoes\r\n2,Hats\r\n' })
    dataDir = await makeDataDir()
    // Published with the working reader, so that there is a version to filter.
    const deps = await openTestDeps(
      readConfig({ DATA_DIR: dataDir, FETCH_ALLOW: sourceServer.host }),
    )
    deps.clock.advance(Date.now() - deps.clock.now())
    const owner = await createSupplierUser(deps)
    const bystander = await createSupplierUser(deps)
    await createSupplierConnection(deps, owner, sourceServer.url('/feed.csv'))
    await deps.work()
    const visibility = { allProducts: false, categories: ['Shoes'] }
    retailerId = (await createLinkedRetailer(deps, owner, visibility)).id
    await deps.close()

    reader = await replaceChild('reader', fault)
    const env = { FETCH_ALLOW: sourceServer.host, LOG_LEVEL: 'error', CALL_LIMITS: 'off' }
    product = await startProduct(dataDir, env, reader.main)
    supplier = await signIn(product, owner.username)
    other = await signIn(product, bystander.username)
  })
  afterAll(async () => {
    await product.stop()
    await sourceServer.close()
    await removeDataDir(dataDir)
    await reader.remove()
  })

  const readConnection = async () => {
    const [connection] = (await supplier.send('GET', '/api/connections')).body as Connection[]
    return connection
  }

  async function sync() {
    const { id } = (await readConnection()) ?? {}
    await supplier.send('POST', `/api/connections/${id}/sync`)
    await until(
      readConnection,
      (connection) => error.test(connection?.lastError ?? ''),
      FAULT_TIMEOUT_MS,
    )
  }

  async function preview() {
    const body = { url: sourceServer.url('/feed.csv') }
    const { status, text } = await supplier.send('POST', '/api/connections/preview', body)
    expect(status).toBe(400)
    // On a loaded machine the preview may time out first.
    expect(text).toMatch(/made no progress|took more memory|in 15 seconds/)
  }

  async function filter() {
    const path = `/api/retailers/${retailerId}/latest-file`
    const read = async () => (await supplier.send('GET', path)).text
    await until(read, (text) => text.includes('could not be prepared'), FAULT_TIMEOUT_MS)
  }

  const works = [
    ['sync', sync],
    ['preview', preview],
    ['filtered file', filter],
  ] as const
  // A loop ends when its CPU time is used up, so that the short run tries only one.
  const isTried = ([kind]: (typeof works)[number]) =>
    kind === 'sync' || fault !== LOOP || rounds(0, 1) === 1

  it.each(works.filter(isTried))(
    'fails only its own %s while others get responses',
    { timeout: 2 * FAULT_TIMEOUT_MS },
    async (kind, work) => {
      let memory = 0
      const ask = async () => {
        expect((await other.send('GET', '/api/user')).status).toBe(200)
        expect((await other.send('GET', '/healthz')).status).toBe(200)
        memory = Math.max(memory, await readProportionalMemory(await listTree(product.pid)))
      }
      const times = await timeResponses(ask, work())
      const longest = Math.max(...times)
      const measured = `${toMilliseconds(longest)}, ${toMegabytes(memory)} in all`
      figure(
        'availability',
        `longest wait of others beside a faulty ${kind}`,
        measured,
        '< 1 s, < 700 MB',
      )
      expect(times.length).toBeGreaterThan(RESPONSES_WHEN_BLOCKED)
      expect(memory).toBeLessThan(700 * MB)
    },
  )

  it('stops cleanly and leaves no process behind', async () => {
    const { id } = (await readConnection()) ?? {}
    await supplier.send('POST', `/api/connections/${id}/sync`)
    await until(readConnection, (connection) => connection?.status === 'running')
    const tree = await listTree(product.pid)
    expect(tree.length).toBeGreaterThan(1)
    expect(await product.stop()).toBe(0)
    // The kernel frees a killed process's memory with a delay.
    await until(
      () => readProportionalMemory(tree),
      (bytes) => bytes === 0,
    )
  })
})

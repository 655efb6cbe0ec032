import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import { createLogger } from '../../server/observability/logger'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { findBrokenFiles } from '../../server/testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import type { Connection } from '../../shared/schemas/connection'
import type { FileListing } from '../../shared/schemas/file'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  type Product,
} from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'

const CONNECTIONS = 3
const PIECES = 8
/** Approximate duration of a sync; kills come during it or shortly after. */
const SYNC_MS = 400

const hash = (content: string) => createHash('sha256').update(content).digest('hex')

describe('a process killed at a random moment', () => {
  let sourceServer: SourceServer
  let dataDir: string
  let product: Product
  let admin: RestClient
  const connectionIds: number[] = []
  /** Hashes of all files sent by the sources; no other content may ever be served. */
  const sent = new Set<string>()
  const reads = { whole: 0, broken: [] as string[] }

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    dataDir = await makeDataDir()
    await start()
    for (let index = 0; index < CONNECTIONS; index++) {
      sourceServer.set(`/feed-${index}.csv`, {
        handler: (_request, response) => void send(response),
      })
      connectionIds.push(await createConnection(index))
    }
    await until(listNewest, (newest) => newest.every(Boolean))
  })
  afterAll(async () => {
    await product.stop()
    await sourceServer.close()
    await removeDataDir(dataDir)
  })

  async function start() {
    product = await startProduct(dataDir, {
      FETCH_ALLOW: sourceServer.host,
      LOG_LEVEL: 'error',
      CALL_LIMITS: 'off',
    })
    admin = createRestClient(product.url)
    await admin.signIn('admin', ADMIN_PASSWORD)
  }

  /** Sends a new file in pieces. */
  async function send(response: ServerResponse) {
    // The same items each time: a file without those of the one before would be held.
    const row = `A-1,"Boot, ${sent.size}",Shoes,5\r\n`
    const content = `sku,name,category,qty\r\n${row.repeat(10_000)}`
    sent.add(hash(content))
    response.setHeader('content-length', content.length)
    const length = Math.ceil(content.length / PIECES)
    for (let at = 0; at < content.length; at += length) {
      response.write(content.slice(at, at + length))
      await sleep(SYNC_MS / PIECES / 2)
    }
    response.end()
  }

  async function createConnection(index: number): Promise<number> {
    const supplier = await admin.send('POST', '/api/suppliers', {
      username: `supplier-${index}`,
      password: 'acme-password',
      companyName: 'Acme',
      contactEmail: 'acme@example.com',
    })
    const created = await admin.send('POST', '/api/connections', {
      name: 'Feed',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 60,
      supplierId: (supplier.body as { id: number }).id,
      config: { url: sourceServer.url(`/feed-${index}.csv`) },
    })
    return (created.body as Connection).id
  }

  const listNewest = () =>
    Promise.all(
      connectionIds.map(async (id) => {
        const { body } = await admin.send('GET', `/api/connections/${id}/files`)
        return (body as FileListing).files[0]?.fileName
      }),
    )

  /** Makes every connection due now, whoever holds its lease. */
  async function syncAll() {
    for (const id of connectionIds)
      await admin.send('PATCH', `/api/connections/${id}`, { isActive: false })
    for (const id of connectionIds)
      await admin.send('PATCH', `/api/connections/${id}`, { isActive: true })
  }

  /** Downloads the newest files repeatedly until the process dies or `isOver`. */
  async function readRepeatedly(isOver: () => boolean) {
    while (!isOver()) {
      try {
        const newest = await listNewest()
        await Promise.all(newest.map((name, index) => readFile(connectionIds[index]!, name!)))
      } catch {
        // The process has died; the aborted responses do not count.
        return
      }
    }
  }

  async function readFile(id: number, fileName: string) {
    const { status, text } = await admin.send('GET', `/api/connections/${id}/files/${fileName}`)
    if (status === 200 && sent.has(hash(text))) reads.whole += 1
    else reads.broken.push(`${fileName}: ${status}, ${text.length} bytes`)
  }

  /** The broken files that the killed process left, and the number of syncs it was running. */
  async function inspect() {
    const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const { deps, close } = await openDeps(config, createLogger(config))
    const broken = await findBrokenFiles(deps)
    const open = await deps.db
      .selectFrom('syncRuns')
      .select('id')
      .where('finishedAt', 'is', null)
      .execute()
    await close()
    return { broken, running: open.length }
  }

  it(
    'never serves a partial file to a client that downloads continuously',
    async () => {
      const kills = rounds(3, 200)
      let killedSyncs = 0
      for (let kill = 0; kill < kills; kill++) {
        await syncAll()
        let isOver = false
        const reading = readRepeatedly(() => isOver)
        await sleep(Math.random() * SYNC_MS * 1.5)
        await product.stop('SIGKILL')
        isOver = true
        await reading
        const { broken, running } = await inspect()
        expect(broken).toEqual([])
        killedSyncs += running
        await start()
      }
      const before = await listNewest()
      await syncAll()
      await until(listNewest, (newest) => newest.every((name, index) => name !== before[index]))
      expect(reads.broken).toEqual([])
      expect(reads.whole).toBeGreaterThan(0)
      expect(killedSyncs).toBeGreaterThan(0)
      const measured = `0 partial files in ${reads.whole} downloads, ${killedSyncs} syncs killed`
      figure('crashes', `${kills} kills at any moment`, measured, '0')
    },
    rounds(300_000, 7_200_000),
  )
})

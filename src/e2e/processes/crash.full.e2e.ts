import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import type { Connection } from '../../shared/schemas/connection'
import type { FileListing } from '../../shared/schemas/file'
import { untilReading } from '../support/drafts'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  type Product,
} from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'

const ROW = '1234,"Boot, brown",Shoes,5\r\n'
const CSV = `sku,name,category,qty\r\n${ROW.repeat(40_000)}`
/** Generous, because a loaded machine takes several minutes to recover. */
const RECOVERY_TIMEOUT_MS = 10 * 60_000

describe('a process killed in the middle of a sync', () => {
  let sourceServer: SourceServer
  let dataDir: string
  let product: Product
  let admin: RestClient

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    dataDir = await makeDataDir()
    await start()
  })
  afterEach(async () => {
    await product.stop()
    await sourceServer.close()
    await removeDataDir(dataDir)
  })

  async function start() {
    product = await startProduct(dataDir, { FETCH_ALLOW: sourceServer.host, CALL_LIMITS: 'off' })
    admin = createRestClient(product.url)
    await admin.signIn('admin', ADMIN_PASSWORD)
  }

  async function createConnection(url: string): Promise<Connection> {
    const supplier = await admin.send('POST', '/api/suppliers', {
      username: 'acme',
      password: 'acme-password',
      companyName: 'Acme',
      contactEmail: 'acme@example.com',
    })
    const { id: supplierId } = supplier.body as { id: number }
    const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
    const created = await admin.send('POST', '/api/connections', {
      ...settings,
      supplierId,
      config: { url },
    })
    return created.body
  }

  const listFiles = async (id: number): Promise<FileListing> =>
    (await admin.send('GET', `/api/connections/${id}/files`)).body

  async function readConnection(): Promise<Connection> {
    const [connection] = (await admin.send('GET', '/api/connections')).body as Connection[]
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  it(
    'shows no partial file, completes the sync after a restart and leaves no drafts',
    async () => {
      const isHalfSent = new Promise<void>((resolve) => {
        sourceServer.set('/feed.csv', {
          handler: (_request, response) => {
            response.writeHead(200, { 'content-type': 'text/csv' })
            response.write(CSV.slice(0, CSV.length / 2), () => resolve())
          },
        })
      })
      const { id } = await createConnection(sourceServer.url('/feed.csv'))
      await isHalfSent
      await untilReading(dataDir)
      expect(await listFiles(id)).toEqual({ files: [] })
      await product.stop('SIGKILL')

      sourceServer.set('/feed.csv', { body: CSV })
      const restarted = performance.now()
      await start()
      const seen = new Set<number>()
      await until(
        async () => {
          const { files } = await listFiles(id)
          for (const file of files) seen.add(file.fileSize)
          return readConnection()
        },
        ({ lastSync }) => lastSync !== null,
        RECOVERY_TIMEOUT_MS,
      )
      const resumedAfter = secondsSince(restarted)
      const { files } = await listFiles(id)
      const file = await admin.send('GET', `/api/connections/${id}/files/${files[0]?.fileName}`)
      expect(file.text).toBe(CSV)
      expect([...seen].filter((size) => size !== CSV.length)).toEqual([])
      await until(
        () => readdir(join(dataDir, 'files/drafts')),
        (drafts) => drafts.length === 0,
        RECOVERY_TIMEOUT_MS,
      )
      const cleanAfter = secondsSince(restarted)
      figure('crashes', 'work resumes after a restart', toSeconds(resumedAfter), '≤ 90 s')
      figure('crashes', 'leftovers are gone after a restart', toSeconds(cleanAfter), '≤ 60 s')
    },
    3 * RECOVERY_TIMEOUT_MS,
  )
})

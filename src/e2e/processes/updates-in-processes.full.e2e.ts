import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { openDatabase } from '../../server/db/open'
import { NO_GUARD } from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { createRandom } from '../../server/testing/fixtures/file-fixtures'
import {
  FULL_NAME,
  readTable,
  readUpdateHistories,
  type UpdateHistory,
  writeUpdateHistories,
} from '../../server/testing/fixtures/update-histories'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import type { Connection } from '../../shared/schemas/connection'
import type { FileListing } from '../../shared/schemas/file'
import type { ReceivedFile } from '../../shared/schemas/received-file'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  type Product,
} from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'

let dataDir: string
let products: Product[]

beforeAll(async () => {
  dataDir = await makeDataDir()
  products = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()))
  await removeDataDir(dataDir)
})

/** Other histories than those that are stored. */
const SEED = 31

const start = () => startProduct(dataDir, { CALL_LIMITS: 'off' })

async function signIn(): Promise<RestClient> {
  const client = createRestClient(products[0]!.url)
  await client.signIn('admin', ADMIN_PASSWORD)
  return client
}

async function connect(admin: RestClient, username: string, { removal }: UpdateHistory) {
  const supplier = await admin.send('POST', '/api/suppliers', {
    username,
    password: 'supplier-password',
    companyName: username,
    contactEmail: `${username}@example.com`,
  })
  const created = await admin.send('POST', '/api/connections', {
    supplierId: (supplier.body as { id: number }).id,
    name: 'Stock',
    type: 'URL',
    fileFormat: 'CSV',
    syncFrequency: 60,
    config: {},
    updates: { removal, fullName: FULL_NAME },
  })
  const db = openDatabase(join(dataDir, 'app.db'))
  await db.updateTable('connections').set({ guard: NO_GUARD }).execute()
  await db.destroy()
  return (created.body as Connection).id
}

it(
  'updates that two processes take and read, of which one is killed, are merged once and in their order',
  async () => {
    let kills = 0
    let files = 0
    const count = rounds(3, 30)
    const histories =
      (await writeUpdateHistories(SEED, count)) ?? (await readUpdateHistories()).slice(0, count)
    for (const [number, history] of histories.entries()) {
      const random = createRandom(number)
      const admin = await signIn()
      const id = await connect(admin, `supplier-${number}`, history)
      for (const [index, { name, isFull, content }] of history.steps.entries()) {
        const product = products[index % 2]!
        const query = `name=${name}${isFull ? '&full=true' : ''}`
        const sent = await fetch(`${product.url}/api/connections/${id}/file?${query}`, {
          method: 'PUT',
          headers: { cookie: admin.cookie() },
          body: Buffer.from(content, 'base64'),
        })
        // 200: the same bytes as before, which need not be read.
        expect([200, 202], await sent.text()).toContain(sent.status)
        files++
        if (index % 3 !== 2) continue
        // It may have begun to read one, or be between the steps of its end.
        await new Promise((resolve) => setTimeout(resolve, random.below(400)))
        await product.stop('SIGKILL')
        products[index % 2] = await start()
        kills++
      }
      const client = await signIn()
      await until(
        async () => {
          const path = `/api/connections/${id}/received-files`
          return (await client.send('GET', path)).body as ReceivedFile[]
        },
        (received) => received.every(({ endedAt }) => endedAt !== null),
      )
      const listing = (await client.send('GET', `/api/connections/${id}/files`)).body as FileListing
      const file = await client.send(
        'GET',
        `/api/connections/${id}/files/${listing.files[0]!.fileName}`,
      )
      expect(readTable(file.text)).toEqual(history.steps.at(-1)!.published)
    }
    const measured = `${files} in 2 processes, ${kills} kills: 0 lost, 0 out of order`
    figure('crashes', 'updates that are sent', measured, '0, 0')
  },
  rounds(10 * MINUTE_MS, HOUR_MS),
)

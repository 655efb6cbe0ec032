import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { type Db, openDatabase } from '../../server/db/open'
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

interface SentHistory extends UpdateHistory {
  id: number
  number: number
}

async function connect(admin: RestClient, history: UpdateHistory, number: number) {
  const username = `supplier-${number}`
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
    updates: { removal: history.removal, fullName: FULL_NAME },
  })
  return { ...history, id: (created.body as Connection).id, number }
}

async function withDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(join(dataDir, 'app.db'))
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

/** How many syncs were cut off by a kill. */
const countCut = () =>
  withDatabase(async (db) => {
    const runs = await db.selectFrom('syncRuns').select('error').execute()
    return runs.filter(({ error }) => error?.endsWith('has died')).length
  })

/** Sends the file of a history that comes next to one of the processes. */
async function sendStep({ id, number, steps }: SentHistory, index: number, cookie: string) {
  const { name, isFull, content } = steps[index]!
  const product = products[(index + number) % 2]!
  const query = `name=${name}${isFull ? '&full=true' : ''}`
  const sent = await fetch(`${product.url}/api/connections/${id}/file?${query}`, {
    method: 'PUT',
    headers: { cookie },
    body: Buffer.from(content, 'base64'),
  })
  // 200: the same bytes as before, which need not be read.
  expect([200, 202], await sent.text()).toContain(sent.status)
}

async function expectPublished(client: RestClient, { id, steps }: SentHistory) {
  await until(
    async () => {
      const { body } = await client.send('GET', `/api/connections/${id}/received-files`)
      return body as ReceivedFile[]
    },
    (received) => received.every(({ endedAt }) => endedAt !== null),
  )
  const { body } = await client.send('GET', `/api/connections/${id}/files`)
  const { fileName } = (body as FileListing).files[0]!
  const file = await client.send('GET', `/api/connections/${id}/files/${fileName}`)
  expect(readTable(file.text)).toEqual(steps.at(-1)!.published)
}

it(
  'updates that two processes take and read, of which one is killed, are merged once and in their order',
  async () => {
    const random = createRandom(SEED)
    const count = rounds(30, 90)
    const drawn =
      (await writeUpdateHistories(SEED, count)) ?? (await readUpdateHistories()).slice(0, count)
    const admin = await signIn()
    // Side by side, because a sync that was cut off waits until the lease of its process ends.
    const histories: SentHistory[] = []
    for (const history of drawn) histories.push(await connect(admin, history, histories.length))
    await withDatabase((db) => db.updateTable('connections').set({ guard: NO_GUARD }).execute())
    let kills = 0
    let files = 0
    for (let index = 0; histories.some(({ steps }) => index < steps.length); index++) {
      for (const half of [0, 1]) {
        const next = histories.filter(
          ({ number, steps }) => number % 4 < 2 === (half === 0) && index < steps.length,
        )
        for (const history of next) await sendStep(history, index, admin.cookie())
        files += next.length
        // It may have begun to read some, or be between the steps of their ends.
        await new Promise((resolve) => setTimeout(resolve, random.below(400)))
        await products[half]!.stop('SIGKILL')
        products[half] = await start()
        kills++
      }
    }
    const client = await signIn()
    for (const history of histories) await expectPublished(client, history)
    const cut = await countCut()
    expect(cut).toBeGreaterThan(0)
    const measured = `${files} in 2 processes, ${kills} kills that cut off ${cut} syncs: 0 lost, 0 out of order`
    figure('crashes', 'updates that are sent', measured, '0, 0')
  },
  rounds(10 * MINUTE_MS, HOUR_MS),
)

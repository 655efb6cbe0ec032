import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { readConfig } from '../../server/config'
import { startSourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../server/testing/stages/test-deps'
import type {
  Destination,
  DestinationList,
  Dispatch,
  DispatchPage,
} from '../../shared/schemas/destination'
import type { NewFeedAddress } from '../../shared/schemas/feed-address'
import type { FileListing } from '../../shared/schemas/file'
import { makeDataDir, removeDataDir, startProduct, type Product } from './product'
import { until, type RestClient } from './rest-client'
import { seedDataDir, signIn } from './seeded-data-dir'

const LINE_BYTES = 64

/** A file of about `sizeBytes`, as pieces; its lines tell its versions apart. */
function* writeStock(sizeBytes: number, version: number) {
  yield 'sku,name,category,qty\r\n'
  for (let bytes = 0, row = 0; bytes < sizeBytes;) {
    let piece = ''
    while (piece.length < 64 * 1024 && bytes + piece.length < sizeBytes) {
      row += 1
      piece += `${row},"Boot, brown; size 42",Shoes > Kind ${row % 500},${version}\r\n`.padStart(
        LINE_BYTES,
        '0',
      )
    }
    bytes += piece.length
    yield piece
  }
}

export type SendingProduct = Awaited<ReturnType<typeof startSendingProduct>>

/**
 * Starts the built product with a supplier that publishes, and a retailer to whom each version may go at once.
 * @param prepare stores more before it starts
 */
export async function startSendingProduct(
  env: Record<string, string>,
  prepare: (deps: TestDeps) => Promise<void> = async () => undefined,
) {
  const source = await startSourceServer()
  source.set('/feed.csv', { body: [...writeStock(1, 0)].join('') })
  const dataDir = await makeDataDir()
  const seeded = await seedDataDir(dataDir, source.url('/feed.csv'))
  const openStored = async () => {
    const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
    deps.clock.advance(Date.now() - deps.clock.now())
    return deps
  }
  const stored = await openStored()
  await prepare(stored)
  await stored.db.updateTable('retailers').set({ syncFrequencyMinutes: 0 }).execute()
  await stored.close()
  const allEnv = {
    LOG_LEVEL: 'error',
    CALL_LIMITS: 'off',
    MAX_FILE_BYTES: `${2 * 1024 ** 3}`,
    ...env,
    FETCH_ALLOW: [source.host, env.FETCH_ALLOW].filter(Boolean).join(),
  }
  let product: Product
  let supplier: RestClient
  let retailer: RestClient
  const path = `/api/retailers/${seeded.retailer.id}`
  const connection = `/api/connections/${seeded.connectionId}`
  let versions = 0

  async function start() {
    product = await startProduct(dataDir, allEnv)
    supplier = await signIn(product, seeded.supplier.username)
    retailer = await signIn(product, seeded.retailer.username)
  }
  const newest = async () =>
    ((await supplier.send('GET', `${connection}/files`)).body as FileListing).files[0]?.fileName

  await start()
  await until(newest, Boolean)
  const stage = {
    dataDir,
    openStored,
    retailerId: seeded.retailer.id,
    product: () => product,
    retailer: () => retailer,
    start,
    /** Publishes another version of about this size; returns the name of its file. */
    async publish(sizeBytes: number): Promise<string> {
      const version = (versions += 1)
      source.set('/feed.csv', {
        handler: (_request, response) =>
          void pipeline(Readable.from(writeStock(sizeBytes, version)), response).catch(
            () => undefined,
          ),
      })
      const before = await newest()
      await supplier.send('PATCH', connection, { isActive: false })
      await supplier.send('PATCH', connection, { isActive: true })
      const isNew = (name: string | undefined) => name !== undefined && name !== before
      return (await until(newest, isNew, 600_000)) ?? ''
    },
    /** Adds a destination of the retailer; returns its id. */
    async add(destination: object): Promise<number> {
      const { status, body, text } = await retailer.send(
        'POST',
        `${path}/destinations`,
        destination,
      )
      if (status !== 201) throw new Error(`It was not added: ${text}`)
      return (body as DestinationList).destinations.at(-1)!.id
    },
    async destinations(): Promise<Destination[]> {
      const { body } = await retailer.send('GET', `${path}/destinations`)
      return (body as DestinationList).destinations
    },
    /** What was sent, or is to be, newest first. */
    async dispatches(): Promise<Dispatch[]> {
      const input = { id: seeded.retailer.id, q: '', page: 1, size: 100 }
      const query = `input=${encodeURIComponent(JSON.stringify(input))}`
      const { body } = await retailer.send('GET', `/trpc/destinations.listDispatches?${query}`)
      return (body as { result: { data: DispatchPage } }).result.data.rows
    },
    /** Waits until a version was sent to a destination. */
    async untilSent(destinationId: number, versionName: string, timeoutMs = 240_000) {
      const rows = await until(
        async () => (await stage.dispatches()).filter((row) => row.destinationId === destinationId),
        (all) => all.some((row) => row.versionName === versionName && row.status === 'sent'),
        timeoutMs,
      )
      return rows.find((row) => row.versionName === versionName)!
    },
    /** The hash of what the retailer's shop reads at its feed address. */
    async readFeed(): Promise<string> {
      const { body } = await retailer.send('POST', `${path}/feed-addresses`)
      return hashOf(`${product.url}${(body as NewFeedAddress).path}`)
    },
    async close(signal?: NodeJS.Signals) {
      await product.stop(signal)
      await source.close()
      await removeDataDir(dataDir)
    },
  }
  return stage
}

/** The hash of what is read at an address. */
export async function hashOf(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
  const hash = createHash('sha256')
  for await (const piece of response.body) hash.update(piece)
  return hash.digest('hex')
}

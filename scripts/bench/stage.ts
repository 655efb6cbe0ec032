import { ADMIN_PASSWORD, startProduct, type Product } from '../../src/e2e/product'
import { createRestClient, until, type RestClient } from '../../src/e2e/rest-client'
import type { Retailer } from '../../src/shared/schemas/retailer'
import type { SyncRun } from '../../src/shared/schemas/sync-run'
import type { User } from '../../src/shared/schemas/user'
import type { Cleanups } from './cleanups'

const PASSWORD = 'correct-horse'
const SYNC_WITHIN_MS = 600_000
const GB = 1_000_000_000

/** A supplier with a connection, signed in. */
export type Supplier = { id: number; rest: RestClient; connectionId: number }
/** A retailer, signed in. */
export type SignedInRetailer = { id: number; userId: number; rest: RestClient }

/** The built product, started as users start it. */
export type Stage = {
  product: Product
  dataDir: string
  admin: RestClient
  /** Connects the supplier's file and waits for its first sync. */
  addSupplier(username: string, url: string): Promise<Supplier>
  /** @param categories those it sees; all products without them */
  addRetailer(
    supplier: Supplier,
    username: string,
    categories?: string[],
  ): Promise<SignedInRetailer>
}

/** What differs from the defaults: size limits, limits of calls, and requests are not logged. */
const ENVIRONMENT = {
  FETCH_ALLOW: '127.0.0.1',
  MAX_FILE_BYTES: `${2 * GB}`,
  MAX_STORAGE_PER_SUPPLIER: `${3 * GB}`,
  CALL_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  METRICS_PORT: '0',
}

export async function openStage(dataDir: string, cleanups: Cleanups): Promise<Stage> {
  const product = await startProduct(dataDir, ENVIRONMENT)
  cleanups.add(() => product.stop())
  const admin = await signIn(product, 'admin', ADMIN_PASSWORD)
  return {
    product,
    dataDir,
    admin,
    async addSupplier(username, url) {
      const { id } = await create<User>(admin, '/api/suppliers', {
        username,
        password: PASSWORD,
        companyName: username,
        contactEmail: `${username}@example.com`,
      })
      const rest = await signIn(product, username, PASSWORD)
      return { id, rest, connectionId: await connect(rest, url) }
    },
    async addRetailer({ rest }, username, categories) {
      const login = { username, password: PASSWORD, role: 'RETAILER' }
      const { id: userId } = await create<User>(rest, '/api/register', login)
      const retailer = await create<Retailer>(rest, '/api/retailers', {
        userId,
        storeName: username,
        visibilitySettings: { allProducts: !categories, categories: categories ?? [] },
      })
      // Otherwise it would go on reading the file before for a day.
      await rest.send('PATCH', `/api/retailers/${retailer.id}`, { syncFrequency: 0 })
      return { id: retailer.id, userId, rest: await signIn(product, username, PASSWORD) }
    },
  }
}

async function signIn({ url }: Product, username: string, password: string): Promise<RestClient> {
  const client = createRestClient(url)
  await client.signIn(username, password)
  return client
}

async function create<T>(rest: RestClient, path: string, body: object): Promise<T> {
  const answer = await rest.send('POST', path, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`)
  return answer.body
}

/** Connects a file and waits for its first sync. @returns the connection's id */
async function connect(rest: RestClient, url: string): Promise<number> {
  const { id } = await create<{ id: number }>(rest, '/api/connections', {
    name: 'Main feed',
    type: 'URL',
    fileFormat: 'CSV',
    syncFrequency: 1_440,
    config: { url },
  })
  await awaitRun(rest, id, undefined)
  return id
}

/**
 * Syncs now, from `url` if that is given. @returns the run. @throws when it publishes nothing
 */
export async function syncOnce(supplier: Supplier, url?: string): Promise<SyncRun> {
  const run = await trySync(supplier, url)
  if (run.outcome !== 'published') throw new Error(`A sync was ${run.outcome}: ${run.reason}`)
  return run
}

/** As `syncOnce`, whatever comes of it. */
export async function trySync({ rest, connectionId }: Supplier, url?: string): Promise<SyncRun> {
  const path = `/api/connections/${connectionId}`
  const before = await readNewestRun(rest, connectionId)
  await rest.send('PATCH', path, { isActive: false, ...(url !== undefined && { config: { url } }) })
  // A connection that is resumed is due at once.
  await rest.send('PATCH', path, { isActive: true })
  return awaitRun(rest, connectionId, before?.id)
}

async function awaitRun(rest: RestClient, connectionId: number, before: number | undefined) {
  const isOver = (run: SyncRun | undefined) => run?.id !== before && Boolean(run?.finishedAt)
  const run = await until(() => readNewestRun(rest, connectionId), isOver, SYNC_WITHIN_MS)
  if (!run) throw new Error('There is no run')
  return run
}

async function readNewestRun(rest: RestClient, connectionId: number): Promise<SyncRun | undefined> {
  const { body } = await rest.send('GET', `/api/connections/${connectionId}/runs`)
  return (body as SyncRun[])[0]
}

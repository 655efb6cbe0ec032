import { ADMIN_PASSWORD } from '../../src/e2e/support/product'
import { createRestClient, until, type RestClient } from '../../src/e2e/support/rest-client'
import type { Retailer } from '../../src/shared/schemas/retailer'
import type { SyncRun } from '../../src/shared/schemas/sync-run'
import type { User } from '../../src/shared/schemas/user'

/** Of everybody but the administrator. */
export const PASSWORD = 'correct-horse'
const SYNC_WITHIN_MS = 600_000

/** A supplier with a connection, signed in. */
export type Supplier = { id: number; rest: RestClient; connectionId: number }
/** A retailer, signed in. */
export type SignedInRetailer = { id: number; userId: number; rest: RestClient }

/** The administrator of a running product, and those who are created. */
export type People = {
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

/** Signs the administrator in to the product at `url`. */
export async function openPeople(url: string): Promise<People> {
  const admin = await signIn(url, 'admin', ADMIN_PASSWORD)
  return {
    admin,
    async addSupplier(username, sourceUrl) {
      const { id } = await create<User>(admin, '/api/suppliers', {
        username,
        password: PASSWORD,
        companyName: username,
        contactEmail: `${username}@example.com`,
      })
      const rest = await signIn(url, username, PASSWORD)
      return { id, rest, connectionId: await connect(rest, sourceUrl) }
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
      await change(rest, `/api/retailers/${retailer.id}`, { syncFrequency: 0 })
      return { id: retailer.id, userId, rest: await signIn(url, username, PASSWORD) }
    },
  }
}

async function signIn(url: string, username: string, password: string): Promise<RestClient> {
  const client = createRestClient(url)
  await client.signIn(username, password)
  return client
}

/** @throws Error unless something was created */
export async function create<T>(rest: RestClient, path: string, body: object): Promise<T> {
  const answer = await rest.send('POST', path, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`)
  return answer.body
}

/** @throws Error unless it was changed */
async function change(rest: RestClient, path: string, changes: object): Promise<void> {
  const { status, text } = await rest.send('PATCH', path, changes)
  if (status !== 200) throw new Error(`PATCH ${path}: ${text}`)
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
 * Syncs now. The address stays the same: another file at another one may be held.
 * @returns the run. @throws Error when it publishes nothing
 */
export async function syncOnce(supplier: Supplier): Promise<SyncRun> {
  const run = await trySync(supplier)
  if (run.outcome !== 'published') throw new Error(`A sync was ${run.outcome}: ${run.reason}`)
  return run
}

/** Syncs now, from `url` if that is given, whatever comes of it. */
export async function trySync({ rest, connectionId }: Supplier, url?: string): Promise<SyncRun> {
  const path = `/api/connections/${connectionId}`
  const before = await readNewestRun(rest, connectionId)
  await change(rest, path, { isActive: false, ...(url !== undefined && { config: { url } }) })
  // A connection that is resumed is due at once.
  await change(rest, path, { isActive: true })
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

import { join } from 'node:path'

import type { Browser } from 'playwright-core'
import { expect } from 'vitest'

import { inTransaction, openDatabase, type WriteTransaction } from '../server/db/open'
import { startFeedServer, type FeedServer } from '../server/testing/feed-server'
import type { Connection } from '../shared/schemas/connection'
import type { Retailer } from '../shared/schemas/retailer'
import type { User } from '../shared/schemas/user'
import { launchBrowser, openTab, type Tab } from './browser'
import { ADMIN_PASSWORD, makeDataDir, removeDataDir, startProduct, type Product } from './product'
import { createRestClient, until, type RestClient } from './rest-client'

/** Everybody but the administrator has this password. */
export const PASSWORD = 'correct-horse'

/** A supplier and the way to act as it without a browser. */
export type Supplier = User & { rest: RestClient }

/** One product, one browser and one server of inventory files, for the tests of one file. */
export type Stage = {
  product: Product
  browser: Browser
  feedServer: FeedServer
  admin: RestClient
  addSupplier(username: string, details?: Partial<User>): Promise<Supplier>
  addRetailer(supplier: Supplier, username: string, details?: Partial<Retailer>): Promise<Retailer>
  /** Gives the supplier its connection and waits until its first sync has ended. */
  addConnection(supplier: Supplier, details: { name: string; url: string }): Promise<Connection>
  /** A window in which `username` (null: nobody) is signed in, at `path`. */
  openAs(username: string | null, path: string): Promise<Tab>
  /** A new window with settings of its own, in which nobody is signed in yet. */
  openWindow(path: string, options?: Parameters<typeof openTab>[2]): Promise<Tab>
  /** Writes what no screen and no call can write today, such as rows of an older product. */
  write(change: (trx: WriteTransaction) => Promise<unknown>): Promise<void>
  /** Leaves the windows of a test; none may have complained. */
  leaveTabs(): Promise<void>
  close(): Promise<void>
}

export async function startStage(environment: Record<string, string> = {}): Promise<Stage> {
  const feedServer = await startFeedServer()
  const dataDir = await makeDataDir()
  const product = await startProduct(dataDir, { FETCH_ALLOW: feedServer.host, ...environment })
  const browser = await launchBrowser()
  const admin = createRestClient(product.url)
  await admin.signIn('admin', ADMIN_PASSWORD)
  const idleTabs: Tab[] = []
  const usedTabs: Tab[] = []
  const windows: Tab[] = []
  const sessions = createSessions()
  return {
    product,
    browser,
    feedServer,
    admin,
    addSupplier: (username, details) => addSupplier(product.url, admin, username, details),
    addRetailer,
    addConnection,
    async openAs(username, path) {
      const tab =
        idleTabs.pop() ?? (await openTab(browser, product.url, { reducedMotion: 'reduce' }))
      usedTabs.push(tab)
      if (username !== null) await sessions.enter(tab, username)
      await tab.page.goto(path)
      return tab
    },
    async openWindow(path, options) {
      const window = await openTab(browser, product.url, options)
      windows.push(window)
      await window.page.goto(path)
      return window
    },
    async write(change) {
      const db = openDatabase(join(dataDir, 'app.db'))
      await inTransaction(db, change)
      await db.destroy()
    },
    async leaveTabs() {
      const tabs = usedTabs.splice(0)
      const closing = windows.splice(0)
      await Promise.all(tabs.map(sessions.leave))
      await Promise.all([...tabs.map(clearTab), ...closing.map((window) => window.close())])
      idleTabs.push(...tabs)
      for (const { expected } of tabs) expected.splice(0)
      expect([...tabs, ...closing].flatMap(({ complaints }) => complaints.splice(0))).toEqual([])
    },
    async close() {
      await browser.close()
      await product.stop()
      await feedServer.close()
      await removeDataDir(dataDir)
    },
  }
}

/** Nobody is signed in any more; the warm cache stays, which saves most of a new window's time. */
async function clearTab({ page }: Tab): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  page.removeAllListeners('request')
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/**
 * The sessions that no window uses any more, by username: a new window takes one of them, because
 * nobody may sign in as often as there are tests. No two windows ever share one.
 */
function createSessions() {
  type Jar = Awaited<ReturnType<ReturnType<Tab['page']['context']>['cookies']>>
  const free = new Map<string, Jar[]>()
  const users = new Map<Tab, string>()
  return {
    async enter(tab: Tab, username: string) {
      users.set(tab, username)
      const context = tab.page.context()
      const jar = free.get(username)?.pop()
      if (jar) await context.addCookies(jar)
      // A connection that was idle for long may be closed just when it is used again.
      const answer = jar && (await context.request.get('/api/user', { maxRetries: 1 }))
      const isAlive = answer?.ok() && ((await answer.json()) as User).username === username
      if (!isAlive) await signIn(tab, username)
    },
    async leave(tab: Tab) {
      const username = users.get(tab)
      if (username === undefined) return
      users.delete(tab)
      const jars = free.get(username) ?? []
      free.set(username, [...jars, await tab.page.context().cookies()])
    },
  }
}

/** The window's cookie jar gets the session; the sign-in page has tests of its own. */
export async function signIn({ page }: Tab, username: string): Promise<void> {
  const password = username === 'admin' ? ADMIN_PASSWORD : PASSWORD
  const answer = await page.context().request.post('/api/login', { data: { username, password } })
  expect(answer.status(), `${username} signs in`).toBe(200)
}

async function create<T>(rest: RestClient, path: string, body: object): Promise<T> {
  const answer = await rest.send('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function addSupplier(
  url: string,
  admin: RestClient,
  username: string,
  details: Partial<User> = {},
): Promise<Supplier> {
  const user = await create<User>(admin, '/api/suppliers', {
    username,
    password: PASSWORD,
    companyName: `${username} company`,
    contactEmail: `${username}@example.com`,
    ...details,
  })
  const rest = createRestClient(url)
  await rest.signIn(username, PASSWORD)
  return { ...user, rest }
}

async function addRetailer(
  supplier: Supplier,
  username: string,
  details: Partial<Retailer> = {},
): Promise<Retailer> {
  const user = await create<User>(supplier.rest, '/api/register', {
    username,
    password: PASSWORD,
    role: 'RETAILER',
  })
  return create(supplier.rest, '/api/retailers', {
    userId: user.id,
    storeName: `${username} store`,
    ...details,
  })
}

async function addConnection(
  supplier: Supplier,
  { name, url }: { name: string; url: string },
): Promise<Connection> {
  const { id } = await create<Connection>(supplier.rest, '/api/connections', {
    name,
    type: 'URL',
    fileFormat: 'CSV',
    syncFrequency: 240,
    config: { url },
  })
  return until(
    () => readConnection(supplier, id),
    ({ lastAttemptAt }) => lastAttemptAt !== null,
  )
}

export async function readConnection({ rest }: Supplier, id?: number): Promise<Connection> {
  const connections = (await rest.send('GET', '/api/connections')).body as Connection[]
  const connection = connections.find((candidate) => id === undefined || candidate.id === id)
  if (!connection) throw new Error('There is no connection')
  return connection
}

export async function listRetailers({ rest }: Supplier): Promise<Retailer[]> {
  return (await rest.send('GET', '/api/retailers')).body
}

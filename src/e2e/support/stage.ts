import { join } from 'node:path'

import { expect } from 'vitest'

import { inTransaction, openDatabase, type WriteTransaction } from '../../server/db/open'
import { startSourceServer } from '../../server/testing/servers/source-server'
import type { Connection } from '../../shared/schemas/connection'
import type { CreateRetailerInput, Retailer } from '../../shared/schemas/retailer'
import type { User } from '../../shared/schemas/user'
import { launchBrowser, openTab, type Tab } from './browser'
import { ADMIN_PASSWORD, makeDataDir, removeDataDir, startProduct } from './product'
import { createRestClient, until, type RestClient } from './rest-client'
import { seeApplication } from './screen'

/** The password of every user except the administrator. */
export const PASSWORD = 'correct-horse'

/** Retries once, because an idle keep-alive connection may be closed just as it is reused. */
const REUSING = { maxRetries: 1 }

/** A supplier, with a REST client that is signed in as it. */
export type Supplier = User & { rest: RestClient }

export type Stage = Awaited<ReturnType<typeof startStage>>

/** Starts a product, a browser and a source server, shared by the tests of one file. */
export async function startStage(environment: Record<string, string> = {}) {
  const sourceServer = await startSourceServer()
  const dataDir = await makeDataDir()
  const product = await startProduct(dataDir, { FETCH_ALLOW: sourceServer.host, ...environment })
  const browser = await launchBrowser()
  const admin = createRestClient(product.url)
  await admin.signIn('admin', ADMIN_PASSWORD)
  const idleTabs: Tab[] = []
  const usedTabs: Tab[] = []
  const windows: Tab[] = []
  const sessions = createSessions()
  return {
    product,
    /** For further processes on the same data. */
    dataDir,
    browser,
    sourceServer,
    admin,
    addSupplier: (username: string, details?: Partial<User>) =>
      addSupplier(product.url, admin, username, details),
    addRetailer,
    addConnection,
    /** Opens `path` in a window where `username` is signed in (null: nobody). */
    async openAs(username: string | null, path: string) {
      const tab =
        idleTabs.pop() ?? (await openTab(browser, product.url, { reducedMotion: 'reduce' }))
      usedTabs.push(tab)
      if (username !== null) await sessions.enter(tab, username)
      await tab.page.goto(path)
      await seeApplication(tab.page)
      return tab
    },
    /** Opens a new window with its own options, signed out. */
    async openWindow(path: string, options?: Parameters<typeof openTab>[2]) {
      const window = await openTab(browser, product.url, options)
      windows.push(window)
      await window.page.goto(path)
      if (options?.javaScriptEnabled !== false) await seeApplication(window.page)
      return window
    },
    /** Writes to the database what no call can write, such as rows of older versions. */
    async write(change: (trx: WriteTransaction) => Promise<unknown>) {
      const db = openDatabase(join(dataDir, 'app.db'))
      await inTransaction(db, change)
      await db.destroy()
    },
    /** Resets the windows of a test, and fails if any of them has complaints. */
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
      await sourceServer.close()
      await removeDataDir(dataDir)
    },
  }
}

/**
 * Signs the window out and resets its size. Its HTTP cache stays, and so does its renderer process,
 * because the page that it is left on belongs to the product: both make reuse faster than a new window.
 */
async function clearTab({ page }: Tab): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  page.removeAllListeners('request')
  // Fails when the test has stopped the product.
  await page.goto('/healthz').catch(() => undefined)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.context().clearCookies()
}

/**
 * A pool of sessions by username. Windows reuse sessions of earlier tests, because sign-ins are
 * rate limited; no two windows share a session at a time.
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
      const answer = jar && (await context.request.get('/api/user', REUSING))
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

/** Signs the window in by an API call, without the sign-in page. */
export async function signIn({ page }: Tab, username: string): Promise<void> {
  const password = username === 'admin' ? ADMIN_PASSWORD : PASSWORD
  const data = { username, password }
  const answer = await page.context().request.post('/api/login', { data, ...REUSING })
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
  details: Partial<CreateRetailerInput> = {},
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

/** Creates the supplier's connection and waits until its first sync has ended. */
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
  return untilSynced(supplier, id)
}

/** Waits until the first sync of a connection has ended. */
export const untilSynced = (supplier: Supplier, id?: number): Promise<Connection> =>
  until(
    () => readConnection(supplier, id),
    ({ lastAttemptAt }) => lastAttemptAt !== null,
  )

export async function readConnection({ rest }: Supplier, id?: number): Promise<Connection> {
  const connections = (await rest.send('GET', '/api/connections')).body as Connection[]
  const connection = connections.find((candidate) => id === undefined || candidate.id === id)
  if (!connection) throw new Error('There is no connection')
  return connection
}

export async function listRetailers({ rest }: Supplier): Promise<Retailer[]> {
  return (await rest.send('GET', '/api/retailers')).body
}

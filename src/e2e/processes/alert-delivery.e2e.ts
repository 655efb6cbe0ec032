import { afterAll, beforeAll, expect, it } from 'vitest'

import { startFeedServer, type FeedServer } from '../../server/testing/feed-server'
import { startHookServer, type HookServer } from '../../server/testing/hook-server'
import { startMailServer, type MailServer } from '../../server/testing/mail-server'
import type { Connection } from '../../shared/schemas/connection'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../product'
import { createRestClient, until, type RestClient } from '../rest-client'

/** Generous, because a lease has to expire, and a loaded machine is slow. */
const TIMEOUT_MS = 5 * 60_000

let feedServer: FeedServer
let hooks: HookServer
let mails: MailServer
let dataDir: string
let web: Product
let worker: Product
let supplier: RestClient
let connection: Connection

const rows = (count: number) =>
  `sku,qty\r\n${Array.from({ length: count }, (_, row) => `${row},5\r\n`).join('')}`

beforeAll(async () => {
  feedServer = await startFeedServer()
  hooks = await startHookServer()
  mails = await startMailServer()
  dataDir = await makeDataDir()
  web = await startProduct(dataDir, { ...environment(), WORKER: 'off' })
  worker = await startWorker(dataDir, environment())
  supplier = createRestClient(web.url)
  await signInSupplier()
  await publishFirst()
  await confirmAddress()
}, TIMEOUT_MS)
afterAll(async () => {
  await worker.stop()
  await web.stop()
  await Promise.all([feedServer.close(), hooks.close(), mails.close()])
  await removeDataDir(dataDir)
})

const environment = () => ({
  FETCH_ALLOW: `${feedServer.host},${hooks.host}`,
  SMTP_URL: mails.url,
  MAIL_FROM: 'Stock <stock@example.com>',
})

async function signInSupplier() {
  const admin = createRestClient(web.url)
  await admin.signIn('admin', ADMIN_PASSWORD)
  const account = { username: 'acme', password: 'acme-password' }
  const details = { companyName: 'Acme', contactEmail: 'acme@example.com' }
  await admin.send('POST', '/api/suppliers', { ...account, ...details })
  await supplier.signIn(account.username, account.password)
}

async function publishFirst() {
  feedServer.set('/feed.csv', { body: rows(40) })
  const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
  const config = { url: feedServer.url('/feed.csv') }
  connection = (await supplier.send('POST', '/api/connections', { ...settings, config })).body
  await untilConnection(({ lastSync }) => lastSync !== null)
}

const untilConnection = (isDone: (connection: Connection) => boolean) =>
  until(
    async () => ((await supplier.send('GET', '/api/connections')).body as Connection[])[0]!,
    isDone,
  )

const call = async (procedure: string, input: unknown) => {
  const { status, text } = await supplier.send('POST', `/trpc/${procedure}`, input)
  expect(status, text).toBe(200)
}

async function confirmAddress() {
  await call('alerts.setAddress', { address: 'acme@example.com' })
  const source = (mails.received[0]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  await call('alerts.confirmAddress', { token: /#confirm=([\w-]+)/.exec(source)?.[1] })
  mails.received.length = 0
  const kinds = ['feed.held', 'feed.recovered']
  await call('webhooks.create', { url: hooks.url, kinds, isActive: true })
}

async function receive(body: string) {
  feedServer.set('/feed.csv', { body })
  await supplier.send('POST', `/api/connections/${connection.id}/sync`)
}

const idOf = ({ headers }: HookServer['received'][number]) => headers['webhook-id']
const subjects = () => mails.received.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1])

it(
  'a worker that is killed between a change and its delivery loses nothing that was to be told',
  async () => {
    hooks.hold(true)
    mails.refuse('Try later')
    await receive(rows(10))
    await until(
      async () => hooks.received.length,
      (count) => count > 0,
    )
    await worker.stop('SIGKILL')
    expect(mails.received).toEqual([])
    hooks.hold(false)
    mails.refuse(undefined)
    worker = await startWorker(dataDir, environment())
    await until(
      async () => [hooks.received.length, mails.received.length] as const,
      ([requests, sent]) => requests > 1 && sent > 0,
    )
    expect(new Set(hooks.received.map(idOf)).size).toBe(1)
    await receive(rows(41))
    await until(
      async () => [new Set(hooks.received.map(idOf)).size, mails.received.length] as const,
      ([events, sent]) => events > 1 && sent > 1,
    )
    const told = hooks.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    expect([...new Set(told)]).toEqual(['feed.held', 'feed.recovered'])
    expect(subjects()).toEqual([
      'Stockbridge: Feed: the new file is held',
      'Stockbridge: Feed: recovered',
    ])
  },
  TIMEOUT_MS,
)

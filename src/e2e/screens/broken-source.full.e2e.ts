import { createHmac } from 'node:crypto'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { startHookServer, type HookServer } from '../../server/testing/servers/hook-server'
import { startMailServer, type MailServer } from '../../server/testing/servers/mail-server'
import type { Connection } from '../../shared/schemas/connection'
import { call, confirmAddress, listSubjects } from '../support/mail-address'
import { readNow, type Page } from '../support/page'
import { startWorker, type Product } from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { PASSWORD, readConnection, startStage, type Stage, type Supplier } from '../support/stage'

const HEADER = 'sku,name,category,quantity'
const PAGE =
  '<!doctype html><html><head><title>Maintenance</title></head><body>Back soon</body></html>'

/** A catalogue of `rows` items. */
function catalogue(rows: number, quantityOf = (row: number) => row + 1): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `A-${row},Boot ${row},Shoes,${quantityOf(row)}\r\n`,
  )
  return `${HEADER}\r\n${lines.join('')}`
}

const GOOD = catalogue(40)
const NEXT = catalogue(42)
const LOST_COLUMN = GOOD.replaceAll(',Shoes', '').replace(',category', '')

/** How the timeline begins the line of a sync that read a file. */
const OUTCOME = /^(?:Published|Held|Failed)/

const EMPTY = { body: '', outcome: 'Failed', reason: /empty/i }
const HALF = { body: catalogue(19), outcome: 'Held', reason: /19 rows; the published file has 40/ }
const WITHOUT_COLUMN = { body: LOST_COLUMN, outcome: 'Held', reason: /column “category” is gone/ }
const SOLD_OUT = { body: catalogue(40, () => 0), outcome: 'Held', reason: /40 are newly at 0/ }
const WEB_PAGE = { body: PAGE, outcome: 'Failed', reason: /web page/ }
type Fault = typeof EMPTY

let mails: MailServer
let hooks: HookServer
let stage: Stage
let worker: Product
let supplier: Supplier
let retailer: RestClient
let connection: Connection
/** Where the retailer's shop reads, and where it downloads the file by hand. */
let feedPath: string
let latestPath: string
let webhookSecret: string

beforeAll(async () => {
  mails = await startMailServer()
  hooks = await startHookServer()
  stage = await startStage({ ...alerting(), WORKER: 'off' })
  worker = await startOwnWorker()
  stage.sourceServer.set('/inventory.csv', { body: GOOD })
  supplier = await stage.addSupplier('northbeck')
  const url = stage.sourceServer.url('/inventory.csv')
  connection = await stage.addConnection(supplier, { name: 'Main feed', url })
  const { id } = await stage.addRetailer(supplier, 'shop')
  // Gets each file as soon as it is published.
  await supplier.rest.send('PATCH', `/api/retailers/${id}`, { syncFrequency: 0 })
  retailer = createRestClient(stage.product.url)
  await retailer.signIn('shop', PASSWORD)
  latestPath = `/api/retailers/${id}/latest-file`
  feedPath = ((await call(retailer, 'feedAddresses.create', { id })) as { path: string }).path
  await confirmAddress(supplier.rest, mails, 'northbeck@example.com')
  const kinds = ['feed.failed', 'feed.held', 'feed.recovered']
  const webhook = await call(supplier.rest, 'webhooks.create', {
    url: hooks.url,
    kinds,
    isActive: true,
  })
  webhookSecret = (webhook as { secret: string }).secret
})
afterAll(async () => {
  await worker.stop()
  await stage.close()
  await Promise.all([mails.close(), hooks.close()])
})

/** The receivers; the feed server is on the same address. */
const alerting = () => ({
  FETCH_ALLOW: '127.0.0.1',
  SMTP_URL: mails.url,
  MAIL_FROM: 'Stock <stock@example.com>',
})
const startOwnWorker = () => startWorker(stage.dataDir, alerting())

/** Lets the source send this at the next sync, which is due now, and waits for its end. */
async function sync(body: string) {
  stage.sourceServer.set('/inventory.csv', { body })
  const { lastAttemptAt } = await readConnection(supplier)
  await stage.write((trx) =>
    trx.updateTable('connections').set({ nextSyncAt: Date.now() }).execute(),
  )
  await until(
    () => readConnection(supplier),
    (now) => now.lastAttemptAt !== lastAttemptAt && !['queued', 'running'].includes(now.status),
  )
}

/** What the retailer gets, from its feed address and as a download. */
async function expectFile(body: string) {
  expect((await retailer.send('GET', feedPath)).text).toBe(body)
  const { downloadUrl } = (await retailer.send('GET', latestPath)).body as { downloadUrl: string }
  expect((await retailer.send('GET', downloadUrl)).text).toBe(body)
}

async function receive(page: Page, { body, reason }: Fault) {
  await sync(body)
  const newest = page.getByRole('table', { name: 'Run history' }).getByRole('row').nth(1)
  await newest.getByText(reason).waitFor()
  await expectFile(GOOD)
}

/** A webhook and a mail are under way, of which neither has been taken, when the worker is killed. */
async function killBeforeSending(page: Page) {
  hooks.hold(true)
  mails.refuse('Try later')
  for (let failure = 0; failure < 3; failure++) await receive(page, EMPTY)
  await until(
    async () => hooks.received.length,
    (count) => count === 1,
  )
  await worker.stop('SIGKILL')
  expect(alertMails()).toEqual([])
  hooks.hold(false)
  mails.refuse(undefined)
  worker = await startOwnWorker()
}

async function restartWorker() {
  expect(await worker.stop()).toBe(0)
  worker = await startOwnWorker()
}

/** Without that of the new sign-in, which is sent at once. */
const alertMails = () => mails.received.filter(({ source }) => !source.includes('New sign-in with'))

const listEventIds = () => [...new Set(hooks.received.map(({ headers }) => headers['webhook-id']))]

function expectSigned({ headers, body }: HookServer['received'][number]) {
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
}

it('keeps a shop on the last good file while its source breaks in every way, and tells its supplier of each problem once', async () => {
  await expectFile(GOOD)
  const { page } = await stage.openAs('northbeck', '/supplier/connections')
  await killBeforeSending(page)
  await receive(page, HALF)
  await receive(page, WITHOUT_COLUMN)
  await restartWorker()
  await receive(page, SOLD_OUT)
  await receive(page, WEB_PAGE)
  await sync(NEXT)
  await page.getByLabel('Health of Main feed').getByText('Synced', { exact: true }).waitFor()
  await expectFile(NEXT)

  await until(
    async () => [listEventIds().length, alertMails().length],
    (counts) => counts.every((count) => count >= 3),
  )
  const types = hooks.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  expect([...new Set(types)]).toEqual(['feed.failed', 'feed.held', 'feed.recovered'])
  expect(listEventIds()).toHaveLength(3)
  for (const request of hooks.received) expectSigned(request)
  // In any order: the refused one was sent again later.
  expect(alertMails()).toHaveLength(3)
  expect(new Set(listSubjects({ received: alertMails() }))).toEqual(
    new Set([
      'Stockbridge: Main feed: the source fails',
      'Stockbridge: Main feed: the new file is held',
      'Stockbridge: Main feed: recovered',
    ]),
  )

  await page.goto(`/supplier/connections/${connection.id}/history`)
  const syncs = page
    .getByRole('list', { name: 'Timeline' })
    .getByRole('listitem')
    .filter({ hasText: OUTCOME })
  const story = [EMPTY, EMPTY, EMPTY, HALF, WITHOUT_COLUMN, SOLD_OUT, WEB_PAGE].toReversed()
  const told = ['Published', ...story.map(({ outcome }) => outcome), 'Published']
  await expect
    .poll(async () => (await readNow(syncs.allInnerTexts())).map((text) => OUTCOME.exec(text)?.[0]))
    .toEqual(told)
  for (const [index, { reason }] of story.entries()) {
    await syncs
      .nth(index + 1)
      .getByText(reason)
      .waitFor()
  }
})

import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { openDatabase } from '../../server/db/open'
import { startMailServer, type MailServer } from '../../server/testing/servers/mail-server'
import { confirmAddress, listSubjects } from '../support/mail-address'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { createRestClient, until } from '../support/rest-client'

/** Generous for a loaded machine. */
const TIMEOUT_MS = 3 * 60_000

let mails: MailServer
let dataDir: string
/** Two web processes, which are to tell once. */
let webs: Product[]
let worker: Product

beforeAll(async () => {
  mails = await startMailServer()
  dataDir = await makeDataDir()
  webs = []
  // Before the web processes, which would miss it if it took long to start.
  worker = await startWorker(dataDir, environment())
  webs.push(await startProduct(dataDir, environment()))
  webs.push(await startProduct(dataDir, environment()))
}, TIMEOUT_MS)
afterAll(async () => {
  await Promise.all(webs.map((process) => process.stop()))
  // After a failure it may be frozen still.
  await worker.stop('SIGKILL')
  await mails.close()
  await removeDataDir(dataDir)
})

const environment = () => ({
  WORKER: 'off',
  // Longer than a loaded machine may hold up a process that works.
  STALLED_AFTER_SECONDS: '15',
  SMTP_URL: mails.url,
  MAIL_FROM: 'Stock <stock@example.com>',
})

const ask = async (path: string) => (await fetch(`${webs[0]!.url}${path}`)).status
const untilScheduler = (status: number) =>
  until(
    () => ask('/healthz/scheduler'),
    (answer) => answer === status,
  )

/** Just after a tick the worker writes nothing, so that it does not freeze with the write lock. */
async function untilNextTick() {
  const db = openDatabase(join(dataDir, 'app.db'))
  const read = async () => (await db.selectFrom('schedulerTicks').selectAll().execute())[0]
  const before = await read()
  await until(read, (tick) => tick?.lastTickAt !== before?.lastTickAt)
  await db.destroy()
}

const untilMails = (count: number) =>
  until(
    async () => listSubjects(mails),
    (subjects) => subjects.length >= count,
  )

it(
  'a worker that freezes and is then killed and replaced is told once by mail, and its recovery once',
  async () => {
    const admin = createRestClient(webs[0]!.url)
    await admin.signIn('admin', ADMIN_PASSWORD)
    await confirmAddress(admin, mails, 'admin@example.com')
    await untilScheduler(200)
    await untilNextTick()
    worker.signal('SIGSTOP')
    await untilMails(1)
    expect(await ask('/healthz/scheduler')).toBe(503)
    expect(await ask('/readyz')).toBe(200)
    await worker.stop('SIGKILL')
    worker = await startWorker(dataDir, environment())
    await untilScheduler(200)
    await untilMails(2)
    // Read once: what follows would have been sent with it.
    expect(listSubjects(mails)).toEqual([
      'Stockbridge: Background work has stopped',
      'Stockbridge: Background work runs again',
    ])
  },
  TIMEOUT_MS,
)

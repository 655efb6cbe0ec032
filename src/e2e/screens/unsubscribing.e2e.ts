import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { startMailServer, type MailServer } from '../../server/testing/servers/mail-server'
import type { AlertChoices } from '../../shared/schemas/alert'
import { call, confirmAddress } from '../support/mail-address'
import { until } from '../support/rest-client'
import { startStage, type Stage, type Supplier } from '../support/stage'

let mails: MailServer
let stage: Stage
let supplier: Supplier

beforeAll(async () => {
  mails = await startMailServer()
  stage = await startStage({ SMTP_URL: mails.url, MAIL_FROM: 'Stock <stock@example.com>' })
  stage.sourceServer.set('/inventory.csv', { body: 'sku,name\r\n1,Boot\r\n' })
  supplier = await stage.addSupplier('northbeck')
  await confirmAddress(supplier.rest, mails, 'northbeck@example.com')
  const choice = { kind: 'feed.published', way: 'mail', isWanted: true }
  await call(supplier.rest, 'alerts.choose', choice)
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await mails.close()
})

async function listMailed() {
  const { status, text } = await supplier.rest.send('GET', '/trpc/alerts.choices')
  expect(status, text).toBe(200)
  const { choices } = (JSON.parse(text) as { result: { data: AlertChoices } }).result.data
  return choices.filter(({ isWanted }) => isWanted.mail)
}

it('the link of a mail opens a page whose button ends the alerts by e-mail, signed out', async () => {
  const url = stage.sourceServer.url('/inventory.csv')
  await stage.addConnection(supplier, { name: 'Main feed', url })
  const mail = await until(
    async () => mails.received[0],
    (received) => received !== undefined,
  )
  const path =
    /^List-Unsubscribe:\s+<http:\/\/[^/]+(\/\S+)>\r$/m.exec(mail?.source ?? '')?.[1] ?? ''
  const { page } = await stage.openAs(null, path)
  await expect.poll(() => page.getByRole('heading').textContent()).toBe('No more alerts by e-mail?')
  expect(await listMailed()).not.toEqual([])
  await page.getByRole('button', { name: 'Stop the e-mails' }).click()
  await expect
    .poll(() => page.getByRole('heading').textContent())
    .toBe('You get no more alerts by e-mail')
  expect(await listMailed()).toEqual([])
})

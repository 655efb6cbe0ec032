import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startDemoIssuer, type DemoIssuer } from '../../../scripts/demo-issuer'
import { startMailServer, type MailServer } from '../../server/testing/servers/mail-server'
import type { AlertChoices } from '../../shared/schemas/alert'
import { invitePerson, inviteRetailer } from '../support/invite'
import { receiveLink } from '../support/mail-link'
import { readNow, type Page } from '../support/page'
import { createRestClient, until } from '../support/rest-client'
import { seeHeading, seePath, seeSuccess } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

const CSV = 'sku,name,quantity\r\n1,Boot,4\r\n2,Cap,0\r\n'

let mails: MailServer
let issuer: DemoIssuer
let stage: Stage
let supplier: Supplier

beforeAll(async () => {
  mails = await startMailServer()
  issuer = await startDemoIssuer([
    { subject: 'nora', name: 'Nora Beck', email: 'nora.beck@lakeside.example' },
  ])
  stage = await startStage({
    SMTP_URL: mails.url,
    MAIL_FROM: 'Stock <stock@example.com>',
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_CLIENT_SECRET: issuer.clientSecret,
    OIDC_ALLOW_LOOPBACK: 'true',
  })
  stage.sourceServer.set('/inventory.csv', { body: CSV })
  supplier = await stage.addSupplier('northbeck', { companyName: 'Northbeck' })
  const url = stage.sourceServer.url('/inventory.csv')
  await stage.addConnection(supplier, { name: 'Main feed', url })
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await issuer.close()
  await mails.close()
})

const panel = (page: Page) => page.getByRole('region', { name: 'Invitations', exact: true })

async function invite(page: Page, storeName: string, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a retailer' })
  await dialog.getByRole('textbox', { name: 'Store Name' }).fill(storeName)
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await seeSuccess(page, `Invitation sent to ${email}`)
  await expect.poll(() => panel(page).textContent()).toContain(email)
}

describe('an invited retailer', () => {
  it('gets from the mail to its first download, and is asked for nothing twice', async () => {
    const ofSupplier = await stage.openAs('northbeck', '/supplier/retailers')
    await invite(ofSupplier.page, 'Harbour Cycles', 'orders@harbour.example')

    const link = await receiveLink(mails, '/invitation')
    // As a scanner of mails does, which may run scripts.
    const { page: scanner } = await stage.openWindow(link)
    await seeHeading(scanner, 'Northbeck invites you')
    const { page } = await stage.openWindow(link)
    await seeHeading(page, 'Northbeck invites you')
    const fields = page.getByRole('form', { name: 'Your account' }).getByRole('textbox')
    await expect.poll(() => fields.count()).toBe(2)
    await page.getByRole('textbox', { name: 'Username' }).fill('harbour')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await seePath(page, '/retailer')
    await expect.poll(() => page.getByRole('main').textContent()).toContain('Harbour Cycles')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download', exact: false }).first().click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe(CSV)

    // Its supplier sees it without doing anything, and the address is known to be its own.
    await expect
      .poll(() => ofSupplier.page.getByRole('table', { name: 'Retailers' }).textContent())
      .toContain('Harbour Cycles')
    await expect.poll(() => panel(ofSupplier.page).count()).toBe(0)
    await ofSupplier.page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect
      .poll(() => ofSupplier.page.getByRole('table', { name: 'Earlier invitations' }).textContent())
      .toContain('Accepted by harbour')
    const rest = createRestClient(stage.product.url)
    await rest.signIn('harbour', PASSWORD)
    const { text } = await rest.send('GET', '/trpc/alerts.choices')
    expect((JSON.parse(text) as { result: { data: AlertChoices } }).result.data).toMatchObject({
      mail: { address: 'orders@harbour.example', pendingAddress: null },
    })
  })

  it('confirms an address that it has typed by the link that is mailed to it', async () => {
    const { page } = await stage.openWindow(await inviteRetailer(supplier, 'Valley Bikes'))
    await page.getByRole('textbox', { name: 'Username' }).fill('valley')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('textbox', { name: 'Email' }).fill('orders@valley.example')
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await seePath(page, '/retailer')

    const link = await receiveLink(mails, '/alerts', 'confirm')
    const confirmed = await page.context().newPage()
    await confirmed.goto(stage.product.url + link)
    await seePath(confirmed, '/alerts')
    await expect
      .poll(() => confirmed.getByRole('main').textContent())
      .toContain('orders@valley.example')
    expect(new URL(confirmed.url()).hash).toBe('')
    const rest = createRestClient(stage.product.url)
    await rest.signIn('valley', PASSWORD)
    const { text } = await rest.send('GET', '/trpc/alerts.choices')
    expect((JSON.parse(text) as { result: { data: AlertChoices } }).result.data).toMatchObject({
      mail: { address: 'orders@valley.example', pendingAddress: null },
    })
  })

  it('can sign in with Google instead, which is linked to its account', async () => {
    const { page } = await stage.openWindow(await inviteRetailer(supplier, 'Lakeside'))
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in with Google' }).click(),
    ])
    await popup.getByRole('button', { name: 'Nora Beck' }).click()
    await seePath(page, '/retailer')
    await expect.poll(() => page.getByRole('main').textContent()).toContain('Lakeside')
  })

  it('sees who to ask when the link was used, and that it is not complete', async () => {
    const link = await inviteRetailer(supplier, 'Once')
    const token = link.split('=')[1]
    const account = { username: 'once', password: PASSWORD, contactEmail: 'me@once.example' }
    const rest = createRestClient(stage.product.url)
    await rest.send('POST', '/trpc/invitations.accept', { token, ...account })
    const tab = await stage.openAs(null, link)
    tab.expected.push(/status of 404/)
    await expect
      .poll(() => tab.page.getByRole('main').textContent())
      .toContain('Ask whoever invited you for a new one.')
    await tab.page.goto('about:blank')
    await tab.page.goto('/invitation')
    await expect
      .poll(() => tab.page.getByRole('main').textContent())
      .toContain('The address is not complete.')
  })
})

describe('a supplier', () => {
  it('sends an invitation again, copies its link and withdraws it', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/retailers')
    await invite(page, 'Cragside', 'me@cragside.example')
    const first = await receiveLink(mails, '/invitation')
    await page.getByRole('button', { name: 'Send again the invitation of Cragside' }).click()
    expect(await receiveLink(mails, '/invitation')).not.toBe(first)

    await page.getByRole('button', { name: 'Copy the link of Cragside' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link of the invitation' })
    await expect.poll(() => dialog.textContent()).toContain('/invitation#token=')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => panel(page).textContent()).toContain('Link passed on by hand')

    await page.getByRole('button', { name: 'Withdraw the invitation of Cragside' }).click()
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await seeSuccess(page, 'Invitation withdrawn')
    await expect.poll(() => panel(page).count()).toBe(0)
  })

  it('gets the link when the mail cannot be sent', async () => {
    mails.refuse('No such mailbox')
    const { page } = await stage.openAs('northbeck', '/supplier/retailers')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a retailer' })
    await dialog.getByRole('textbox', { name: 'Store Name' }).fill('Unreachable')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('nobody@unreachable.example')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect.poll(() => dialog.textContent()).toContain('The mail could not be sent')
    await expect.poll(() => dialog.textContent()).toContain('/invitation#token=')
    mails.refuse(undefined)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => panel(page).textContent()).toContain('Mail not sent')
  })
})

it('somebody who is invited to the people of a supplier signs in for it, and is asked for no address', async () => {
  const path = await invitePerson(supplier, { name: 'Ada Beck', role: 'VIEWER' })
  const { page } = await stage.openWindow(path)
  await seeHeading(page, 'Northbeck invites you')
  await page.getByText('Ada Beck, choose how you sign in for Northbeck, as viewer.').waitFor()
  await page.getByRole('textbox', { name: 'Username' }).fill('ada')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await seePath(page, '/supplier')
  await expect.poll(() => page.getByRole('banner').textContent()).toContain('ada')
})

it('an administrator invites a supplier by a link, who lands on its dashboard', async () => {
  const { page } = await stage.openAs('admin', '/')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a supplier' })
  await dialog.getByRole('textbox', { name: 'Company Name' }).fill('Southbeck')
  await dialog.getByText('Copy a link').click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const text = await until(
    () => readNow(dialog.textContent()),
    (shown) => shown?.includes('#token=') === true,
  )
  const [link = ''] = /\/invitation#token=[\w-]{43}/.exec(text ?? '') ?? []
  await dialog.getByRole('button', { name: 'Done' }).click()

  const { page: invited } = await stage.openWindow(link)
  await seeHeading(invited, 'You are invited')
  await invited.getByRole('textbox', { name: 'Username' }).fill('southbeck')
  await invited.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await invited.getByRole('textbox', { name: 'Contact Email' }).fill('me@southbeck.example')
  await invited.getByRole('button', { name: 'Accept invitation' }).click()
  await seePath(invited, '/supplier')
  await expect
    .poll(() => page.getByRole('table', { name: 'Suppliers' }).textContent())
    .toContain('Southbeck')
})

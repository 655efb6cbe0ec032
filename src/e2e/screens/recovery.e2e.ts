import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startMailServer, type MailServer } from '../../server/testing/servers/mail-server'
import { confirmAddress } from '../support/mail-address'
import { receiveLink } from '../support/mail-link'
import { createRestClient } from '../support/rest-client'
import { seeHeading, seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

const NEW = 'a new password'
const ADDRESS = 'me@northbeck.example'

let mails: MailServer
let stage: Stage
let supplier: Supplier

beforeAll(async () => {
  mails = await startMailServer()
  stage = await startStage({ SMTP_URL: mails.url, MAIL_FROM: 'Stock <stock@example.com>' })
  supplier = await stage.addSupplier('northbeck', { companyName: 'Northbeck' })
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await mails.close()
})

describe('who has forgotten a password', () => {
  it('confirms an address once, and later gets in again by a link that works once', async () => {
    await confirmAddress(supplier.rest, mails, ADDRESS)

    const { page } = await stage.openWindow('/auth')
    await page.getByRole('link', { name: 'Get a link by e-mail' }).click()
    await seeHeading(page, 'Forgotten password')
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill('northbeck')
    await page.getByRole('button', { name: 'Send a link' }).click()
    await expect.poll(() => page.getByRole('status').first().textContent()).toContain('mailbox')

    const link = await receiveLink(mails, '/new-password')
    // As a scanner of mails does, which may run scripts.
    const { page: scanner } = await stage.openWindow(link)
    await seeHeading(scanner, 'New password')
    const { page: opened } = await stage.openWindow(link)
    await opened.getByRole('textbox', { name: 'New password' }).fill(NEW)
    await opened.getByRole('textbox', { name: 'Confirm password' }).fill('another one')
    await opened.getByRole('button', { name: 'Change password' }).click()
    await expect
      .poll(() => opened.getByRole('form').textContent())
      .toContain("Passwords don't match")
    await opened.getByRole('textbox', { name: 'Confirm password' }).fill(NEW)
    await opened.getByRole('button', { name: 'Change password' }).click()
    await expect
      .poll(() => opened.getByRole('main').textContent())
      .toContain('Your password is changed')
    await opened.getByRole('link', { name: 'Login' }).click()
    await seePath(opened, '/auth')

    // Whoever has opened the link before cannot use it any more.
    await scanner.getByRole('textbox', { name: 'New password' }).fill('stolen password')
    await scanner.getByRole('textbox', { name: 'Confirm password' }).fill('stolen password')
    await scanner.getByRole('button', { name: 'Change password' }).click()
    await expect
      .poll(() => scanner.getByRole('alert').first().textContent())
      .toContain('This link was used already')
    const rest = createRestClient(stage.product.url)
    await expect(rest.signIn('northbeck', PASSWORD)).rejects.toThrow(
      /Invalid username or password|401/,
    )
    await rest.signIn('northbeck', NEW)
    const told = await receiveText()
    expect(told).toContain('was changed')
  })

  it('is told what to do with a link that is broken', async () => {
    const { page } = await stage.openWindow('/new-password')
    await expect
      .poll(() => page.getByRole('main').textContent())
      .toContain('This link does not work')
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await seeHeading(page, 'Forgotten password')
  })
})

async function receiveText(): Promise<string> {
  await expect.poll(() => mails.received.length).toBeGreaterThan(0)
  return mails.received.pop()?.source ?? ''
}

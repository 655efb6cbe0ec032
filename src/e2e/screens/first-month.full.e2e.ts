import { rename } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { listMigrations } from '../../server/db/migrate'
import { openDatabase } from '../../server/db/open'
import { copyToEarlier } from '../../server/testing/fixtures/earlier-database'
import { startMailServer } from '../../server/testing/servers/mail-server'
import { BETWEEN_SERVERS, launchBrowser, openTab } from '../support/browser'
import { readNow, type Page } from '../support/page'
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  startUnset,
  type Product,
} from '../support/product'
import { fillLogin, rowOf, seeSuccess } from '../support/screen'

const PASSWORD = 'correct horse'
const CRON_JOBS = '/dashboard/super-admin/cron-jobs'

/** Leaves the database as a version of a few migrations before would have. */
async function leaveEarlier(dataDir: string): Promise<void> {
  const path = join(dataDir, 'app.db')
  await rename(path, `${path}.newest`)
  const [newest, earlier] = [openDatabase(`${path}.newest`), openDatabase(path)]
  const { done } = await listMigrations(newest)
  await copyToEarlier(newest, earlier, done.length - 3)
  await Promise.all([newest.destroy(), earlier.destroy()])
}

async function signIn(page: Page): Promise<void> {
  await fillLogin(page, 'operator', PASSWORD)
  await page.waitForURL(({ pathname }) => pathname !== '/auth')
}

async function openBackups(page: Page) {
  await page.goto(CRON_JOBS)
  await page.getByRole('button', { name: 'View backup history of backup', exact: true }).click()
  return page.getByRole('dialog', { name: 'Backup History - backup', exact: true })
}

async function makeBackup(page: Page): Promise<string> {
  await page.goto(CRON_JOBS)
  await page.getByRole('button', { name: 'Trigger backup', exact: true }).click()
  await seeSuccess(page, 'Backup process triggered successfully')
  const dialog = await openBackups(page)
  await dialog.getByText('Verified', { exact: true }).waitFor()
  const command = dialog.getByText(/^npm run restore -- stockbridge-/)
  await command.waitFor()
  return (await readNow(command.textContent()))?.split(' ').at(-1) ?? ''
}

it('an operator does all of the first month in the browser', async () => {
  const dataDir = await makeDataDir()
  const mail = await startMailServer()
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'stock@example.com' }
  let product: Product = await startUnset(dataDir, settings)
  const browser = await launchBrowser()
  let tab = await openTab(browser, new URL(product.url).origin)
  // While the product takes the place of the page.
  tab.expected.push(BETWEEN_SERVERS)

  // The first administrator.
  await tab.page.goto(product.url)
  await tab.page.getByLabel('Username').fill('operator')
  await tab.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await tab.page.getByLabel('Confirm password').fill(PASSWORD)
  await tab.page.getByRole('button', { name: 'Create administrator' }).click()
  await tab.page.waitForURL(/\/auth$/)
  await signIn(tab.page)

  // The mail server and where backups go are tried, and the size is looked at.
  await tab.page.goto('/dashboard/super-admin/system')
  await tab.page.getByText(/free on the disk/).waitFor()
  await tab.page.getByLabel('Recipient').fill('operator@example.com')
  await tab.page.getByRole('button', { name: 'Send test' }).click()
  await tab.page.getByText('It works', { exact: true }).waitFor()
  expect(mail.received.map(({ to }) => to)).toEqual([['operator@example.com']])
  await tab.page.getByText('Backups', { exact: true }).first().click()
  await tab.page.getByRole('button', { name: 'Send test' }).click()
  await tab.page.getByText('It works', { exact: true }).waitFor()

  // A backup is made and tried.
  const backup = await makeBackup(tab.page)
  const tried = await openBackups(tab.page)
  await rowOf(tried, backup).getByText('Test this backup', { exact: true }).click()
  await rowOf(tried, backup).getByText('Restored and compared', { exact: true }).waitFor()

  // The product is updated, and its backup before that is kept.
  expect(tab.complaints).toEqual([])
  await tab.close()
  await product.stop()
  await leaveEarlier(dataDir)
  product = await startProduct(dataDir, settings)
  tab = await openTab(browser, product.url)
  tab.expected.push(BETWEEN_SERVERS, /503|404|401/)
  await tab.page.goto('/auth')
  await signIn(tab.page)
  const kept = await openBackups(tab.page)
  await kept.getByText('Before update', { exact: true }).waitFor()

  // Last week's backup is restored.
  await rowOf(kept, backup)
    .getByRole('button', { name: `Restore ${backup}`, exact: true })
    .click()
  await kept.getByLabel('Name of the backup').fill(backup.replace(/\.tar$/, ''))
  await kept.getByRole('button', { name: 'Restore this backup' }).click()
  await tab.page.waitForURL(/\/auth/, { timeout: 60_000 })
  await signIn(tab.page)
  const restored = await openBackups(tab.page)
  await restored.getByText(/ was restored on/).waitFor()

  expect(tab.complaints).toEqual([])
  await tab.close()
  await browser.close()
  await product.stop()
  await mail.close()
  await removeDataDir(dataDir)
})

import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { BETWEEN_SERVERS, launchBrowser, openTab } from '../support/browser'
import { ADMIN_PASSWORD, makeDataDir, removeDataDir, startUnset } from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { makeBackup } from '../support/restores'
import { fillLogin, rowOf } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

const FILE = '/stock.csv'
const toFile = (name: string) => `sku,name,category\nB1,${name},Boots\n`
const OF_BACKUP = 'Boot of the backup'
const MADE_SINCE = 'Boot made since'

let stage: Stage
let connectionId: number
let retailerId: number
let backup: string
/** The downloaded backup. */
let archive: string

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set(FILE, { body: toFile(OF_BACKUP) })
  const supplier = await stage.addSupplier('northbeck')
  const url = stage.sourceServer.url(FILE)
  connectionId = (await stage.addConnection(supplier, { name: 'Stock', url })).id
  retailerId = (await stage.addRetailer(supplier, 'summit')).id
  const retailer = await signInRetailer(stage.product.url)
  await until(
    () => readFile(retailer),
    (text) => text.includes(OF_BACKUP),
    40_000,
  )
  backup = await makeBackup(stage.admin)
  stage.sourceServer.set(FILE, { body: toFile(MADE_SINCE) })
  await supplier.rest.send('POST', `/api/connections/${connectionId}/sync`)
  await until(
    () => countFiles(supplier.rest),
    (count) => count === 2,
  )
  archive = join(stage.dataDir, 'downloaded.tar')
  const download = await fetch(`${stage.product.url}/api/admin/backup-files/${backup}.tar`, {
    headers: { cookie: stage.admin.cookie() },
  })
  await writeFile(archive, Buffer.from(await download.arrayBuffer()))
})
afterAll(() => stage.close())

async function signInRetailer(url: string): Promise<RestClient> {
  const retailer = createRestClient(url)
  await retailer.signIn('summit', PASSWORD)
  return retailer
}

/** How many files the supplier has published. */
async function countFiles(supplier: RestClient): Promise<number> {
  const { body } = await supplier.send('GET', `/api/connections/${connectionId}/files`)
  return (body as { files: unknown[] }).files.length
}

/** What the retailer downloads now. */
async function readFile(retailer: RestClient): Promise<string> {
  const { body } = await retailer.send('GET', `/api/retailers/${retailerId}/latest-file`)
  const { downloadUrl } = body as { downloadUrl?: string }
  return downloadUrl === undefined
    ? JSON.stringify(body)
    : (await retailer.send('GET', downloadUrl)).text
}

describe('a backup', () => {
  it('is restored on the page of a first start, and its people sign in', async () => {
    const dataDir = await makeDataDir()
    await copyFile(join(stage.dataDir, 'encryption-key'), join(dataDir, 'encryption-key'))
    const product = await startUnset(dataDir, { FETCH_ALLOW: stage.sourceServer.host })
    const browser = await launchBrowser()
    const { page, complaints, expected, close } = await openTab(
      browser,
      new URL(product.url).origin,
    )
    // While the backup takes its place, and the product that of the page.
    expected.push(BETWEEN_SERVERS, /503|404/)
    await page.goto(product.url)
    await page.getByRole('button', { name: 'Restore a backup instead' }).click()
    await page.getByText('There is no backup yet').waitFor()
    await page.getByLabel('Send a backup').setInputFiles(archive)
    await page.getByText('(sent)').waitFor()
    await page.getByRole('button', { name: 'Restore this backup' }).click()
    await page.waitForURL(/\/auth$/, { timeout: 60_000 })
    await fillLogin(page, 'admin', ADMIN_PASSWORD)
    await page.getByRole('heading', { name: 'Supplier Management' }).waitFor()
    expect(await readFile(await signInRetailer(new URL(product.url).origin))).toContain(OF_BACKUP)
    expect(complaints).toEqual([])
    await close()
    await browser.close()
    await product.stop()
    await removeDataDir(dataDir)
  })

  it('is restored into the running installation by its administrator, who signs in again', async () => {
    const { page, expected } = await stage.openAs('admin', '/dashboard/super-admin/cron-jobs')
    expected.push(BETWEEN_SERVERS, /503|404|401/)
    await page.getByRole('button', { name: 'View backup history of backup', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Backup History - backup', exact: true })
    await rowOf(dialog, `${backup}.tar`)
      .getByRole('button', { name: `Restore ${backup}.tar`, exact: true })
      .click()
    await dialog.getByText(/What was made since is lost: 1 published file/).waitFor()
    await dialog.getByLabel('Name of the backup').fill('another')
    await dialog.getByRole('button', { name: 'Restore this backup' }).click()
    await dialog.getByText(`Type ${backup}`, { exact: true }).last().waitFor()
    await dialog.getByLabel('Name of the backup').fill(backup)
    await dialog.getByRole('button', { name: 'Restore this backup' }).click()
    await page.waitForURL(/\/auth/, { timeout: 60_000 })
    expect(await readFile(await signInRetailer(stage.product.url))).toContain(OF_BACKUP)
    const supplier = createRestClient(stage.product.url)
    await supplier.signIn('northbeck', PASSWORD)
    expect(await countFiles(supplier)).toBe(1)
    await fillLogin(page, 'admin', ADMIN_PASSWORD)
    await page.waitForURL((address) => address.pathname !== '/auth')
    await page.goto('/dashboard/super-admin/cron-jobs')
    await page.getByRole('button', { name: 'View backup history of backup', exact: true }).click()
    await dialog.getByText(new RegExp(`^${backup} was restored on`)).waitFor()
  })
})

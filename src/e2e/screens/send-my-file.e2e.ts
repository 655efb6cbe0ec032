import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type HookServer, startHookServer } from '../../server/testing/servers/hook-server'
import type { Retailer } from '../../shared/schemas/retailer'
import { expectAccessible } from '../support/axe'
import type { Page } from '../support/page'
import { isFocused, seeSuccess } from '../support/screen'
import { startStage, type Stage, type Supplier } from '../support/stage'

const CSV = 'sku,name,stock\n1,Boot,4\n2,Cap,0\n'
const NEXT = `${CSV}3,Tent,7\n`

let stage: Stage
let receiver: HookServer
let northbeck: Supplier
let connectionId: number
const retailers = new Map<string, Retailer>()

beforeAll(async () => {
  receiver = await startHookServer()
  stage = await startStage({ FETCH_ALLOW: '127.0.0.1' })
  stage.sourceServer.set('/inventory.csv', { body: CSV })
  northbeck = await stage.addSupplier('northbeck')
  for (const name of ['summit', 'ridge', 'valley']) {
    const retailer = await stage.addRetailer(northbeck, name)
    retailers.set(name, retailer)
    await northbeck.rest.send('PATCH', `/api/retailers/${retailer.id}`, { syncFrequency: 0 })
  }
  const url = stage.sourceServer.url('/inventory.csv')
  connectionId = (await stage.addConnection(northbeck, { name: 'Main feed', url })).id
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await receiver.close()
})

const address = (folder: string) => `http://${receiver.host}/${folder}/`
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const destinations = (page: Page) => page.getByRole('list', { name: 'Destinations' })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add destination' })
const openAdding = (page: Page) =>
  region(page, 'Send my file').getByRole('button', { name: 'Add destination' }).click()
const receivedIn = (folder: string) =>
  receiver.received.filter(({ path }) => path.startsWith(`/${folder}/`))

async function addDestination(name: string, folder: string): Promise<void> {
  const { id } = retailers.get(name)!
  const { status, text } = await northbeck.rest.send('POST', `/api/retailers/${id}/destinations`, {
    name: 'ERP',
    config: { url: address(folder) },
  })
  expect(status, text).toBe(201)
}

describe('a retailer whose system cannot fetch', () => {
  it('has its file sent to a web address: tried, saved, sent, and sent again when it changes', async () => {
    const { page } = await stage.openAs('summit', '/retailer/shop')
    await region(page, 'Send my file').getByText('Your system cannot fetch?').waitFor()
    await openAdding(page)
    const dialog = dialogOf(page)
    await dialog.getByRole('radio', { name: 'Web address' }).check()
    await dialog.getByRole('textbox', { name: 'Address' }).fill(address('in'))
    await dialog.getByLabel('Name (optional)').fill('ERP')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('It works').waitFor()
    expect(receivedIn('in')).toHaveLength(1)
    await dialog.getByRole('button', { name: 'Add destination' }).click()
    await seeSuccess(page, 'Destination added')
    await destinations(page).getByText('Sent 2 rows').waitFor()
    expect(receivedIn('in').at(-1)).toMatchObject({ path: '/in/inventory.csv', body: CSV })

    stage.sourceServer.set('/inventory.csv', { body: NEXT })
    await northbeck.rest.send('POST', `/api/connections/${connectionId}/sync`)
    await destinations(page).getByText('Sent 3 rows').waitFor()
    expect(receivedIn('in').at(-1)).toMatchObject({ body: NEXT })
    const table = region(page, 'Deliveries')
    await expect.poll(() => table.getByText('inventory.csv').count()).toBe(2)
  })

  it('adds one with the keyboard alone', async () => {
    const { page } = await stage.openAs('valley', '/retailer/shop')
    const add = region(page, 'Send my file').getByRole('button', { name: 'Add destination' })
    await add.focus()
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page)
    const ways = dialog.getByRole('radiogroup', { name: 'How the file is sent' })
    await expect.poll(() => isFocused(ways.getByRole('radio', { name: 'SFTP' }))).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await ways.locator(':checked[aria-label="Web address"]').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(address('keys').slice('http://'.length))
    await page.keyboard.press('Home')
    for (const _ of 'https://') await page.keyboard.press('Delete')
    await page.keyboard.type('http://')
    await page.keyboard.press('Enter')
    await seeSuccess(page, 'Destination added')
    await expect.poll(() => isFocused(add)).toBe(true)
    await destinations(page).getByText('127.0.0.1', { exact: true }).waitFor()
  })
})

describe('a destination that is paused', () => {
  it('says why to the supplier too, and is tried again at once', async () => {
    await addDestination('ridge', 'paused')
    const { id } = retailers.get('ridge')!
    const path = `/supplier/retailers/${id}/shop`
    const { page } = await stage.openAs('northbeck', path)
    await destinations(page).getByText('Sent', { exact: false }).first().waitFor()
    const before = receivedIn('paused').length
    await stage.write((trx) =>
      trx
        .updateTable('destinations')
        .set({ pausedAt: Date.now(), pausedReason: 'The program answered 500.', checkAt: null })
        .where('retailerId', '=', id)
        .execute(),
    )
    await destinations(page).getByText('The program answered 500.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try now: ERP' }).click()
    await expect.poll(() => receivedIn('paused').length).toBeGreaterThan(before)
    await destinations(page).getByText('Paused', { exact: true }).waitFor({ state: 'detached' })
  })
})

it('is accessible in each of its dialogs', async () => {
  const { page } = await stage.openAs(
    'northbeck',
    `/supplier/retailers/${retailers.get('ridge')!.id}/shop`,
  )
  await openAdding(page)
  for (const way of ['SFTP', 'FTP', 'S3 bucket', 'Web address', 'E-mail']) {
    await dialogOf(page).getByRole('radio', { name: way, exact: true }).check()
    await expectAccessible(page)
  }
})

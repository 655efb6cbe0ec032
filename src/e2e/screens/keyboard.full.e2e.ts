import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { readNow, type Locator, type Page } from '../support/page'
import { isFocused, messageOf, seeHeading, seeSuccess } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: 'sku,name,category\nA1,Boot,Shoes\n' })
  await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  const ridge = await stage.addSupplier('ridge', { companyName: 'Ridge Supplies' })
  await stage.addRetailer(ridge, 'summit', { storeName: 'Summit Sports' })
  await stage.addConnection(ridge, { name: 'Feed', url: stage.sourceServer.url('/inventory.csv') })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** Presses Tab until the target has the focus. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const page = target.page()
  for (let step = 0; step < 60; step += 1) {
    // Read once: each step checks the focus before pressing Tab.
    if (await readNow(isFocused(target))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${String(target)}`)
}

async function press(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

async function type(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.type(text)
}

const button = (area: Page | Locator, name: string) =>
  area.getByRole('button', { name, exact: true })

describe('with the keyboard alone', () => {
  it('a supplier signs in, connects its file and adds a retailer', async () => {
    const { page } = await stage.openAs(null, '/supplier/connections')
    await type(page.getByLabel('Username'), 'acme')
    await type(page.getByLabel('Password', { exact: true }), PASSWORD)
    await page.keyboard.press('Enter')
    await seeHeading(page, 'Data Connections')

    await press(button(page, 'Add Connection'))
    const connection = page.getByRole('dialog', { name: 'Add Connection' })
    const name = connection.getByLabel('Connection Name')
    await expect.poll(() => isFocused(name)).toBe(true)
    await page.keyboard.type('Spring catalogue')
    await type(
      connection.getByRole('textbox', { name: 'URL' }),
      stage.sourceServer.url('/inventory.csv'),
    )
    await press(button(connection, 'Preview'))
    const preview = page.getByRole('dialog', { name: 'CSV Preview' })
    await preview.getByRole('cell', { name: 'Boot' }).waitFor()
    await page.keyboard.press('Escape')
    await preview.waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(button(connection, 'Preview'))).toBe(true)
    await tabTo(connection.getByRole('combobox', { name: 'Sync Frequency' }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'HOURLY' }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await press(button(connection, 'Create Connection'))
    await seeSuccess(page, 'Connection created successfully')
    await page.getByRole('cell', { name: 'Spring catalogue' }).first().waitFor()

    await press(page.getByRole('navigation').getByRole('link', { name: 'Retailers' }))
    await seeHeading(page, 'Retailers')
    await press(button(page, 'Add Retailer').first())
    const retailer = page.getByRole('dialog', { name: 'Add New Retailer' })
    await expect.poll(() => isFocused(retailer.getByLabel('Username'))).toBe(true)
    await page.keyboard.type('keys')
    await type(retailer.getByLabel('Password', { exact: true }), PASSWORD)
    await type(retailer.getByLabel('Email'), 'keys@example.com')
    await type(retailer.getByLabel('Store Name'), 'Keys & Co')
    await page.keyboard.press('Enter')
    await seeSuccess(page, 'Retailer added successfully')
    await press(page.getByRole('link', { name: 'Keys & Co' }))
    await seeHeading(page, 'Keys & Co')
  })

  it('the skip link leads past the menu to the content', async () => {
    const { page } = await stage.openAs('ridge', '/supplier/retailers')
    await seeHeading(page, 'Retailers')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => isFocused(page.getByRole('link', { name: 'Skip to content' })))
      .toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(() => isFocused(button(page, 'Add Retailer').first())).toBe(true)
  })

  it('Space toggles a switch, which keeps the focus', async () => {
    const { page } = await stage.openAs('ridge', '/supplier/connections')
    const active = page.getByRole('switch', { name: 'Feed is active' })
    await press(active, 'Space')
    await seeSuccess(page, 'Connection updated successfully')
    await page.getByRole('switch', { name: 'Feed is active', checked: false }).waitFor()
    await expect.poll(() => isFocused(active)).toBe(true)
    await page.keyboard.press('Space')
    await page.getByRole('switch', { name: 'Feed is active', checked: true }).waitFor()
  })

  it('the user menu opens, is navigated with arrow keys and closes with Escape', async () => {
    const { page } = await stage.openAs('summit', '/retailer')
    const account = page.getByRole('button', { name: 'account of summit' })
    await press(account)
    const items = page.getByRole('menuitem')
    await expect.poll(() => isFocused(items.first())).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => isFocused(items.nth(1))).toBe(true)
    await page.keyboard.press('Escape')
    await items.first().waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(account)).toBe(true)
  })

  it('the rows of a file can be scrolled', async () => {
    const { page } = await stage.openAs('summit', '/retailer/inventory')
    await tabTo(page.getByRole('region', { name: /^First rows of/ }))
  })
})

/** The page and button that open each dialog. */
const DIALOGS: [title: string, user: string, path: string, opener: string][] = [
  ['Add New Supplier', 'admin', '/', 'Add Supplier'],
  ['Edit Supplier', 'admin', '/', 'Edit Acme Tools'],
  ['Backup History', 'admin', '/dashboard/super-admin/cron-jobs', 'View backup history of backup'],
  ['Delete Cron Job', 'admin', '/dashboard/super-admin/cron-jobs', 'Delete clean-up'],
  ['Reset Admin Password', 'admin', '/dashboard/super-admin/settings', 'Change Password'],
  ['Turn on the second factor', 'admin', '/dashboard/super-admin/settings', 'Turn on…'],
  ['Edit Connection', 'ridge', '/supplier/connections', 'Edit Feed'],
  ['Add New Retailer', 'ridge', '/supplier/retailers', 'Add Retailer'],
  ['Edit Retailer', 'ridge', '/supplier/retailers', 'Edit Summit Sports'],
  ['Retailer Settings', 'ridge', '/supplier/retailers', 'Settings of Summit Sports'],
  ['Delete Retailer', 'ridge', '/supplier/retailers', 'Delete Summit Sports'],
  ['Edit Store Information', 'summit', '/retailer/settings', 'Edit Store Information'],
]

/** From now on, lists where the focus is after each key: inside the dialog or outside of it. */
async function watchFocus(dialog: Locator): Promise<() => Promise<string[]>> {
  const focused = await dialog.evaluateHandle((node) => {
    const places: string[] = []
    document.addEventListener('keyup', () => {
      places.push(node.contains(document.activeElement) ? 'inside' : 'outside')
    })
    return places
  })
  return () => focused.jsonValue()
}

describe('a dialog', () => {
  it.each(DIALOGS)(
    '%s traps the focus, and Escape closes it and returns the focus',
    async (...row) => {
      const [title, user, path, opener] = row
      const { page } = await stage.openAs(user, path)
      const dialog = page.getByRole('dialog').filter({ hasText: title })
      // Twice, because the second time its code is already loaded.
      for (let time = 0; time < 2; time += 1) {
        await press(button(page, opener))
        await dialog.waitFor()
        await expect.poll(() => dialog.locator(':focus').count()).toBe(1)
        const focused = await watchFocus(dialog)
        for (let step = 0; step < 15; step += 1) await page.keyboard.press('Tab')
        await expect.poll(focused).toEqual(Array.from({ length: 15 }, () => 'inside'))
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await expect.poll(() => isFocused(button(page, opener))).toBe(true)
      }
    },
  )

  it.each([
    ['Add New Supplier', 'admin', '/', 'Add Supplier', 'Add Supplier', 'Username'],
    [
      'Add New Retailer',
      'ridge',
      '/supplier/retailers',
      'Add Retailer',
      'Create Retailer',
      'Username',
    ],
    [
      'Reset Admin Password',
      'summit',
      '/retailer/settings',
      'Change Password',
      'Change Password',
      'Current Password',
    ],
  ])('%s focuses its first invalid field', async (title, user, path, opener, submit, field) => {
    const { page } = await stage.openAs(user, path)
    await press(button(page, opener))
    const dialog = page.getByRole('dialog', { name: title })
    await expect.poll(() => dialog.locator(':focus').count()).toBe(1)
    await press(button(dialog, submit))
    await expect.poll(() => isFocused(dialog.getByLabel(field, { exact: true }))).toBe(true)
    await expect
      .poll(() => messageOf(dialog.getByLabel(field, { exact: true })))
      .toContain('required')
  })
})

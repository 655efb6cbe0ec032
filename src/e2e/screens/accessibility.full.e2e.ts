import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { setSlowSource } from '../../server/testing/servers/slow-source'
import type { Connection } from '../../shared/schemas/connection'
import { expectAccessible, findViolations } from '../support/axe'
import { addPerson, invitePerson, inviteRetailer, signInOwner } from '../support/invite'
import type { Page } from '../support/page'
import { until } from '../support/rest-client'
import { choose, pressDisabledGoogle, seeHeading } from '../support/screen'
import { readConnection, startStage, type Stage } from '../support/stage'

let stage: Stage
let retailerId: number

beforeAll(async () => {
  stage = await startStage()
  const rows = Array.from(
    { length: 30 },
    (_, index) => `SKU-${index},A rather long name,Boots,${index}`,
  )
  const wide = Array.from({ length: 12 }, (_, index) => `column_${index}`).join(',')
  stage.sourceServer.set('/inventory.csv', {
    body: `sku,name,category,${wide}\n${rows.map((row) => `${row}${',x'.repeat(11)}`).join('\n')}\n`,
  })
  const acme = await stage.addSupplier('acme', {
    companyName: 'Acme Tools and everything else that a workshop could ever need',
  })
  await stage.addConnection(acme, {
    name: 'Spring catalogue with a name of some length',
    url: stage.sourceServer.url('/inventory.csv'),
  })
  const retailer = await stage.addRetailer(acme, 'summit', {
    storeName: 'Summit Sports',
    storeUrl: 'summit-sports-and-outdoor-equipment.example/with/a/long/path',
  })
  retailerId = retailer.id
  await addPerson(stage, acme, { name: 'Ed Marsh', role: 'EDITOR', username: 'ed' })
  await addPerson(stage, acme, { name: 'Vera Lund', role: 'VIEWER', username: 'vera' })
  await invitePerson(acme, { name: 'Olga Holm', role: 'OWNER' })
  const summit = await signInOwner(stage, 'summit')
  await addPerson(stage, summit, { name: 'Bo Strand', role: 'BUYER', username: 'bo' })
  await stage.addSupplier('newcomer')
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** Horizontal overflow of the page or its dialog, in px. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const areas = [document.documentElement, ...document.querySelectorAll('[role="dialog"]')]
    return Math.max(...areas.map((area) => area.scrollWidth - area.clientWidth))
  })

/** Checks a screen once it has finished loading. */
async function checkScreen(page: Page): Promise<void> {
  const unfinished = page.locator(
    '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root',
  )
  await expect.poll(() => unfinished.count()).toBe(0)
  await checkScreenNow(page)
}

async function checkScreenNow(page: Page): Promise<void> {
  await expectAccessible(page)
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expect.poll(() => overflow(page), { message: `sideways at ${width} px` }).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

const SCREENS: [path: string, username: string | null, heading: string][] = [
  ['/auth', null, 'Login'],
  ['/auth?mode=register', null, 'Create your supplier account'],
  ['/forgotten-password', null, 'Forgotten password'],
  ['/new-password', null, 'New password'],
  ['/', 'admin', 'Supplier Management'],
  ['/dashboard/super-admin/cron-jobs', 'admin', 'Cron Jobs Manager'],
  ['/dashboard/super-admin/settings', 'admin', 'Settings'],
  ['/dashboard/super-admin/operations', 'admin', 'Operations'],
  ['/dashboard/super-admin/system', 'admin', 'System'],
  ['/audit', 'admin', 'Audit Log'],
  ['/supplier', 'acme', 'Welcome, Acme Tools and everything else that a workshop could ever need'],
  ['/supplier', 'newcomer', 'Welcome, newcomer company'],
  ['/supplier/retailers', 'acme', 'Retailers'],
  ['/supplier/retailers', 'newcomer', 'Retailers'],
  ['/supplier/retailers/:id', 'acme', 'Summit Sports'],
  ['/supplier/retailers/:id/preview', 'acme', 'Preview as Summit Sports'],
  ['/supplier/retailers/:id/shop', 'acme', 'Connect Summit Sports'],
  ['/supplier/settings', 'acme', 'Settings'],
  ['/supplier/activity', 'acme', 'Activity'],
  ['/supplier/connections', 'acme', 'Data Connections'],
  ['/supplier/connections', 'newcomer', 'Data Connections'],
  ['/supplier/inventory?connection=1', 'acme', 'Inventory Preview'],
  ['/retailer', 'summit', 'Dashboard'],
  ['/retailer/inventory', 'summit', 'Inventory Preview'],
  ['/retailer/settings', 'summit', 'Settings'],
  ['/retailer/shop', 'summit', 'Connect your shop'],
  ['/api-docs', 'acme', 'API'],
  ['/help', 'acme', 'Help'],
  ['/sessions', 'acme', 'Where you are signed in'],
  ['/api-keys', 'acme', 'API keys'],
  ['/people', 'acme', 'People'],
  ['/people', 'newcomer', 'People'],
  ['/people', 'vera', 'People'],
  ['/supplier/retailers', 'vera', 'Retailers'],
  ['/supplier/retailers/:id', 'vera', 'Summit Sports'],
  ['/supplier/connections', 'vera', 'Data Connections'],
  ['/retailer', 'bo', 'Dashboard'],
  ['/retailer/shop', 'bo', 'Connect your shop'],
  ['/retailer', 'acme', 'You cannot open this page'],
  ['/nowhere', null, '404 Page Not Found'],
]

const STOCK = { name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from('sku,qty\n1,5\n') }

const DIALOGS: [title: string, username: string, path: string, opener: string][] = [
  ['Add New Supplier', 'admin', '/', 'Add Supplier'],
  ['Edit Supplier', 'admin', '/', 'Edit newcomer company'],
  ['Backup History', 'admin', '/dashboard/super-admin/cron-jobs', 'View backup history of backup'],
  ['Delete Cron Job', 'admin', '/dashboard/super-admin/cron-jobs', 'Delete clean-up'],
  ['Reset Admin Password', 'admin', '/dashboard/super-admin/settings', 'Change Password'],
  ['Turn on the second factor', 'admin', '/dashboard/super-admin/settings', 'Turn on…'],
  ['Add Connection', 'newcomer', '/supplier/connections', 'Add Connection'],
  [
    'Edit Connection',
    'acme',
    '/supplier/connections',
    'Edit Spring catalogue with a name of some length',
  ],
  ['Make an API key', 'acme', '/api-keys', 'Make a key'],
  ['Add New Retailer', 'acme', '/supplier/retailers', 'Add Retailer'],
  ['Add several retailers', 'acme', '/supplier/retailers', 'Add several'],
  ['Edit Retailer', 'acme', '/supplier/retailers', 'Edit Summit Sports'],
  ['Retailer Settings', 'acme', '/supplier/retailers', 'Settings of Summit Sports'],
  ['Delete Retailer', 'acme', '/supplier/retailers', 'Delete Summit Sports'],
  ['Invite a person', 'acme', '/people', 'Invite a person'],
  ['Change the role', 'acme', '/people', 'Change the role of Ed Marsh'],
  ['Remove the person', 'acme', '/people', 'Remove Ed Marsh'],
  ['Edit Store Information', 'summit', '/retailer/settings', 'Edit Store Information'],
]

describe('no violation and no horizontal scrolling in either color scheme', () => {
  it.each(SCREENS)('on %s of %s', async (path, username, heading) => {
    const { page } = await stage.openAs(username, path.replace(':id', String(retailerId)))
    await seeHeading(page, heading)
    await checkScreen(page)
  })

  it.each(DIALOGS)('in %s of %s', async (title, username, path, opener) => {
    const { page } = await stage.openAs(username, path)
    await page.getByRole('button', { name: opener, exact: true }).first().click()
    await page.getByRole('dialog').filter({ hasText: title }).waitFor()
    await checkScreen(page)
  })

  it('in the dialog of a connection without an address, with its file and help', async () => {
    const { page } = await stage.openAs('newcomer', '/supplier/connections')
    await page.getByRole('button', { name: 'Add Connection' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add Connection' })
    await dialog.getByRole('button', { name: 'No address? Send the file instead.' }).click()
    await dialog.getByText('How to send your file').click()
    await checkScreen(page)
    await page.locator('input[type=file]').setInputFiles(STOCK)
    await dialog.getByRole('button', { name: /^Your file: stock\.csv/ }).waitFor()
    await choose(dialog, 'Tell me when no file has come for', 'Two days')
    await checkScreen(page)
  })

  it('on the page of an upload link, with a file that was refused and its help', async () => {
    const sender = await stage.addSupplier('sender')
    const settings = {
      name: 'Stock',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 60,
      config: {},
    }
    const { id } = (await sender.rest.send('POST', '/api/connections', settings)).body as Connection
    const link = await sender.rest.send('POST', `/api/connections/${id}/upload-links`)
    const { page } = await stage.openAs(null, (link.body as { path: string }).path)
    await page.getByRole('button', { name: /^Send a file:/ }).waitFor()
    await checkScreen(page)
    await page
      .locator('input[type=file]')
      .setInputFiles({ ...STOCK, buffer: Buffer.from('%PDF-1.4') })
    await page.getByText('Refused', { exact: true }).waitFor()
    await page.getByText('How to send your file').click()
    await checkScreen(page)
    await sender.rest.send('DELETE', `/api/connections/${id}/upload-links`)
    await page.reload()
    await page.getByText('This upload link does not work').waitFor()
    await checkScreen(page)
  })

  it('on the page of an invitation, open and used, and where it is made', async () => {
    const inviter = await stage.addSupplier('inviter')
    const { page } = await stage.openAs('inviter', '/supplier/retailers')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a retailer' })
    await dialog.getByRole('textbox', { name: 'Store Name' }).fill('Corner Shop')
    await checkScreen(page)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('button', { name: 'Done' }).waitFor()
    await checkScreen(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'Invitations' }).waitFor()
    await checkScreen(page)
    const link = await inviteRetailer(inviter, 'Second Shop')
    const opened = await stage.openAs(null, link)
    await seeHeading(opened.page, 'inviter company invites you')
    await checkScreen(opened.page)
    const broken = await stage.openAs(null, '/invitation')
    await broken.page.getByText('This link does not work').waitFor()
    await checkScreen(broken.page)
  })

  it('in expanded calls of the API page', async () => {
    const { page } = await stage.openAs('acme', '/api-docs')
    for (const summary of [
      'Connect an inventory file',
      'Download a published file, with all rows',
      'POST /api/logout Sign out',
    ]) {
      await page.getByRole('button', { name: summary }).click()
    }
    await page.getByRole('heading', { name: 'Example' }).nth(2).waitFor()
    await checkScreen(page)
  })

  it('in the CSV preview', async () => {
    const { page } = await stage.openAs('acme', '/supplier/connections')
    await page.getByRole('button', { name: /^Edit Spring/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('dialog', { name: 'CSV Preview' })
    await preview.getByRole('cell', { name: 'SKU-1', exact: true }).waitFor()
    await preview.getByRole('button', { name: 'How this file is read' }).click()
    await preview.getByRole('button', { name: 'Advanced' }).click()
    await preview.getByRole('combobox', { name: 'List separator' }).waitFor()
    await checkScreen(page)
  })

  it('during a sync, with its run history', async () => {
    const acme = await stage.addSupplier('busy')
    stage.sourceServer.set('/ragged.csv', { body: 'sku,name\nA1,Boot\n\nA2\n' })
    const url = stage.sourceServer.url('/ragged.csv')
    const { id } = await stage.addConnection(acme, { name: 'Busy feed', url })
    const sync = () => acme.rest.send('POST', `/api/connections/${id}/sync`)
    const isFailed = ({ status }: Connection) => status === 'failed'
    stage.sourceServer.set('/ragged.csv', { status: 503 })
    await sync()
    await until(() => readConnection(acme), isFailed)
    const { asked } = setSlowSource(stage.sourceServer, '/ragged.csv', 'sku,name\n')
    await sync()
    const { page } = await stage.openAs('busy', '/supplier/connections')
    await page.getByRole('progressbar').waitFor()
    await page.getByText('2 problems in the file').waitFor()
    await checkScreenNow(page)
    ;(await asked).end()
  })

  it('in the source credentials fields with errors', async () => {
    const { page } = await stage.openAs('acme', '/supplier/connections')
    await page.getByRole('button', { name: /^Edit Spring/ }).click()
    await choose(page.getByRole('dialog'), 'Access', 'User name and password')
    await page.getByRole('button', { name: 'Update Connection' }).click()
    await page.getByText('User name is required').waitFor()
    await checkScreen(page)
  })

  it('in a form with errors and a toast', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByText('Password is required').waitFor()
    await pressDisabledGoogle(page)
    await page.getByRole('alert').hover()
    await checkScreen(page)
  })

  it('in the user menu, and in the menu drawer of a phone', async () => {
    const { page } = await stage.openAs('summit', '/retailer')
    await page.getByRole('button', { name: 'account of summit' }).click()
    await page.getByRole('menuitem').first().waitFor()
    await expect.poll(() => findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await expect.poll(() => findViolations(page)).toEqual([])
  })
})

describe('a user who prefers reduced motion', () => {
  /** Duration of the longest animation while a toast appears, in milliseconds. */
  async function longestAnimation(reducedMotion: 'reduce' | 'no-preference') {
    const { page } = await stage.openWindow('/auth', { reducedMotion })
    // It resolves when the animation starts.
    const started = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          document.addEventListener('animationstart', () => {
            const lengths = document
              .getAnimations()
              .map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0))
            resolve(Math.max(...lengths))
          })
        }),
    )
    await pressDisabledGoogle(page)
    return started
  }

  it('sees toasts appear without animation', async () => {
    expect(await longestAnimation('no-preference')).toBeGreaterThan(100)
    expect(await longestAnimation('reduce')).toBeLessThan(1)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { PAGE_PATHS } from '../../shared/page-paths'
import { findOverflow } from '../support/find-overflow'
import { holdFile } from '../support/held-file'
import { insertParams } from '../support/insert-params'
import { addPerson, invitePerson, inviteRetailer } from '../support/invite'
import type { Page } from '../support/page'
import { signIn, startStage, type Stage } from '../support/stage'
import { findMisplaced } from '../support/text-direction'

const WIDTHS = [320, 390, 820, 1000, 1280, 1920, 2560]
/** Of a window of 1280 × 900 px at 200 %. */
const ZOOMED = { width: 640, height: 450 }

const LONG = 'Unbroken'.repeat(10)
const NAMES = [
  LONG,
  'חנות הספורט של ההרים הגבוהים '.repeat(3).trim(),
  '🏔️ Tents 🧗 & Boots 🎿',
  'Plain',
]

let stage: Stage
/** The path of a link. */
let invitation: string
/** Values of the variable parts of paths and names. */
const params: Record<string, string> = { longName: LONG }

beforeAll(async () => {
  stage = await startStage()
  const cells = [LONG, NAMES[1], NAMES[2], '', `https://${LONG}.example/${LONG}`]
  const rows = Array.from({ length: 1_200 }, (_, index) => [index, ...cells].join(','))
  const path = `/${LONG}/${LONG}.csv`
  stage.sourceServer.set(path, {
    body: `sku,name,category,brand,empty,${LONG}\n${rows.join('\n')}\n`,
  })
  const acme = await stage.addSupplier('acme', {
    companyName: LONG,
    contactEmail: `${'long'.repeat(15)}@${'mail'.repeat(15)}.example`,
  })
  params.supplierId = String(acme.id)
  for (const [index, companyName] of NAMES.entries()) {
    await stage.addSupplier(`supplier-${index}`, { companyName })
  }
  for (const [index, storeName] of NAMES.entries()) {
    const username = index === 0 ? 'summit' : `store-${index}-${LONG}`
    const storeUrl = index === 0 ? `${LONG.toLowerCase()}.example/${LONG}` : 'shop.example'
    const retailer = await stage.addRetailer(acme, username, { storeName, storeUrl })
    params.retailerId ??= String(retailer.id)
    params.userId ??= String(retailer.userId)
  }
  const url = stage.sourceServer.url(path)
  const { id } = await stage.addConnection(acme, { name: LONG, url })
  params.connectionId = String(id)
  const made = await acme.rest.send('POST', `/api/connections/${id}/upload-links`)
  params.token = (made.body as { path: string }).path.slice('/upload/'.length)
  invitation = await inviteRetailer(acme, LONG)
  await inviteRetailer(acme, NAMES[1] ?? '')
  for (const [index, name] of NAMES.entries()) {
    await addPerson(stage, acme, { name, role: 'EDITOR', username: `person-${index}-${LONG}` })
  }
  await invitePerson(acme, { name: LONG, role: 'VIEWER' })
  await holdFile(stage, acme, { id, path, body: `name,${LONG}\n${cells.join('\n')}\n` })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The user who sees a page; null: nobody is signed in. */
function visitorOf(path: string): string | null {
  if (['/auth', '/invitation'].includes(path) || path.startsWith('/upload')) return null
  if (path.startsWith('/supplier') || path === '/people') return 'acme'
  return path.startsWith('/retailer') ? 'summit' : 'admin'
}

const visits = Map.groupBy(PAGE_PATHS, visitorOf)

async function checkWidths(page: Page, what: string, widths: number[]): Promise<void> {
  const unfinished = page.locator(
    '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root',
  )
  await expect.poll(() => unfinished.count(), { message: what }).toBe(0)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => findOverflow(page), { message: `${what} at ${width} px` }).toEqual([])
    await expect.poll(() => findMisplaced(page), { message: `${what} at ${width} px` }).toEqual([])
  }
  await page.setViewportSize(ZOOMED)
  await expect.poll(() => findOverflow(page), { message: `${what} at 200 %` }).toEqual([])
}

describe('with long, right-to-left, emoji and empty values', () => {
  it.each([...visits])(
    'no page of %s scrolls sideways, and every control stays in view',
    async (visitor, paths) => {
      const { page } = await stage.openAs(visitor, 'about:blank')
      for (const path of paths) {
        await page.goto(path === '/invitation' ? invitation : insertParams(path, params))
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await checkWidths(page, path, WIDTHS)
      }
    },
  )
})

/** Who opens which dialogs: the page, and the button to click there. */
const DIALOGS: [visitor: string, path: string, button: string][] = [
  ['admin', '/', 'Add Supplier'],
  ['admin', '/', 'Edit $longName'],
  ['admin', '/dashboard/super-admin/suppliers/$supplierId', 'Reset Password'],
  ['admin', '/dashboard/super-admin/cron-jobs', 'View backup history of backup'],
  ['admin', '/dashboard/super-admin/cron-jobs', 'Delete clean-up'],
  ['acme', '/supplier/connections', 'Edit $longName'],
  ['acme', '/supplier/retailers', 'Add Retailer'],
  ['acme', '/api-keys', 'Make a key'],
  ['acme', '/people', 'Invite a person'],
  ['acme', '/people', 'Change the role of $longName'],
  ['acme', '/people', 'Remove $longName'],
  ['admin', '/', 'Invite'],
  ['acme', '/supplier/retailers', 'Invite'],
  ['acme', '/supplier/retailers', 'Copy the link of $longName'],
  ['acme', '/supplier/retailers', 'Withdraw the invitation of $longName'],
  ['acme', '/supplier/retailers', 'Add several'],
  ['acme', '/supplier/retailers', 'Edit $longName'],
  ['acme', '/supplier/retailers', 'Settings of $longName'],
  ['acme', '/supplier/retailers', 'Delete $longName'],
  ['acme', '/supplier/settings', 'Change Password'],
  ['acme', '/supplier/settings', 'Turn on…'],
  ['summit', '/retailer/settings', 'Edit Store Information'],
]
const DIALOG_WIDTHS = [320, 820]

/** The button `name`; in two rows of a list, the first of them. */
const button = (page: Page, name: string) =>
  page.getByRole('button', { name: insertParams(name, params), exact: true }).first()

describe('dialogs with long values', () => {
  it.each(DIALOGS)('%s, on %s: %s keeps every control in view', async (visitor, path, name) => {
    const { page } = await stage.openAs(visitor, insertParams(path, params))
    await button(page, name).click()
    await page.getByRole('dialog').waitFor()
    await checkWidths(page, name, DIALOG_WIDTHS)
  })

  it('the preview of a file keeps every control in view', async () => {
    const { page } = await stage.openAs('acme', '/supplier/connections')
    await button(page, 'Edit $longName').click()
    await button(page, 'Preview').click()
    const preview = page.getByRole('dialog', { name: 'CSV Preview' })
    await preview.getByRole('button', { name: 'How this file is read' }).click()
    await checkWidths(page, 'CSV Preview', DIALOG_WIDTHS)
  })
})

describe('a browser in another locale', () => {
  it('writes its numbers and dates as usual there', async () => {
    const window = await stage.openWindow('about:blank', { locale: 'de-DE' })
    await signIn(window, 'summit')
    const { page } = window
    await page.goto('/retailer')
    const file = page.getByRole('region', { name: 'Inventory Data' })
    await file.getByText('1.200 rows').waitFor()
    await page.getByText(/\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}$/).waitFor()
  })
})

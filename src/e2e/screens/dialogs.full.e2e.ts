import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { holdFile } from '../support/held-file'
import { insertParams } from '../support/insert-params'
import { addPerson } from '../support/invite'
import type { Page } from '../support/page'
import { startStage, type Stage } from '../support/stage'

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 700 },
]

let stage: Stage
/** Values of the variable parts of paths. */
const params: Record<string, string> = {}

/** A wide file with many categories. */
function fileOf(rows: number): string {
  const columns = Array.from({ length: 40 }, (_, column) => `column ${column}`)
  const lines = Array.from({ length: rows }, (_, row) =>
    [`A-${row}`, `Category ${row}`, row % 2 ? 'high' : row, ...columns].join(','),
  )
  return `sku,category,stock,${columns.join(',')}\n${lines.join('\n')}\n`
}

beforeAll(async () => {
  stage = await startStage()
  const path = '/inventory.csv'
  stage.sourceServer.set(path, { body: fileOf(120) })
  const acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  const { id } = await stage.addConnection(acme, {
    name: 'Feed',
    url: stage.sourceServer.url(path),
  })
  const retailer = await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
  await addPerson(stage, acme, { name: 'Ed Marsh', role: 'EDITOR', username: 'ed' })
  await stage.addSupplier('newcomer')
  params.supplier = String(acme.id)
  params.retailer = String(retailer.id)
  await holdFile(stage, acme, { id, path, body: fileOf(4) })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The parts of a dialog that are not in view, and what scrolls besides one element. */
const findFaults = (page: Page) =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
    if (!dialog) return ['there is no dialog']
    const faults: string[] = []
    const scrolls = (node: Element) =>
      node.scrollHeight > node.clientHeight + 1 &&
      ['auto', 'scroll'].includes(getComputedStyle(node).overflowY)
    const scrollers = [dialog, ...dialog.querySelectorAll(':not(textarea)')].filter(scrolls)
    if (scrollers.length > 1) {
      faults.push(`${scrollers.map(({ className }) => className).join(' and ')} scroll`)
    }
    const bars = dialog.querySelectorAll('.mantine-Modal-title, [data-dialog-actions] button')
    for (const bar of bars) {
      const { top, bottom, left, right } = bar.getBoundingClientRect()
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const isWhole = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
      if (!isWhole || !bar.contains(seen)) faults.push(`${bar.textContent} is out of view`)
    }
    return faults
  })

/** Who opens which dialog: the page, and the buttons, switches or keys that lead to it. */
const DIALOGS: [title: string, user: string, path: string, steps: string[]][] = [
  ['Add New Supplier', 'admin', '/', ['Add Supplier']],
  ['Edit Supplier', 'admin', '/', ['Edit Acme Tools']],
  ['Reset Password', 'admin', '/dashboard/super-admin/suppliers/$supplier', ['Reset Password']],
  [
    'Backup History',
    'admin',
    '/dashboard/super-admin/cron-jobs',
    ['View backup history of backup'],
  ],
  ['Delete Cron Job', 'admin', '/dashboard/super-admin/cron-jobs', ['Delete clean-up']],
  ['Reset Admin Password', 'acme', '/supplier/settings', ['Change Password']],
  ['Turn on the second factor', 'acme', '/supplier/settings', ['Turn on…']],
  ['Add Webhook', 'acme', '/alerts', ['Add Webhook']],
  ['Add Connection', 'newcomer', '/supplier/connections', ['Add Connection']],
  ['Edit Connection', 'acme', '/supplier/connections', ['Edit Feed']],
  ['CSV Preview', 'acme', '/supplier/connections', ['Edit Feed', 'Preview']],
  ['Safety checks', 'acme', '/supplier/connections', ['Change checks']],
  ['Columns', 'acme', '/supplier/connections', ['Change columns']],
  ['Columns', 'acme', '/supplier/connections', ['Change columns', 'Show all 43 columns']],
  ['Discard the held file', 'acme', '/supplier/connections', ['Discard']],
  ['Publish anyway', 'acme', '/supplier/connections', ['Publish anyway']],
  ['Add New Retailer', 'acme', '/supplier/retailers', ['Add Retailer']],
  ['Add several retailers', 'acme', '/supplier/retailers', ['Add several']],
  ['Edit Retailer', 'acme', '/supplier/retailers', ['Edit Summit Sports']],
  [
    'Discard your changes?',
    'acme',
    '/supplier/retailers',
    ['Edit Summit Sports', 'Generate', 'Cancel'],
  ],
  ['Retailer Settings', 'acme', '/supplier/retailers', ['Settings of Summit Sports']],
  [
    'Retailer Settings',
    'acme',
    '/supplier/retailers',
    ['Settings of Summit Sports', 'Show All Products'],
  ],
  [
    'Settings of 1 retailer',
    'acme',
    '/supplier/retailers',
    [
      'Select Summit Sports',
      'Change settings',
      'Change which products they see',
      'Show All Products',
    ],
  ],
  [
    'Prices',
    'acme',
    '/supplier/retailers/$retailer',
    ['Change the prices', 'Make prices of costs', 'Add a tier'],
  ],
  ['Add a group', 'acme', '/supplier/groups', ['Add group', 'Make prices of costs']],
  ['Make an API key', 'acme', '/api-keys', ['Make a key']],
  ['Invite a person', 'acme', '/people', ['Invite a person']],
  ['Change the role', 'acme', '/people', ['Change the role of Ed Marsh']],
  ['Remove the person', 'acme', '/people', ['Remove Ed Marsh']],
  ['Delete Retailer', 'acme', '/supplier/retailers', ['Delete Summit Sports']],
  ['Keyboard Shortcuts', 'acme', '/supplier', ['?']],
  ['Edit Store Information', 'summit', '/retailer/settings', ['Edit Store Information']],
]

/** Controls whose names begin so; those of a dialog are the last ones. */
async function take(page: Page, step: string): Promise<void> {
  if (step.length === 1) return page.keyboard.press(step)
  const name = new RegExp(`^${step}`)
  const control = (role: 'button' | 'switch' | 'checkbox') => page.getByRole(role, { name })
  await control('button').or(control('switch')).or(control('checkbox')).last().click()
}

describe('a dialog keeps its title and actions in view, and one part of it scrolls', () => {
  it.each(DIALOGS)('%s of %s, on %s after %j', async (title, user, path, steps) => {
    const { page } = await stage.openAs(user, insertParams(path, params))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const step of steps) await take(page, step)
    await page.getByRole('dialog').filter({ hasText: title }).last().waitFor()
    await expect.poll(() => page.locator('[role="dialog"] .mantine-Skeleton-root').count()).toBe(0)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect.poll(() => findFaults(page), { message: JSON.stringify(size) }).toEqual([])
    }
  })
})

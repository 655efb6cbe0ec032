import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Tab } from './browser'
import { signIn, startStage, type Stage } from './stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.feedServer.set('/inventory.csv', { body: 'sku,category\r\n1,Shoes\r\n2,Hats\r\n' })
  const acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  await stage.addConnection(acme, { name: 'Feed', url: stage.feedServer.url('/inventory.csv') })
  await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** A window whose pages keep what the policy has forbidden them. */
async function openWatched(username: string | null): Promise<Tab> {
  const window = await stage.openWindow('about:blank')
  await window.page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(globalThis, { violations })
    document.addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.effectiveDirective} forbids ${event.blockedURI}`)
    })
  })
  if (username !== null) await signIn(window, username)
  return window
}

const violationsOn = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)

/** The address of every screen that the menu of this page leads to. */
async function listScreens(page: Page): Promise<string[]> {
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.waitFor()
  // Read once: the menu comes with all its links.
  return menu
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
  await expect.poll(() => violationsOn(page), { message: path }).toEqual([])
}

describe('the content security policy', () => {
  it.each([
    ['admin', []],
    ['acme', ['/supplier/retailers/1']],
    ['summit', []],
  ])('is kept by every screen of %s', async (username, more) => {
    const { page } = await openWatched(username)
    await page.goto('/')
    const screens = await listScreens(page)
    expect(screens.length).toBeGreaterThan(1)
    for (const path of ['/', ...screens, ...more, '/supplier', '/nowhere']) await visit(page, path)
  })

  it.each(['/auth', '/auth?mode=register', '/nowhere'])(
    'is kept by %s, where nobody is signed in',
    async (path) => {
      const { page } = await openWatched(null)
      await visit(page, path)
    },
  )

  it('is kept while a supplier works', async () => {
    const { page } = await openWatched('acme')
    await page.goto('/supplier/connections')
    await page.getByRole('button', { name: 'Edit Feed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('dialog', { name: 'CSV Preview' }).getByText('Shoes').waitFor()
    await expect.poll(() => violationsOn(page)).toEqual([])
  })

  // Without this, a page on which nothing is watched would pass as well.
  it('forbids what is not ours', async () => {
    const { page, complaints } = await openWatched(null)
    await visit(page, '/auth')
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.body.dataset.hacked = "yes"'
      document.body.append(script)
      return fetch('https://evil.example/').catch(() => undefined)
    })
    await expect
      .poll(() => violationsOn(page))
      .toEqual(['script-src-elem forbids inline', 'connect-src forbids https://evil.example/'])
    await expect.poll(() => page.locator('body').getAttribute('data-hacked')).toBeNull()
    // This once, complaints are what is wanted.
    complaints.splice(0)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Tab } from '../support/browser'
import type { Page } from '../support/page'
import { signIn, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: 'sku,category\r\n1,Shoes\r\n2,Hats\r\n' })
  const acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  await stage.addConnection(acme, { name: 'Feed', url: stage.sourceServer.url('/inventory.csv') })
  await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** Opens a window whose pages record violations of the content security policy. */
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

/** The path of every screen in the menu. */
async function listScreens(page: Page): Promise<string[]> {
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.waitFor()
  // The menu is rendered with all its links.
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
  ])('is not violated by any screen of %s', async (username, more) => {
    const { page } = await openWatched(username)
    await page.goto('/')
    const screens = await listScreens(page)
    expect(screens.length).toBeGreaterThan(1)
    for (const path of ['/', ...screens, ...more, '/supplier', '/nowhere']) await visit(page, path)
  })

  it.each(['/auth', '/auth?mode=register', '/nowhere'])(
    'is not violated by %s when signed out',
    async (path) => {
      const { page } = await openWatched(null)
      await visit(page, path)
    },
  )

  it('is not violated by the connection dialog and its preview', async () => {
    const { page } = await openWatched('acme')
    await page.goto('/supplier/connections')
    await page.getByRole('button', { name: 'Edit Feed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('dialog', { name: 'CSV Preview' })
    await preview.getByRole('cell', { name: 'Shoes' }).waitFor()
    await expect.poll(() => violationsOn(page)).toEqual([])
  })

  // Proves that violations are recorded at all.
  it('blocks inline scripts and requests to other hosts', async () => {
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
    // The browser has reported both violations, as this test wants.
    complaints.splice(0)
  })
})

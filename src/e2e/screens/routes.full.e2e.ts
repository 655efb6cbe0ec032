import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Role } from '../../shared/constants'
import type { Retailer } from '../../shared/schemas/retailer'
import { holdCalls, leaveOutFirstData } from '../support/calls'
import type { Page } from '../support/page'
import { ADMIN_PASSWORD } from '../support/product'
import { fillLogin, seeHeading, seePath } from '../support/screen'
import { PASSWORD, signIn, startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let acme: Supplier
let summit: Retailer

const USERNAMES: Record<Role, string> = {
  SUPER_ADMIN: 'admin',
  SUPPLIER: 'acme',
  RETAILER: 'summit',
}

const FORBIDDEN = 'You cannot open this page'
const passwordOf = (username: string) => (username === 'admin' ? ADMIN_PASSWORD : PASSWORD)
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const spinner = (page: Page) => page.getByRole('status', { name: 'Loading' })
const logoutButton = (page: Page) => page.getByRole('button', { name: 'Logout' })

beforeAll(async () => {
  stage = await startStage()
  acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  summit = await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

type Route = [path: string, role: Role, heading: string]

/** Every path with its role and the heading of its screen. */
const ROUTES: Route[] = [
  ['/', 'SUPER_ADMIN', 'Supplier Management'],
  ['/dashboard/super-admin', 'SUPER_ADMIN', 'Supplier Management'],
  ['/dashboard/super-admin/cron-jobs', 'SUPER_ADMIN', 'Cron Jobs Manager'],
  ['/dashboard/super-admin/settings', 'SUPER_ADMIN', 'Settings'],
  ['/dashboard/super-admin/operations', 'SUPER_ADMIN', 'Operations'],
  ['/dashboard/super-admin/system', 'SUPER_ADMIN', 'System'],
  ['/audit', 'SUPER_ADMIN', 'Audit Log'],
  ['/supplier', 'SUPPLIER', 'Welcome, Acme Tools'],
  ['/supplier/retailers', 'SUPPLIER', 'Retailers'],
  ['/supplier/retailers/:id', 'SUPPLIER', 'Summit Sports'],
  ['/supplier/retailers/:id/preview', 'SUPPLIER', 'Preview as Summit Sports'],
  ['/supplier/retailers/:id/shop', 'SUPPLIER', 'Connect Summit Sports'],
  ['/supplier/connections', 'SUPPLIER', 'Data Connections'],
  ['/supplier/inventory', 'SUPPLIER', 'Inventory Preview'],
  ['/supplier/groups', 'SUPPLIER', 'Groups'],
  ['/supplier/card', 'SUPPLIER', 'Card'],
  ['/supplier/settings', 'SUPPLIER', 'Settings'],
  ['/supplier/activity', 'SUPPLIER', 'Activity'],
  ['/retailer', 'RETAILER', 'Dashboard'],
  ['/retailer/inventory', 'RETAILER', 'Inventory Preview'],
  ['/retailer/settings', 'RETAILER', 'Settings'],
  ['/retailer/shop', 'RETAILER', 'Connect your shop'],
  ['/retailer/directory', 'RETAILER', 'Find suppliers'],
  ['/retailer/merged-file', 'RETAILER', 'Merged file'],
]

const toAddress = (path: string) => path.replace(':id', String(summit.id))
const visitors = Object.entries(USERNAMES) as [Role, string][]

describe('each screen', () => {
  it.each(ROUTES)('%s is only for %s, who returns to it after signing in', async (...route) => {
    const visits = visitors.map(([visitor, username]) =>
      visitor === route[1] ? signInAndReturn(route) : seeForbidden(username, route),
    )
    await Promise.all(visits)
  })

  it('links to the user’s own dashboard when it is forbidden', async () => {
    const { page } = await stage.openAs('acme', '/retailer/settings')
    await page.getByRole('link', { name: 'Go to your dashboard' }).click()
    await seeHeading(page, 'Welcome, Acme Tools')
  })

  async function signInAndReturn([path, role, heading]: Route) {
    const { page } = await stage.openAs(null, toAddress(path))
    await seePath(page, '/auth')
    await fillLogin(page, USERNAMES[role], passwordOf(USERNAMES[role]))
    await seeScreen(page, path, heading)
  }

  async function seeForbidden(username: string, [path, , heading]: Route) {
    // `/` sends the other roles to their own dashboards.
    if (path === '/') return
    const { page } = await stage.openAs(username, toAddress(path))
    await seeScreen(page, path, FORBIDDEN)
    await expect
      .poll(() => page.getByRole('heading', { name: heading, exact: true }).count())
      .toBe(0)
  }

  async function seeScreen(page: Page, path: string, heading: string) {
    await seeHeading(page, heading)
    await menu(page).waitFor()
    await seePath(page, toAddress(path))
    await expect.poll(() => page.title()).toMatch(/ · Stockbridge$/)
  }
})

describe('signing in', () => {
  it.each([
    ['acme', '/supplier', 'Welcome, Acme Tools'],
    ['summit', '/retailer', 'Dashboard'],
  ])('/ sends %s to %s', async (username, path, heading) => {
    const { page } = await stage.openAs(username, '/')
    await seeHeading(page, heading)
    await seePath(page, path)
  })

  it.each([
    ['admin', '/', 'Supplier Management'],
    ['acme', '/supplier', 'Welcome, Acme Tools'],
    ['summit', '/retailer', 'Dashboard'],
  ])('/auth sends the signed-in %s to %s', async (username, path, heading) => {
    const { page } = await stage.openAs(username, '/auth')
    await seeHeading(page, heading)
    await seePath(page, path)
  })

  it('keeps the query of the requested URL', async () => {
    const { page } = await stage.openAs(null, '/supplier/retailers?q=summit')
    await fillLogin(page, 'acme', PASSWORD)
    await seeHeading(page, 'Retailers')
    await expect.poll(() => page.getByLabel('Search retailers').inputValue()).toBe('summit')
  })

  it.each([
    '//evil.example',
    'https://evil.example/supplier',
    '/\\evil.example/supplier',
    '/\t/evil.example/supplier',
    'javascript:document.title="x"',
    '/retailer',
    '/api/user',
  ])('does not follow %j', async (next) => {
    const { page } = await stage.openAs(null, 'about:blank')
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`/auth?next=${encodeURIComponent(next)}`)
    await fillLogin(page, 'acme', PASSWORD)
    await seeHeading(page, 'Welcome, Acme Tools')
    await page.waitForURL(`${stage.product.url}/supplier`)
    expect([...hosts]).toEqual([new URL(stage.product.url).host])
  })

  it('shows only a spinner while the user loads', async () => {
    const window = await stage.openAs(null, 'about:blank')
    await signIn(window, 'acme')
    const { page } = window
    const release = await holdCalls(page, 'session.current')
    await page.goto('/supplier')
    await spinner(page).waitFor()
    await expect.poll(() => page.locator('#root').innerText()).toBe('')
    release()
    await seeHeading(page, 'Welcome, Acme Tools')
    await expect.poll(() => spinner(page).count()).toBe(0)
  })

  it('shows an error when the user cannot be loaded, and retries', async () => {
    const window = await stage.openAs(null, 'about:blank')
    await signIn(window, 'acme')
    const { page, expected } = window
    expected.push(/ERR_FAILED/)
    await leaveOutFirstData(page)
    await page.route('**/trpc/**', (route) => route.abort())
    await page.goto('/supplier')
    await page.getByText('Your account could not be loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await seeHeading(page, 'Welcome, Acme Tools')
  })
})

describe('an unknown path', () => {
  const PATHS = ['/nowhere', '/supplier/nowhere', '/retailers', '/supplier/retailers/1/more']

  it.each(PATHS)('%s shows the not-found page, signed in or not', async (path) => {
    const visits = [null, 'acme', 'summit'].map(async (username) => {
      const { page } = await stage.openAs(username, path)
      await seeHeading(page, '404 Page Not Found')
      await page.getByText('Did you forget to add the page to the router?').waitFor()
      await expect.poll(() => page.getByRole('main').count()).toBe(1)
      // Whoever is signed in keeps the shell.
      await expect.poll(() => menu(page).count()).toBe(username === null ? 0 : 1)
      await seePath(page, path)
    })
    await Promise.all(visits)
  })

  it('links to the start page', async () => {
    const { page } = await stage.openAs('acme', '/nowhere')
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await seeHeading(page, 'Welcome, Acme Tools')
  })
})

describe('the frame', () => {
  it.each([
    [
      'admin',
      'AD',
      {
        Dashboard: '/dashboard/super-admin',
        'Cron Jobs': '/dashboard/super-admin/cron-jobs',
        Settings: '/dashboard/super-admin/settings',
        Operations: '/dashboard/super-admin/operations',
        System: '/dashboard/super-admin/system',
        'Audit Log': '/audit',
      },
    ],
    [
      'acme',
      'AC',
      {
        Dashboard: '/supplier',
        Retailers: '/supplier/retailers',
        Connections: '/supplier/connections',
        'Inventory Preview': '/supplier/inventory',
        Settings: '/supplier/settings',
        Activity: '/supplier/activity',
      },
    ],
    [
      'summit',
      'SU',
      {
        Dashboard: '/retailer',
        'Inventory Preview': '/retailer/inventory',
        Settings: '/retailer/settings',
        'Connect your shop': '/retailer/shop',
        'Find suppliers': '/retailer/directory',
      },
    ],
  ])(
    'shows %s the menu of the role, the greeting and the initials %s',
    async (username, initials, entries) => {
      const { page } = await stage.openAs(username, '/')
      await page.getByText(`Welcome back, ${username}`, { exact: true }).waitFor()
      const links = menu(page).getByRole('link')
      await expect
        .poll(() =>
          links.evaluateAll((all: HTMLElement[]) =>
            all.map((link) => [link.innerText, link.getAttribute('href')]),
          ),
        )
        .toEqual(Object.entries(entries))
      const avatar = page.getByRole('button', { name: `account of ${username}` })
      await expect.poll(() => avatar.innerText()).toBe(initials)
      await expect.poll(() => logoutButton(page).innerText()).toBe('Logout')
    },
  )

  it('highlights the menu item of the current screen', async () => {
    const { page } = await stage.openAs('acme', '/supplier')
    for (const [entry, heading] of [
      ['Retailers', 'Retailers'],
      ['Connections', 'Data Connections'],
      ['Inventory Preview', 'Inventory Preview'],
      ['Dashboard', 'Welcome, Acme Tools'],
    ] as const) {
      await menu(page).getByRole('link', { name: entry }).click()
      await seeHeading(page, heading)
      await expect
        .poll(() => menu(page).locator('[aria-current="page"]').allInnerTexts())
        .toEqual([entry])
    }
  })

  it('is left out on paper, with all that can be pressed', async () => {
    const { page } = await stage.openAs('acme', '/supplier/retailers')
    await page.getByRole('cell', { name: 'Summit Sports' }).first().waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect.poll(() => menu(page).isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: /Add|Edit/ }).count()).toBe(0)
    await page.getByRole('cell', { name: 'Summit Sports' }).first().waitFor()
    await expect
      .poll(() => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor))
      .toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ media: 'screen', colorScheme: null })
  })

  it('shows the menu in a drawer on phones, which closes on navigation', async () => {
    const window = await stage.openWindow('about:blank', { viewport: { width: 390, height: 800 } })
    await signIn(window, 'acme')
    await window.page.goto('/supplier')
    await expect.poll(() => menu(window.page).count()).toBe(0)
    await window.page.getByRole('button', { name: 'Open the menu' }).click()
    await menu(window.page).getByRole('link', { name: 'Retailers' }).click()
    await seeHeading(window.page, 'Retailers')
    await menu(window.page).waitFor({ state: 'detached' })
    await window.page.getByRole('button', { name: 'Open the menu' }).click()
    await window.page.getByRole('button', { name: 'Close the menu' }).click()
    await menu(window.page).waitFor({ state: 'detached' })
  })
})

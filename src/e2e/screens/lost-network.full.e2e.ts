import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { leaveOutFirstData, UNREACHABLE, whileOffline } from '../support/calls'
import type { Page } from '../support/page'
import { seeHeading } from '../support/screen'
import { signIn, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const acme = await stage.addSupplier('acme')
  await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const failure = (page: Page) => page.getByText(UNREACHABLE).first()
const open = (page: Page, name: string) => menu(page).getByRole('link', { name }).click()

/** The stylesheets of a page that have no rules. */
const unstyledOf = (page: Page) =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
    const hasRules = ({ sheet }: HTMLLinkElement) => {
      try {
        return (sheet?.cssRules.length ?? 0) > 0
      } catch {
        return false
      }
    }
    return links.filter((link) => !hasRules(link)).map(({ href }) => href)
  })

/** A window that has loaded only the supplier's dashboard. */
async function openFresh() {
  const window = await stage.openWindow('about:blank')
  // What the browser says of code that cannot be loaded.
  window.expected.push(/The server could not be reached/)
  await signIn(window, 'acme')
  await window.page.goto('/supplier')
  await seeHeading(window.page, 'Welcome, acme company')
  return window
}

describe('a page that failed to load while the network was lost', () => {
  it('is loaded by itself when its code is missing', async () => {
    const window = await openFresh()
    const { page } = window
    await whileOffline(window, async () => {
      await open(page, 'Settings')
      await failure(page).waitFor()
    })
    await seeHeading(page, 'Settings')
    await expect.poll(() => failure(page).count()).toBe(0)
    await expect.poll(() => unstyledOf(page)).toEqual([])
  })

  it('is loaded by itself when its data are missing', async () => {
    const window = await openFresh()
    const { page } = window
    // From now on the browser has its code.
    await page.goto('/supplier/activity')
    await seeHeading(page, 'Activity')
    await page.goto('/supplier')
    await waitUntilIdle(page)
    await whileOffline(window, async () => {
      await open(page, 'Activity')
      await page.getByText('The entries could not be loaded').waitFor()
      // Long enough that the loss is told.
      await page.getByText('Connection lost, reconnecting …').waitFor()
    })
    await page.getByRole('table', { name: 'Entries' }).getByRole('row').nth(1).waitFor()
    await expect.poll(() => page.getByText('Connection lost').count()).toBe(0)
  })

  it('opens when it is chosen again later', async () => {
    const window = await openFresh()
    const { page } = window
    await whileOffline(window, async () => {
      await open(page, 'Settings')
      await failure(page).waitFor()
      await open(page, 'Dashboard')
      await seeHeading(page, 'Welcome, acme company')
    })
    await open(page, 'Settings')
    await seeHeading(page, 'Settings')
  })
})

describe('an application that could not load the account', () => {
  it('goes on by itself when the network is back', async () => {
    const { page, expected } = await openFresh()
    expected.push(/ERR_FAILED/)
    await leaveOutFirstData(page)
    await page.route('**/trpc/**', (route) => route.abort())
    await page.reload()
    await page.getByText('Your account could not be loaded').waitFor()
    await page.unrouteAll()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await seeHeading(page, 'Welcome, acme company')
  })
})

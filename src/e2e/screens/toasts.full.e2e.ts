import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { stopClock } from '../support/browser'
import { UNREACHABLE } from '../support/calls'
import { readNow, type Page } from '../support/page'
import {
  fillLogin,
  isFocused,
  notifications,
  pressDisabledGoogle,
  seeHeading,
  seeSuccess,
  seeToast,
} from '../support/screen'
import { signIn, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.addSupplier('acme')
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const GOOGLE = 'Google sign-in failed'
const toast = (page: Page) => notifications(page).locator('[aria-atomic]')
const googleButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })

/** Opens /auth with a stopped clock. */
async function openTimed(): Promise<Page> {
  const { page } = await stage.openWindow('/auth', { reducedMotion: 'reduce' })
  await googleButton(page).waitFor()
  await waitUntilIdle(page)
  await stopClock(page)
  return page
}

/** Shows an error toast on /auth, waits for its animation, and returns a point on it. */
async function openWithToast(options?: Parameters<Stage['openWindow']>[1]) {
  const { page } = await (options
    ? stage.openWindow('/auth', options)
    : stage.openAs(null, '/auth'))
  await pressDisabledGoogle(page)
  await toast(page).waitFor()
  await toast(page).evaluate((node) =>
    Promise.all(node.getAnimations().map((animation) => animation.finished)),
  )
  // Read once: its animation has finished.
  const box = await readNow(toast(page).boundingBox())
  if (!box) throw new Error('The toast has no bounding box')
  return { page, from: { x: box.x + 60, y: box.y + box.height / 2 } }
}

async function dragWithMouse(page: Page, from: { x: number; y: number }, distance: number) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + distance / 2, from.y + 2, { steps: 3 })
  await page.mouse.move(from.x + distance, from.y + 2, { steps: 3 })
  await page.mouse.up()
}

async function dragWithFinger(page: Page, from: { x: number; y: number }, distance: number) {
  const session = await page.context().newCDPSession(page.mainFrame())
  const at = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x, y: from.y }],
    })
  await at('touchStart', from.x)
  for (let step = 1; step <= 5; step += 1) await at('touchMove', from.x + (distance * step) / 5)
  await at('touchEnd')
}

describe('a toast', () => {
  it('replaces the previous one', async () => {
    const { page } = await openWithToast()
    await fillLogin(page, 'acme', 'not-the-password')
    await seeToast(page, 'alert', 'Login failed', 'Invalid username or password')
    await expect.poll(() => toast(page).count()).toBe(1)
    await expect.poll(() => notifications(page).innerText()).not.toContain(GOOGLE)
  })

  it('is an alert for an error and a status for a success', async () => {
    const { page } = await openWithToast()
    await expect.poll(() => toast(page).getAttribute('role')).toBe('alert')
    await page.goto('about:blank')
    const { page: admin } = await stage.openAs('admin', '/dashboard/super-admin')
    await admin.getByRole('switch', { name: 'acme company is active' }).click()
    await seeSuccess(admin, 'Supplier updated successfully')
    await expect.poll(() => toast(admin).getAttribute('role')).toBe('status')
    await admin.getByRole('switch', { name: 'acme company is active' }).click()
    await admin.getByRole('switch', { name: 'acme company is active', checked: true }).waitFor()
  })

  it('closes after five seconds', async () => {
    const page = await openTimed()
    await pressDisabledGoogle(page)
    await page.mouse.move(5, 5)
    await toast(page).waitFor()
    await page.clock.runFor(4_900)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.clock.runFor(200)
    await toast(page).waitFor({ state: 'detached' })
  })

  it('stays while the mouse is over it, and closes afterwards', async () => {
    const page = await openTimed()
    await pressDisabledGoogle(page)
    await toast(page).hover()
    await page.clock.runFor(60_000)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.mouse.move(5, 5)
    await page.clock.runFor(5_100)
    await toast(page).waitFor({ state: 'detached' })
  })

  it('stays while it has the focus', async () => {
    const page = await openTimed()
    await pressDisabledGoogle(page)
    await page.mouse.move(5, 5)
    await toast(page).waitFor()
    await page.keyboard.press('F8')
    await page.keyboard.press('Tab')
    const close = page.getByRole('button', { name: 'Dismiss notification' })
    await expect.poll(() => isFocused(close)).toBe(true)
    await page.clock.runFor(60_000)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.keyboard.press('Enter')
    await toast(page).waitFor({ state: 'detached' })
  })

  it('stays five seconds from its own start when it replaces another', async () => {
    const page = await openTimed()
    await pressDisabledGoogle(page)
    await page.mouse.move(5, 5)
    await page.clock.runFor(4_000)
    await pressDisabledGoogle(page)
    await page.mouse.move(5, 5)
    await page.clock.runFor(4_000)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.clock.runFor(1_500)
    await toast(page).waitFor({ state: 'detached' })
  })

  it('is closed by its button', async () => {
    const { page } = await openWithToast()
    await page.getByRole('button', { name: 'Dismiss notification' }).click()
    await toast(page).waitFor({ state: 'detached' })
  })
})

describe('a swipe', () => {
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }

  it.each([
    ['mouse', undefined, dragWithMouse],
    ['finger', phone, dragWithFinger],
  ])('to the right by %s dismisses a toast only beyond 50 px', async (_, options, drag) => {
    const { page, from } = await openWithToast(options)
    await drag(page, from, 40)
    await expect.poll(async () => (await readNow(toast(page).getAttribute('style'))) ?? '').toBe('')
    await drag(page, from, -120)
    await expect.poll(async () => (await readNow(toast(page).getAttribute('style'))) ?? '').toBe('')
    await expect.poll(() => toast(page).count()).toBe(1)
    await drag(page, from, 56)
    await toast(page).waitFor({ state: 'detached', timeout: 2_000 })
  })

  it('moves the toast with the pointer', async () => {
    const { page, from } = await openWithToast()
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y, { steps: 4 })
    await expect.poll(() => toast(page).getAttribute('style')).toContain('translateX(40px)')
    await page.mouse.up()
    await expect.poll(async () => (await readNow(toast(page).getAttribute('style'))) ?? '').toBe('')
  })
})

describe('F8', () => {
  it('moves the focus to the toast region, from an input and without a toast', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await page.getByLabel('Username').focus()
    await page.keyboard.press('F8')
    await expect.poll(() => isFocused(notifications(page))).toBe(true)
  })

  it('moves the focus out of an open dialog, which stays open', async () => {
    const { page } = await stage.openAs('acme', '/supplier/retailers')
    await page.getByRole('button', { name: 'Add Retailer' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add New Retailer' })
    await dialog.getByLabel('Username').fill('acme')
    await dialog.getByLabel('Password', { exact: true }).fill('123456')
    await dialog.getByLabel('Email').fill('a@b.example')
    await dialog.getByLabel('Store Name').fill('Store')
    await dialog.getByRole('button', { name: 'Create Retailer' }).click()
    await seeToast(page, 'alert', 'Error', 'This username is already taken')
    await page.keyboard.press('F8')
    await expect.poll(() => isFocused(notifications(page))).toBe(true)
    await page.keyboard.press('Tab')
    await expect
      .poll(() => isFocused(page.getByRole('button', { name: 'Dismiss notification' })))
      .toBe(true)
    await page.keyboard.press('Enter')
    await toast(page).waitFor({ state: 'detached' })
    await dialog.waitFor()
  })
})

describe('when the server is down', () => {
  it('failures are shown as toasts, and no page is blank', async () => {
    // A new one has loaded no page before.
    const window = await stage.openWindow('/auth')
    const { page, expected } = window
    await signIn(window, 'acme')
    await page.goto('/supplier')
    expected.push(/ERR_CONNECTION_REFUSED|imported module|preload CSS|could not be reached/)
    await seeHeading(page, 'Welcome, acme company')
    await waitUntilIdle(page)
    await stage.product.stop()

    await page.getByRole('button', { name: 'Logout' }).click()
    await seeToast(page, 'alert', 'Logout failed', UNREACHABLE)
    await seeHeading(page, 'Welcome, acme company')

    // The code of this page has not been loaded.
    await page.getByRole('button', { name: /account of acme/ }).click()
    await page.getByRole('menuitem', { name: 'People' }).click()
    await seeHeading(page, 'This page could not be shown')
    await page.getByRole('button', { name: 'Try Again' }).waitFor()
    await page.getByRole('main').getByText(UNREACHABLE).waitFor()
  })
})

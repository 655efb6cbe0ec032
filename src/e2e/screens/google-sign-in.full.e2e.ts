import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startDemoIssuer, type DemoIssuer } from '../../../scripts/demo-issuer'
import type { Person } from '../../../scripts/demo-issuer-page'
import type { User } from '../../shared/schemas/user'
import { openTab, stopClock, type Tab } from '../support/browser'
import { holdCalls, inputSent } from '../support/calls'
import type { Page } from '../support/page'
import { makeDataDir, removeDataDir, startProduct } from '../support/product'
import {
  isFocused,
  notifications,
  seeApplication,
  seeHeading,
  seePath,
  seeSuccess,
  seeToast,
} from '../support/screen'
import { startStage, type Stage } from '../support/stage'

const nora: Person = { subject: 'nora', name: 'Nora Beck', email: 'nora.beck@lakeside.example' }
const tomas: Person = { subject: 'tomas', name: 'Tomas Ferro', email: 'stock@acme.example' }
const mika: Person = { subject: 'mika', name: 'Mika Lind', email: 'mika@lind.example' }
const vera: Person = { ...mika, subject: 'vera', name: 'Vera Onge', isVerified: false }

let issuer: DemoIssuer
let stage: Stage

const settings = () => ({
  OIDC_ISSUER: issuer.issuer,
  OIDC_CLIENT_ID: issuer.clientId,
  OIDC_CLIENT_SECRET: issuer.clientSecret,
  OIDC_ALLOW_LOOPBACK: 'true',
})

beforeAll(async () => {
  issuer = await startDemoIssuer([nora, tomas, mika, vera])
  stage = await startStage(settings())
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await issuer.close()
})

const googleButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })
const loginButton = (page: Page) => page.getByRole('button', { name: 'Login', exact: true })
const pendingPage = (page: Page) =>
  page.getByRole('heading', { name: 'Continue in the sign-in window' })
const failure = (page: Page, reason: string) =>
  seeToast(page, 'alert', 'Google sign-in failed', reason)
const CLOSED = 'The sign-in window was closed before the sign-in was finished.'

/** Presses the button and waits for the provider's page in the new window. */
async function openWindow({ page, complaints }: Pick<Tab, 'page' | 'complaints'>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), googleButton(page).click()])
  popup.on('console', (message) => {
    const isExpected = /status of [45]\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected)
      complaints.push(message.text())
  })
  await popup.getByRole('heading', { name: 'Choose an account' }).waitFor()
  return popup
}

/** Presses a button at the provider and waits for the window to close. */
async function chooseIn(popup: Page, name: string): Promise<void> {
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name }).click()])
}

const currentUser = async (page: Page): Promise<User> =>
  (await page.context().request.get('/api/user')).json() as Promise<User>

describe('a sign-in with Google', () => {
  it('opens a window and ends on the dashboard of a new supplier', async () => {
    const tab = await stage.openAs(null, '/auth')
    const { page } = tab
    const popup = await openWindow(tab)
    await popup.waitForURL((url) => url.origin === issuer.issuer)
    await pendingPage(page).waitFor()
    await expect.poll(() => loginButton(page).isVisible()).toBe(false)
    const body = await inputSent(page, 'session.google', () => chooseIn(popup, nora.name))
    expect(body).toEqual({
      email: nora.email,
      displayName: nora.name,
      photoURL: null,
      uid: nora.subject,
      role: 'SUPPLIER',
      maxRetailers: 10,
    })
    await seeSuccess(page, 'Signed in with Google successfully')
    await seePath(page, '/supplier')
    await seeHeading(page, `Welcome, ${nora.name}`)
    await page.getByText('of 10 maximum allowed retailers').waitFor()
    expect(await currentUser(page)).toMatchObject({ username: 'nora.beck', role: 'SUPPLIER' })
  })

  it('finds the same user the next time, and returns to the requested page', async () => {
    const before = await stage.admin.send('GET', '/api/suppliers')
    const tab = await stage.openAs(null, '/supplier/connections')
    await googleButton(tab.page).waitFor()
    await chooseIn(await openWindow(tab), nora.name)
    await seeHeading(tab.page, 'Data Connections')
    expect(await currentUser(tab.page)).toMatchObject({ username: 'nora.beck' })
    expect((await stage.admin.send('GET', '/api/suppliers')).body).toEqual(before.body)
  })

  it('works from the registration form as well', async () => {
    const tab = await stage.openAs(null, '/auth?mode=register')
    await chooseIn(await openWindow(tab), nora.name)
    await seeHeading(tab.page, `Welcome, ${nora.name}`)
  })

  it('shows the spinner until the server has responded', async () => {
    const tab = await stage.openAs(null, '/auth')
    const release = await holdCalls(tab.page, 'session.google')
    await chooseIn(await openWindow(tab), nora.name)
    await tab.page.getByRole('status', { name: 'Signing in' }).waitFor()
    await expect.poll(() => googleButton(tab.page).isVisible()).toBe(false)
    release()
    await seeHeading(tab.page, `Welcome, ${nora.name}`)
  })

  it('never takes over an account with the same email address', async () => {
    const acme = await stage.addSupplier('stock', { contactEmail: tomas.email })
    const tab = await stage.openAs(null, '/auth')
    await chooseIn(await openWindow(tab), tomas.name)
    await seeHeading(tab.page, `Welcome, ${tomas.name}`)
    const user = await currentUser(tab.page)
    expect(user).toMatchObject({
      username: 'stock-2',
      companyName: null,
      contactEmail: tomas.email,
    })
    expect(user.id).not.toBe(acme.id)
  })
})

describe('a sign-in with Google that fails', () => {
  it('is reported 8 seconds after its window was closed', async () => {
    const tab = await stage.openWindow('/auth')
    const { page } = tab
    await googleButton(page).waitFor()
    await stopClock(page)
    const popup = await openWindow(tab)
    await popup.close()
    await page.clock.runFor(8_000)
    await expect.poll(() => notifications(page).innerText()).toBe('')
    await pendingPage(page).waitFor()
    await page.clock.runFor(1_000)
    await failure(page, CLOSED)
    await loginButton(page).waitFor()
    await expect.poll(() => isFocused(googleButton(page))).toBe(true)
  })

  it('shows no error when a newer window replaces it and signs in', async () => {
    const tab = await stage.openWindow('/auth')
    const older = await openWindow(tab)
    const page: Page = await tab.page.context().newPage()
    await page.goto('/auth')
    const newer = await openWindow({ page, complaints: tab.complaints })
    await loginButton(tab.page).waitFor()
    await expect.poll(() => older.isClosed()).toBe(true)
    await expect.poll(() => notifications(tab.page).innerText()).toBe('')
    await chooseIn(newer, nora.name)
    await seeHeading(page, `Welcome, ${nora.name}`)
    // All windows of the browser share the session.
    await seeHeading(tab.page, `Welcome, ${nora.name}`)
  })

  it('is cancelled by the Cancel button, which closes the window', async () => {
    const tab = await stage.openAs(null, '/auth')
    const { page } = tab
    const popup = await openWindow(tab)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await loginButton(page).waitFor()
    await expect.poll(() => popup.isClosed()).toBe(true)
    await expect.poll(() => notifications(page).innerText()).toBe('')
    await expect.poll(() => isFocused(googleButton(page))).toBe(true)
    await chooseIn(await openWindow(tab), nora.name)
    await seeHeading(page, `Welcome, ${nora.name}`)
  })

  it('reports that the window was blocked', async () => {
    const { page } = await stage.openWindow('/auth')
    await page.evaluate(() => {
      window.open = () => null
    })
    await googleButton(page).click()
    await failure(
      page,
      'The browser blocked the sign-in window. Allow pop-ups for this site and try again.',
    )
    await expect.poll(() => loginButton(page).isVisible()).toBe(true)
  })

  it.each([
    ['Cancel', 'The sign-in was cancelled at the identity provider.'],
    [vera.name, 'Your email address is not verified at the identity provider.'],
  ])('shows the reason after %s at the provider', async (choice, reason) => {
    const tab = await stage.openAs(null, '/auth')
    await chooseIn(await openWindow(tab), choice)
    await failure(tab.page, reason)
    await expect.poll(() => loginButton(tab.page).isVisible()).toBe(true)
  })

  it('shows a deactivated supplier the same message as for a wrong password', async () => {
    const tab = await stage.openAs(null, '/auth')
    await chooseIn(await openWindow(tab), mika.name)
    await seeHeading(tab.page, `Welcome, ${mika.name}`)
    const { id } = await currentUser(tab.page)
    await stage.admin.send('PATCH', `/api/suppliers/${id}`, { isActive: false })
    const later = await stage.openAs(null, '/auth')
    await chooseIn(await openWindow(later), mika.name)
    await failure(later.page, 'Invalid username or password')
  })

  it('is refused when completed in another browser', async () => {
    const attacker = (await stage.openWindow('/auth')).page.context().request
    const startResponse = await attacker.get('/api/auth/google/start')
    const form = { subject: nora.subject }
    const choice = await attacker.post(startResponse.url(), { form, maxRedirects: 0 })
    const response = await attacker.get(choice.headers().location ?? '', { maxRedirects: 0 })
    const victim = await stage.openWindow(response.headers().location ?? '')
    await seeHeading(victim.page, 'Google sign-in failed')
    await victim.page
      .getByText(/^This sign-in has expired, or a newer one has replaced it/)
      .waitFor()
    expect((await victim.page.context().request.get('/api/user')).status()).toBe(401)
    // This window has no opener to close it, so it stays open with its message.
    await expect.poll(() => victim.complaints.splice(0)).toHaveLength(1)
  })
})

describe('a provider whose pages sever window.opener', () => {
  it('is reported as closed after 8 seconds, and can still sign in', async () => {
    const tab = await stage.openWindow('/auth')
    const { page } = tab
    await googleButton(page).waitFor()
    await stopClock(page)
    const popup = await openWindow(tab)
    const hasOpener = () => popup.evaluate(() => window.opener !== null)
    await expect.poll(hasOpener).toBe(true)
    await popup.route('**', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' }
      await route.fulfill({ response, headers })
    })
    await popup.reload()
    await popup.unrouteAll()
    await expect.poll(hasOpener).toBe(false)
    await page.clock.runFor(9_000)
    await failure(page, CLOSED)
    await page.clock.resume()
    await popup.getByRole('button', { name: nora.name }).click()
    await seeHeading(page, `Welcome, ${nora.name}`)
  })
})

describe('when registration is closed or the provider is down', () => {
  async function withProduct(
    environment: Record<string, string>,
    use: (tab: Tab) => Promise<void>,
  ) {
    const dataDir = await makeDataDir()
    const product = await startProduct(dataDir, { ...settings(), ...environment })
    const tab = await openTab(stage.browser, product.url)
    await tab.page.goto('/auth')
    await seeApplication(tab.page)
    await use(tab)
    expect(tab.complaints).toEqual([])
    await tab.close()
    await product.stop()
    await removeDataDir(dataDir)
  }

  it('a new user is told that registration is closed', () =>
    withProduct({ ALLOW_SIGNUP: 'false' }, async (tab) => {
      await chooseIn(await openWindow(tab), nora.name)
      await failure(tab.page, 'Registration is closed. Ask an administrator for an account.')
      await loginButton(tab.page).waitFor()
    }))

  it('the product starts, and says that the provider cannot be reached', () =>
    withProduct({ OIDC_ISSUER: 'http://127.0.0.1:9' }, async ({ page, expected }) => {
      expected.push(/status of 503/)
      await googleButton(page).click()
      await failure(page, 'The identity provider could not be reached. Try again in a moment.')
      await loginButton(page).waitFor()
    }))
})

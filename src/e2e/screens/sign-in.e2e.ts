import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { toKey } from '../../server/domain/attempts'
import { openTab } from '../support/browser'
import {
  failWithoutMessage,
  holdCalls,
  UNREACHABLE,
  watchCalls,
  whileOffline,
} from '../support/calls'
import type { Page } from '../support/page'
import { makeDataDir, removeDataDir, startProduct } from '../support/product'
import {
  fillLogin,
  isFocused,
  messageOf,
  notifications,
  pressDisabledGoogle,
  seeHeading,
  seePath,
  seeToast,
} from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

const APP_NAME = 'Harbour Supply'
const TAGLINE = 'Effortlessly manage your retailers and inventory sharing'
const MARKETING = 'Expand your business with our all-in-one B2B platform'

let stage: Stage

beforeAll(async () => {
  stage = await startStage({ APP_NAME })
  await stage.addSupplier('acme', { companyName: 'Acme Tools' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const username = (page: Page) => page.getByLabel('Username')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const loginButton = (page: Page) => page.getByRole('button', { name: 'Login', exact: true })
const spinner = (page: Page) => page.getByRole('status', { name: 'Signing in' })
const registration = (page: Page) => {
  const form = page.getByRole('form', { name: 'Registration' })
  return {
    companyName: form.getByLabel('Company Name'),
    contactEmail: form.getByLabel('Contact Email'),
    username: form.getByLabel('Username'),
    password: form.getByLabel('Password', { exact: true }),
    submit: form.getByRole('button', { name: 'Create account' }),
  }
}

describe('the login form', () => {
  it('shows an error under each empty field and focuses the first', async () => {
    const { page } = await stage.openAs(null, '/auth')
    const calls = watchCalls(page)
    await loginButton(page).click()
    await page.getByText('Username is required').waitFor()
    await expect.poll(() => messageOf(username(page))).toBe('Username is required')
    await expect.poll(() => messageOf(password(page))).toBe('Password is required')
    await expect.poll(() => isFocused(username(page))).toBe(true)

    await username(page).fill('acme')
    await loginButton(page).click()
    await page.getByText('Username is required').waitFor({ state: 'detached' })
    await expect.poll(() => messageOf(password(page))).toBe('Password is required')
    await expect.poll(() => isFocused(password(page))).toBe(true)
    await waitUntilIdle(page)
    expect(calls).not.toContain('session.login')
  })

  it('shows the server’s error for a wrong password, and keeps the username', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await fillLogin(page, 'acme', 'not-the-password')
    await seeToast(page, 'alert', 'Login failed', 'Invalid username or password')
    await expect.poll(() => username(page).inputValue()).toBe('acme')
    await expect.poll(() => password(page).inputValue()).toBe('')
    await expect.poll(() => isFocused(password(page))).toBe(true)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await seeHeading(page, 'Welcome, Acme Tools')
    await expect.poll(() => notifications(page).innerText()).toBe('')
  })

  it('shows the same error for an unknown username', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await fillLogin(page, 'nobody', PASSWORD)
    await seeToast(page, 'alert', 'Login failed', 'Invalid username or password')
    const form = page.getByRole('form', { name: 'Login' })
    await form.getByRole('alert').filter({ hasText: 'Invalid username or password' }).waitFor()
    await form.getByText(/^Forgotten your password\? Ask your supplier\./).waitFor()
  })

  it('says how long to wait after too many attempts, and keeps the input', async () => {
    const { page } = await stage.openAs(null, '/auth')
    const key = toKey({ limit: 'loginFromAddress', subject: 'peak 127.0.0.1' })
    const failures = Array.from({ length: 11 }, () => ({ ...key, attemptedAt: Date.now() }))
    await stage.write((trx) => trx.insertInto('attempts').values(failures).execute())
    await fillLogin(page, 'peak', PASSWORD)
    await page
      .getByRole('alert')
      .filter({ has: page.getByText('Login failed') })
      .getByText(/^Too many attempts\. Try again in \d+ seconds?\.$/)
      .waitFor()
    await expect.poll(() => username(page).inputValue()).toBe('peak')
    await expect.poll(() => password(page).inputValue()).toBe(PASSWORD)
    await expect.poll(() => isFocused(password(page))).toBe(true)
  })

  it('marks both empty fields as invalid', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await loginButton(page).click()
    await page.getByText('Username is required').waitFor()
    for (const field of [username(page), password(page)]) {
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    }
  })

  it('is replaced by a spinner while the sign-in is pending', async () => {
    const { page } = await stage.openAs(null, '/auth')
    const release = await holdCalls(page, 'session.login')
    await fillLogin(page, 'acme', PASSWORD)
    await spinner(page).waitFor()
    await expect.poll(() => loginButton(page).isVisible()).toBe(false)
    await expect.poll(() => page.getByText(TAGLINE).isVisible()).toBe(false)
    release()
    await seePath(page, '/supplier')
    await seeHeading(page, 'Welcome, Acme Tools')
  })

  it('reappears with an error when the server cannot be reached', async () => {
    const window = await stage.openAs(null, '/auth')
    const { page } = window
    // The first keystroke loads the validation schemas.
    await username(page).fill('acme')
    await waitUntilIdle(page)
    await whileOffline(window, async () => {
      await fillLogin(page, 'acme', PASSWORD)
      await seeToast(page, 'alert', 'Login failed', UNREACHABLE)
    })
    await expect.poll(() => loginButton(page).isVisible()).toBe(true)
  })

  it('ignores case and surrounding spaces of the username', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await fillLogin(page, '  ACME ', PASSWORD)
    await seeHeading(page, 'Welcome, Acme Tools')
  })

  it('keeps the input out of the URL', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await fillLogin(page, 'acme', 'not-the-password')
    await seeToast(page, 'alert', 'Login failed', 'Invalid username or password')
    await page.waitForURL(`${stage.product.url}/auth`)
  })
})

describe('Sign in with Google', () => {
  it('says when no identity provider is configured', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await page.getByText('Or continue with').waitFor()
    const button = page.getByRole('button', { name: 'Sign in with Google' })
    await expect.poll(() => button.isDisabled()).toBe(true)
    await pressDisabledGoogle(page)
    const reason = 'No identity provider is configured on this server.'
    await seeToast(page, 'alert', 'Google sign-in failed', reason)
    await expect.poll(() => loginButton(page).isVisible()).toBe(true)
  })
})

describe('the registration', () => {
  async function openRegistration() {
    const window = await stage.openAs(null, '/auth')
    await window.page.getByRole('link', { name: 'Create an account' }).click()
    await seeHeading(window.page, 'Create your supplier account')
    return window
  }

  it('shows an error under each invalid field and focuses the first', async () => {
    const { page } = await openRegistration()
    const calls = watchCalls(page)
    const form = registration(page)
    await form.submit.click()
    await page.getByText('Company name is required').waitFor()
    await expect.poll(() => messageOf(form.companyName)).toBe('Company name is required')
    await expect.poll(() => messageOf(form.contactEmail)).toBe('Invalid email address')
    await expect.poll(() => messageOf(form.username)).toBe('Username is required')
    await expect.poll(() => messageOf(form.password)).toBe('Password must be at least 6 characters')
    await expect.poll(() => isFocused(form.companyName)).toBe(true)

    await form.companyName.fill('Newcomer Ltd')
    await form.contactEmail.fill('not an address')
    await form.username.fill('newcomer')
    await form.password.fill('12345')
    await form.submit.click()
    await page.getByText('Invalid email address').waitFor()
    await expect.poll(() => messageOf(form.companyName)).toBe('')
    await expect.poll(() => messageOf(form.contactEmail)).toBe('Invalid email address')
    await expect.poll(() => messageOf(form.username)).toBe('')
    await expect.poll(() => messageOf(form.password)).toBe('Password must be at least 6 characters')
    await expect.poll(() => isFocused(form.contactEmail)).toBe(true)
    await waitUntilIdle(page)
    expect(calls).not.toContain('session.register')
  })

  it('shows a taken username under its field, and keeps the other input', async () => {
    const { page } = await openRegistration()
    const form = registration(page)
    await form.companyName.fill('Another Acme')
    await form.contactEmail.fill('stock@another.example')
    await form.username.fill('Acme')
    await form.password.fill(PASSWORD)
    await form.submit.click()
    const reason = 'This username is already taken'
    await seeToast(page, 'alert', 'Registration failed', reason)
    await expect.poll(() => messageOf(form.username)).toBe(reason)
    await expect.poll(() => isFocused(form.username)).toBe(true)
    await expect.poll(() => form.companyName.inputValue()).toBe('Another Acme')
  })

  it('shows the spinner, then the dashboard of a supplier with at most ten retailers', async () => {
    const { page } = await openRegistration()
    const form = registration(page)
    await form.companyName.fill('Newcomer Ltd')
    await form.contactEmail.fill('stock@newcomer.example')
    await form.username.fill('newcomer')
    await form.password.fill('123456')
    const release = await holdCalls(page, 'session.register')
    await form.submit.click()
    await spinner(page).waitFor()
    await expect.poll(() => form.submit.isVisible()).toBe(false)
    release()
    await seeHeading(page, 'Welcome, Newcomer Ltd')
    await page.getByText('of 10 maximum allowed retailers').waitFor()
  })

  it('links back to the login form', async () => {
    const { page } = await openRegistration()
    await page.getByRole('link', { name: 'Login' }).click()
    await seeHeading(page, 'Login')
    await loginButton(page).waitFor()
  })

  it('shows a fallback text for an error without a message', async () => {
    const { page } = await openRegistration()
    const form = registration(page)
    await failWithoutMessage(page, 'session.register')
    await form.companyName.fill('Silent Ltd')
    await form.contactEmail.fill('stock@silent.example')
    await form.username.fill('silent')
    await form.password.fill(PASSWORD)
    await form.submit.click()
    await seeToast(page, 'alert', 'Registration failed', 'Something went wrong')
  })
})

describe('the side panel', () => {
  it('shows the name, the tagline and the marketing text on wide screens', async () => {
    const { page } = await stage.openWindow('/auth', { viewport: { width: 1280, height: 800 } })
    const panel = page.getByRole('complementary')
    await panel.getByText(APP_NAME).waitFor()
    await panel.getByText(TAGLINE).waitFor()
    await panel.getByText(MARKETING).waitFor()
  })

  it.each([390, 768])('is hidden at %i px, where the form shows the name', async (width) => {
    const { page } = await stage.openWindow('/auth', { viewport: { width, height: 800 } })
    await loginButton(page).waitFor()
    await page.getByRole('main').getByText(APP_NAME, { exact: true }).waitFor()
    await expect.poll(() => page.getByText(TAGLINE).isVisible()).toBe(false)
    await expect.poll(() => page.getByText(MARKETING).isVisible()).toBe(false)
  })
})

describe('the name of the installation', () => {
  it('is in the title and on the page, before and after signing in', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await page.getByText(`Sign in to ${APP_NAME} to continue.`).waitFor()
    await expect.poll(() => page.title()).toBe(`Login · ${APP_NAME}`)
    await fillLogin(page, 'acme', PASSWORD)
    await seeHeading(page, 'Welcome, Acme Tools')
    await page.getByRole('link', { name: APP_NAME }).waitFor()
    await expect.poll(() => page.title()).toBe(`Dashboard · ${APP_NAME}`)
    await expect.poll(() => page.getByText('Stockbridge').count()).toBe(0)
  })
})

describe('ALLOW_SIGNUP=false', () => {
  it('hides the registration, also at its own URL', async () => {
    const dataDir = await makeDataDir()
    const product = await startProduct(dataDir, { ALLOW_SIGNUP: 'false' })
    const { page, close } = await openTab(stage.browser, product.url)
    await page.goto('/auth?mode=register')
    await seeHeading(page, 'Login')
    await waitUntilIdle(page)
    await expect.poll(() => page.getByText('Create an account').count()).toBe(0)
    await expect.poll(() => page.getByRole('form', { name: 'Registration' }).count()).toBe(0)
    await close()
    await product.stop()
    await removeDataDir(dataDir)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { codeAt } from '../../server/testing/fixtures/second-factors'
import { readNow, type Page } from '../support/page'
import {
  fillLogin,
  seeApplication,
  seeHeading,
  seePath,
  seeSuccess,
  seeToast,
} from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.addSupplier('northbeck')
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** A window of a device whose user always has the right finger. */
async function openWithDevice() {
  const tab = await stage.openWindow('/auth')
  const session = await tab.page.context().newCDPSession(tab.page.mainFrame())
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return tab
}

const enterPassword = (page: Page) => fillLogin(page, 'northbeck', PASSWORD)
async function signOut(page: Page) {
  await page.context().clearCookies()
  await page.goto(`${stage.product.url}/auth`)
  await seeApplication(page)
}
/** As ten minutes after whatever was confirmed. */
const forgetConfirmations = () =>
  stage.write((trx) => trx.updateTable('sessions').set({ confirmedAt: null }).execute())
const openSettings = (page: Page) => page.goto(`${stage.product.url}/supplier/settings`)
const listOf = (page: Page) => page.getByRole('list', { name: 'Your passkeys' })

async function addPasskey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await seeSuccess(page, 'Passkey added')
}

it('signs in, stands in for a code, confirms who is there, and is removed', async () => {
  const { page, expected } = await openWithDevice()
  await enterPassword(page)
  await seePath(page, '/supplier')
  await openSettings(page)
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  const field = page.getByRole('dialog').getByLabel('Name')
  await expect.poll(() => field.inputValue()).toMatch(/^Chrome on /)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await addPasskey(page, 'Laptop')
  await expect.poll(() => listOf(page).innerText()).toMatch(/^Laptop\nAdded .+, not used yet/)

  // A second one of the same device is refused by the browser.
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await seeToast(page, 'alert', 'Error', 'This device has a passkey of yours already')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await seePath(page, '/supplier')
  await openSettings(page)
  await expect.poll(() => listOf(page).innerText()).toMatch(/, used /)

  // With a second factor on, the passkey takes the place of its code.
  await page.getByRole('button', { name: 'Turn on…' }).click()
  const shown = page.getByRole('dialog').locator('pre')
  const key = (await readNow(shown.innerText())).replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(key, Date.now()))
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await signOut(page)
  expected.push(/401/)
  await enterPassword(page)
  await seeHeading(page, 'Enter your code')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await seePath(page, '/supplier')

  await forgetConfirmations()
  expected.push(/403/)
  await openSettings(page)
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await seeSuccess(page, 'Passkey renamed')
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await page
    .getByRole('dialog', { name: 'Remove the passkey' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByRole('button', { name: 'Use a passkey' })
    .click()
  await seeSuccess(page, 'Passkey removed')
  await expect.poll(() => listOf(page).count()).toBe(0)

  await signOut(page)
  expected.push(/401/)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await seeToast(page, 'alert', 'Login failed', 'This passkey does not sign in here')
})

describe('without a passkey', () => {
  it('/auth says that none was used', async () => {
    const { page } = await openWithDevice()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await seeToast(
      page,
      'alert',
      'Login failed',
      'No passkey was used. It was called off, or took too long.',
    )
  })
})

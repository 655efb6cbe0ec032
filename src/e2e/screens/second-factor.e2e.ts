import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { codeAt } from '../../server/testing/fixtures/second-factors'
import { readNow, type Page } from '../support/page'
import { ADMIN_PASSWORD } from '../support/product'
import { fillLogin, seeHeading, seePath, seeSuccess } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

const STEP_MS = 30_000

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.addSupplier('northbeck', { companyName: 'Northbeck' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** What the dialog shows to be copied. */
const readShown = (page: Page): Promise<string> =>
  readNow(page.getByRole('dialog').locator('pre').innerText())

describe('a second factor', () => {
  let key = ''
  let recoveryCodes: string[] = []

  it('is turned on in the settings with a code of an app, and shows recovery codes once', async () => {
    const { page } = await stage.openWindow('/auth')
    await fillLogin(page, 'northbeck', PASSWORD)
    await seePath(page, '/supplier')
    await page.goto(`${stage.product.url}/supplier/settings`)
    await page.getByRole('button', { name: 'Turn on…' }).click()
    await page.getByRole('img', { name: 'QR code with the key for an authenticator app' }).waitFor()
    key = (await readShown(page)).replaceAll(' ', '')
    await page.getByRole('textbox', { name: 'Code' }).fill('1')
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    await expect.poll(() => page.getByRole('dialog').innerText()).toContain('This code is wrong')
    await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(key, Date.now() - STEP_MS))
    await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    await seeSuccess(page, 'Second factor turned on')
    recoveryCodes = (await readShown(page)).split('\n')
    expect(recoveryCodes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'Security' }).innerText())
      .toContain('with 10 recovery codes left')
  })

  it('is then asked for after the password, and told of in the app', async () => {
    const { page } = await stage.openWindow('/auth?next=%2Fsupplier%2Fsettings')
    await fillLogin(page, 'northbeck', PASSWORD)
    await seeHeading(page, 'Enter your code')
    const field = page.getByRole('textbox', { name: 'Code' })
    expect(await readNow(field.getAttribute('autocomplete'))).toBe('one-time-code')
    await field.fill('000000')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('form').innerText()).toContain('This code is wrong')
    await expect.poll(() => field.inputValue()).toBe('')
    await field.fill(codeAt(key, Date.now()))
    await page.keyboard.press('Enter')
    await seePath(page, '/supplier/settings')
    await page.getByRole('button', { name: /^Notifications|alerts/i }).click()
    await page.getByText('The second factor was turned on').first().waitFor()
  })

  it('can be replaced once by each recovery code, after coming back to the password', async () => {
    const { page } = await stage.openWindow('/auth')
    await fillLogin(page, 'northbeck', PASSWORD)
    await page.getByRole('button', { name: 'Back to login' }).click()
    await seeHeading(page, 'Login')
    await fillLogin(page, 'northbeck', PASSWORD)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCodes[0]!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await seePath(page, '/supplier')
    await page.goto(`${stage.product.url}/supplier/settings`)
    await expect
      .poll(() => page.getByRole('region', { name: 'Security' }).innerText())
      .toContain('with 9 recovery codes left')
  })

  it('is asked for without scripts too', async () => {
    const { page } = await stage.openWindow('/auth', { javaScriptEnabled: false })
    await page.getByRole('textbox', { name: 'Username' }).fill('northbeck')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await seeHeading(page, 'Enter your code')
    await page.getByRole('textbox', { name: 'Code' }).fill(recoveryCodes[1]!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await seePath(page, '/auth')
    expect((await page.request.get(`${stage.product.url}/api/user`)).status()).toBe(200)
  })

  it('is turned off by an administrator for who has lost it', async () => {
    const { page } = await stage.openWindow('/auth')
    await fillLogin(page, 'admin', ADMIN_PASSWORD)
    await page.getByRole('link', { name: 'Northbeck' }).click()
    await page.getByRole('button', { name: 'Turn off the second factor of northbeck' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await seeSuccess(page, 'Second factor turned off')
    const { page: other } = await stage.openWindow('/auth')
    await fillLogin(other, 'northbeck', PASSWORD)
    await seePath(other, '/supplier')
  })
})

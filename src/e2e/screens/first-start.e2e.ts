import { expect, it } from 'vitest'

import { BETWEEN_SERVERS, launchBrowser, openTab } from '../support/browser'
import { makeDataDir, removeDataDir, startUnset } from '../support/product'
import { fillLogin } from '../support/screen'

it('is set up on the page that the terminal names, which is gone afterwards', async () => {
  const dataDir = await makeDataDir()
  const product = await startUnset(dataDir)
  const browser = await launchBrowser()
  const { page, complaints, expected, close } = await openTab(browser, new URL(product.url).origin)
  // While the product takes the place of the page.
  expected.push(BETWEEN_SERVERS)
  // Whoever comes without the token is asked for it.
  await page.goto('/supplier')
  await page.getByLabel('Set-up token', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This is not the set-up token of this installation').waitFor()
  await page.goto('about:blank')
  await page.goto(product.url)
  await page.getByLabel('Username').fill('operator')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm password').fill('correct horse')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.waitForURL(/\/auth$/)
  await fillLogin(page, 'operator', 'correct horse')
  await page.getByRole('heading', { name: 'Supplier Management' }).waitFor()
  await page.goto('/setup')
  await page
    .getByText(/not found/i)
    .first()
    .waitFor()
  await expect.poll(() => page.getByLabel('Set-up token', { exact: true }).count()).toBe(0)
  expect(complaints).toEqual([])
  await close()
  await browser.close()
  await product.stop()
  await removeDataDir(dataDir)
})

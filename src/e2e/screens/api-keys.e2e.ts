import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { readNow, type Page } from '../support/page'
import { seeHeading } from '../support/screen'
import { startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.addSupplier('acme', { companyName: 'Acme Tools' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const rowsOf = (page: Page) => page.getByRole('table', { name: 'API keys' }).locator('tbody')

/** The status of the call of a curl command with a key. */
async function statusOf(command: string, key: string): Promise<number> {
  const url = command.split(' ').at(-1) ?? ''
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  return response.status
}

describe('API keys', () => {
  it('are made under the user menu, work in the call that is shown, and end at once', async () => {
    const { page } = await stage.openAs('acme', '/supplier')
    await page.getByRole('button', { name: 'account of acme' }).click()
    await page.getByRole('menuitem', { name: 'API keys' }).click()
    await seeHeading(page, 'API keys')
    await page.getByText('No keys').waitFor()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make an API key' })
    await dialog.getByLabel('Name').fill('Nightly export')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    await dialog.getByText('Copy the key now').waitFor()
    const [key = '', command = ''] = await readNow(dialog.locator('pre').allTextContents())
    expect(key).toMatch(/^sb_[\w-]{43}$/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`sb_…${key.slice(-4)}`).waitFor()
    expect(await statusOf(command, key)).toBe(200)

    const { page: elsewhere } = await stage.openAs('acme', '/api-keys')
    await elsewhere.getByRole('button', { name: 'End Nightly export' }).click()
    await elsewhere.getByRole('dialog').getByRole('button', { name: 'End the key' }).click()
    // The other window hears of it.
    await page.getByText('No keys').waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(0)
    expect(await statusOf(command, key)).toBe(401)
  })
})

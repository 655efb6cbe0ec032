import { afterAll, afterEach, beforeAll, describe, it, expect } from 'vitest'

import { failWithoutMessage } from './calls'
import { isFocused, seeHeading, seeToast } from './screen'
import { PASSWORD, startStage, type Stage } from './stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('the focus on /auth', () => {
  it('is in the first field, also after changing to the registration and back', async () => {
    const { page } = await stage.openAs(null, '/auth')
    await expect.poll(() => isFocused(page.getByLabel('Username'))).toBe(true)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect.poll(() => isFocused(page.getByLabel('Company Name'))).toBe(true)
    await page.getByRole('link', { name: 'Login' }).click()
    await seeHeading(page, 'Login')
    await expect.poll(() => isFocused(page.getByLabel('Username'))).toBe(true)
  })

  it('returns to where it was after an error that is of no field', async () => {
    const { page } = await stage.openAs(null, '/auth?mode=register')
    await failWithoutMessage(page, 'session.register')
    await page.getByLabel('Company Name').fill('Silent Ltd')
    await page.getByLabel('Contact Email').fill('stock@silent.example')
    await page.getByLabel('Username').fill('silent')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill(PASSWORD)
    await password.press('Enter')
    await seeToast(page, 'alert', 'Registration failed', 'Something went wrong')
    await expect.poll(() => isFocused(password)).toBe(true)
  })
})

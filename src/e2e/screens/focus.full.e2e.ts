import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { failWithoutMessage } from '../support/calls'
import type { Page } from '../support/page'
import { isFocused, seeHeading, seeToast } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  for (let shop = 1; shop <= 10; shop += 1) {
    await stage.addRetailer(acme, `shop-${shop}`, { storeName: `Shop ${shop}` })
  }
  const columns = Array.from({ length: 30 }, (_, column) => `column ${column}`).join(',')
  stage.sourceServer.set('/wide.csv', {
    body: `sku,category,stock,${columns}\nA,Boots,1,${columns}\n`,
  })
  await stage.addConnection(acme, { name: 'Feed', url: stage.sourceServer.url('/wide.csv') })
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

/**
 * Presses Shift+Tab, then Tab, often enough to pass over the bars at both edges, and expects that at least
 * so many elements had the focus, each in view.
 */
async function seeFocusOf(page: Page, leastCount: number, steps: number): Promise<void> {
  const readFocus = await watchHiddenFocus(page)
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Shift+Tab')
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Tab')
  const { examinedCount, hidden } = await readFocus()
  expect(hidden).toEqual([])
  expect(examinedCount).toBeGreaterThanOrEqual(leastCount)
}

describe.each([
  { width: 1280, height: 500 },
  { width: 390, height: 600 },
])('at %j, what has the focus is never behind a bar', (size) => {
  it.each([
    ['under the header of the page', '/supplier/retailers', 30],
    ['under the header of the API page', '/api-docs', 30],
  ])('%s', async (_where, path, leastCount) => {
    const { page } = await stage.openAs('acme', path)
    await page.setViewportSize(size)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitUntilIdle(page)
    await seeFocusOf(page, leastCount, 50)
  })

  it('above the bar that saves a page', async () => {
    const { page } = await stage.openAs('acme', '/supplier/settings')
    await page.setViewportSize(size)
    await page.getByLabel('Company Name').fill('Acme & Co')
    await page.getByText('Unsaved changes').waitFor()
    await seeFocusOf(page, 10, 40)
  })

  it('between the header and the actions of a dialog', async () => {
    const { page } = await stage.openAs('acme', '/supplier/connections')
    await page.getByRole('button', { name: 'Change columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await dialog.getByRole('button', { name: /^Show all/ }).click()
    await page.setViewportSize(size)
    await seeFocusOf(page, 30, 50)
  })
})

interface FocusReport {
  /** How many different elements have had the focus. */
  examinedCount: number
  /** Those of which all was covered, with their place. */
  hidden: string[]
}

/**
 * From now on, looks at each element that has the focus after a Tab, and records it if something that
 * belongs elsewhere covers all of it, such as a bar that sticks to the top.
 * @returns a function that reads what was found
 */
async function watchHiddenFocus(page: Page): Promise<() => Promise<FocusReport>> {
  const report = await page.evaluateHandle(() => {
    const examined = new Set<Element>()
    const found: FocusReport = { examinedCount: 0, hidden: [] }
    const isSeen = (node: Element, x: number, y: number) => {
      const seen = document.elementFromPoint(x, y)
      if (!seen) return false
      const labels = node instanceof HTMLInputElement ? [...(node.labels ?? [])] : []
      // What is around it has nothing in front of it; the label of an input stands for it.
      return [node, ...labels].some((part) => part.contains(seen)) || seen.contains(node)
    }
    document.addEventListener('keyup', ({ key }) => {
      const node = document.activeElement
      if (key !== 'Tab' || !node || node === document.body) return
      found.examinedCount = examined.add(node).size
      const { left, right, top, bottom } = node.getBoundingClientRect()
      // The corners are rounded, so points inside of them.
      const points = [0.05, 0.5, 0.95].flatMap((x) =>
        [0.15, 0.5, 0.85].map(
          (y) => [left + x * (right - left), top + y * (bottom - top)] as const,
        ),
      )
      if (!points.some(([x, y]) => isSeen(node, x, y))) {
        found.hidden.push(
          `${node.getAttribute('aria-label') ?? node.textContent} at ${Math.round(top)}`,
        )
      }
    })
    return found
  })
  return () => report.jsonValue()
}

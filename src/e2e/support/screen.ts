import { readNow, type Locator, type Page, type Reading } from './page'

type Area = Page | Locator

/** The table row that contains this text. */
export const rowOf = (area: Area, text: string): Locator =>
  area.getByRole('row').filter({ hasText: text })

/** The column headers in the area. */
export const columnsOf = (area: Area): Reading<string[]> =>
  area.getByRole('columnheader').allInnerTexts()

/** The trimmed texts of a row's cells. */
export const cellsOf: (row: Locator) => Reading<string[]> = async (row) => {
  const texts = await readNow(row.getByRole('cell').allInnerTexts())
  return texts.map((text) => text.trim())
}

/** A date as the page formats it, in the browser's time zone. */
export const dayOn = (page: Page, instant: string): Promise<string> =>
  page.evaluate(
    (text) => new Date(text).toLocaleDateString(undefined, { dateStyle: 'medium' }),
    instant,
  )

/** The region that shows toasts. */
export const notifications = (page: Page): Locator =>
  page.getByRole('region', { name: 'Notifications (F8)' })

/** Waits for a toast with this title and text. */
export const seeToast = (
  page: Page,
  role: 'status' | 'alert',
  title: string,
  description: string,
): Promise<void> =>
  notifications(page)
    .getByRole(role)
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(description, { exact: true }) })
    .waitFor()

/** Waits for a success toast. */
export const seeSuccess = (page: Page, description: string): Promise<void> =>
  seeToast(page, 'status', 'Success', description)

/** Waits for an error toast. */
export const seeError = (page: Page, description: string): Promise<void> =>
  seeToast(page, 'alert', 'Error', description)

/** The error message that `aria-describedby` links to a field; empty without one. */
export const messageOf: (field: Locator) => Reading<string> = async (field) => {
  const ids = ((await readNow(field.getAttribute('aria-describedby'))) ?? '')
    .split(' ')
    .filter(Boolean)
  const message = ids.find((id) => id.endsWith('-error'))
  return message ? readNow(field.page().locator(`[id="${message}"]`).innerText()) : ''
}

/** The error messages of several fields by key. */
export const messagesOf: (
  fields: Record<string, Locator>,
) => Reading<Record<string, string>> = async (fields) => {
  const entries = Object.entries(fields).map(async ([name, field]) => [
    name,
    await readNow(messageOf(field)),
  ])
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>
}

export const isFocused = (field: Locator): Reading<boolean> =>
  field.evaluate((node) => node === node.ownerDocument.activeElement)

/** Opens a select and clicks an option. */
export async function choose(area: Area, label: string, option: string): Promise<void> {
  await area.getByRole('combobox', { name: label, exact: true }).click()
  const page = 'page' in area ? area.page() : area
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** The question of a form whose changes are about to be lost. */
export const discardQuestion = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Discard your changes?' })

/** Answers that question with Discard. */
export const discardChanges = (page: Page): Promise<void> =>
  discardQuestion(page).getByRole('button', { name: 'Discard' }).click()

/** Submits the login form; the page must be at /auth. */
export async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await seeApplication(page)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/**
 * Presses the Google button of a server without an identity provider, which looks disabled once
 * the page knows, and says why when it is pressed. Playwright would wait for it to be enabled.
 */
export async function pressDisabledGoogle(page: Page): Promise<void> {
  await seeApplication(page)
  const button = page.getByRole('button', { name: 'Sign in with Google', disabled: true })
  await button.click({ force: true })
}

/** Waits until the application has taken the place of what the page of /auth has before: a form of its own. */
export const seeApplication = (page: Page): Promise<void> =>
  page.locator('#start').waitFor({ state: 'detached' })

/** Waits until the page is at this path. */
export const seePath = (page: Page, path: string): Promise<void> =>
  page.waitForURL((url) => url.pathname === path)

/** Waits for the page's main heading. */
export const seeHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor()

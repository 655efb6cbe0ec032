import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { inputSent } from '../support/calls'
import type { Locator, Page } from '../support/page'
import { until } from '../support/rest-client'
import { choose, fillLogin, isFocused, messageOf, seePath, seeSuccess } from '../support/screen'
import { PASSWORD, readConnection, startStage, type Stage, type Supplier } from '../support/stage'

const SECRET = 'open sesame'
const MASK = '••••••'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/stock.csv', {
    handler(request, response) {
      const isAuthorized = request.headers.authorization === `Basic ${btoa(`acme:${SECRET}`)}`
      response.writeHead(isAuthorized ? 200 : 401, { 'content-type': 'text/csv' })
      response.end(isAuthorized ? 'sku,name\nA1,Boot\n' : '')
    },
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Connection' })
const previewDialog = (page: Page) => page.getByRole('dialog', { name: 'CSV Preview' })
const fieldsOf = (dialog: Locator) => ({
  url: dialog.getByRole('textbox', { name: 'URL' }),
  username: dialog.getByLabel('User Name'),
  password: dialog.getByLabel('Password', { exact: true }),
  preview: dialog.getByRole('button', { name: 'Preview' }),
  save: dialog.getByRole('button', { name: 'Update Connection' }),
})

async function openEditDialog(username: string): Promise<Page> {
  const { page } = await stage.openAs(username, '/supplier/connections')
  await page.getByRole('button', { name: 'Edit Closed feed' }).click()
  await editDialog(page).waitFor()
  return page
}

async function previewShows(page: Page, text: string): Promise<void> {
  await fieldsOf(editDialog(page)).preview.click()
  await previewDialog(page).getByText(text).first().waitFor()
  await page.keyboard.press('Escape')
  await previewDialog(page).waitFor({ state: 'hidden' })
}

const isSynced = (supplier: Supplier) =>
  until(
    () => readConnection(supplier),
    ({ status }) => status === 'synced',
  )

describe('a source that requires a user name and password', () => {
  it('is fetched with the credentials of the connection, which are never shown again', async () => {
    const supplier = await stage.addSupplier('acme')
    const url = stage.sourceServer.url('/stock.csv')
    await stage.addConnection(supplier, { name: 'Closed feed', url })
    expect((await readConnection(supplier)).lastError).toContain('enter them under Access')

    const page = await openEditDialog('acme')
    const fields = fieldsOf(editDialog(page))
    await choose(editDialog(page), 'Access', 'User name and password')
    await fields.save.click()
    await expect.poll(() => messageOf(fields.username)).toBe('User name is required')
    await expect.poll(() => messageOf(fields.password)).toBe('Password is required')
    await expect.poll(() => isFocused(fields.username)).toBe(true)
    await fields.username.fill('acme')
    await fields.password.fill('wrong')
    await previewShows(page, 'It does not accept the credentials of this connection.')
    await fields.password.fill(SECRET)
    await previewShows(page, 'Boot')
    await fields.save.click()
    await seeSuccess(page, 'Connection updated successfully')
    await isSynced(supplier)

    await page.reload()
    await page.getByRole('button', { name: 'Edit Closed feed' }).click()
    const replace = editDialog(page).getByRole('button', { name: 'Replace the password' })
    await replace.waitFor()
    await expect.poll(() => fields.password.inputValue()).toBe(MASK)
    await expect.poll(() => page.content()).not.toContain(SECRET)
    await previewShows(page, 'Boot')
    const sent = await inputSent(page, 'connections.update', () => fields.save.click())
    expect(sent).toMatchObject({
      config: { url, auth: { type: 'basic', username: 'acme', password: MASK } },
    })
    await seeSuccess(page, 'Connection updated successfully')
    expect(await readConnection(supplier)).toMatchObject({ status: 'synced', lastError: null })
  })

  it('is set on a phone as well, whose page stays as wide as the screen', async () => {
    const supplier = await stage.addSupplier('mobile')
    const url = stage.sourceServer.url('/stock.csv')
    await stage.addConnection(supplier, { name: 'Closed feed', url })
    const { page } = await stage.openWindow('/auth', PHONE)
    await fillLogin(page, 'mobile', PASSWORD)
    await seePath(page, '/supplier')
    await page.goto('/supplier/connections')
    await page.getByRole('button', { name: 'Edit Closed feed' }).click()
    await choose(editDialog(page), 'Access', 'User name and password')
    await fieldsOf(editDialog(page)).username.waitFor()
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(PHONE.viewport.width)
  })

  it('gets its credentials only at the origin they were entered for', async () => {
    const supplier = await stage.addSupplier('mover')
    const url = stage.sourceServer.url('/stock.csv')
    await stage.addConnection(supplier, { name: 'Closed feed', url })
    const auth = { type: 'basic', username: 'acme', password: SECRET }
    const { id } = await readConnection(supplier)
    await supplier.rest.send('PATCH', `/api/connections/${id}`, { config: { url, auth } })
    await isSynced(supplier)

    const page = await openEditDialog('mover')
    const fields = fieldsOf(editDialog(page))
    await fields.url.fill('https://elsewhere.example/stock.csv')
    const { origin } = new URL(url)
    await editDialog(page).getByText(`the saved one is only for ${origin}`).waitFor()
    await fields.save.click()
    await expect.poll(() => messageOf(fields.password)).toBe('Password is required')
    await fields.url.fill(`${url}?again`)
    const replace = editDialog(page).getByRole('button', { name: 'Replace the password' })
    await replace.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(fields.password)).toBe(true)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { addPerson } from '../support/invite'
import { readNow, type Page } from '../support/page'
import { until } from '../support/rest-client'
import { seeHeading, seePath, seeSuccess } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let supplier: Supplier

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: 'sku,quantity\r\n1,4\r\n' })
  supplier = await stage.addSupplier('northbeck', { companyName: 'Northbeck' })
  const url = stage.sourceServer.url('/inventory.csv')
  await stage.addConnection(supplier, { name: 'Main feed', url })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Invites an editor on the page, and returns the path of the link that is shown. */
async function inviteEditor(page: Page, name: string): Promise<string> {
  await button(page, 'Invite a person').click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const text = await until(
    () => readNow(dialog.textContent()),
    (shown) => shown?.includes('#token=') === true,
  )
  const [link = ''] = /\/invitation#token=[\w-]{43}/.exec(text ?? '') ?? []
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

describe('the people of a supplier', () => {
  it('are invited by their owner, do what their role includes, and are signed out when they are removed', async () => {
    const { page: owner } = await stage.openAs('northbeck', '/supplier')
    await owner.getByRole('button', { name: /account of northbeck/ }).click()
    await owner.getByRole('menuitem', { name: 'People' }).click()
    await seeHeading(owner, 'People')
    await owner.getByText('You are the only one who signs in').waitFor()
    const link = await inviteEditor(owner, 'Ed Marsh')
    await expect
      .poll(() => owner.getByRole('table', { name: 'Invitations' }).textContent())
      .toContain('Ed Marsh')

    const { page: editor } = await stage.openWindow(link)
    await editor.getByRole('textbox', { name: 'Username' }).fill('ed')
    await editor.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await editor.getByRole('button', { name: 'Accept invitation' }).click()
    await seePath(editor, '/supplier')
    await editor.getByRole('link', { name: 'Connections', exact: true }).click()
    await button(editor, 'Edit Main feed').waitFor()
    await editor.getByRole('button', { name: /account of ed/ }).click()
    await editor.getByText('Editor · Northbeck').waitFor()
    await editor.keyboard.press('Escape')

    // The owner sees who has come without doing anything.
    await button(owner, 'Change the role of Ed Marsh').click()
    const dialog = owner.getByRole('dialog', { name: 'Change the role' })
    await dialog.getByRole('radio', { name: 'Viewer' }).click()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await seeSuccess(owner, 'Role changed')
    await expect.poll(() => button(editor, 'Edit Main feed').count()).toBe(0)
    await editor.getByText('Main feed').first().waitFor()
    await expect.poll(() => button(editor, 'Change checks').count()).toBe(0)

    await button(owner, 'Remove Ed Marsh').click()
    await button(owner, 'Remove').click()
    await seeSuccess(owner, 'Person removed')
    await seePath(editor, '/auth')
    await expect.poll(() => button(owner, 'Remove Ed Marsh').count()).toBe(0)
  })
})

describe('an administrator', () => {
  it('views the product as one person of a company, with the role of that person', async () => {
    await addPerson(stage, supplier, { name: 'Eva Holm', role: 'EDITOR', username: 'eva' })
    const { page } = await stage.openAs('admin', '/')
    await page.getByRole('link', { name: 'Northbeck' }).first().click()
    await button(page, 'View as').click()
    await page.getByRole('menuitem', { name: 'Eva Holm, editor' }).click()
    await seePath(page, '/supplier')
    await expect
      .poll(() => readNow(page.getByText(/Viewing as/).textContent()))
      .toMatch(/Northbeck.*eva, editor.*read-only/)
  })
})

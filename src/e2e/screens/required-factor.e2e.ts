import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { codeAt } from '../../server/testing/fixtures/second-factors'
import { readNow, type Page } from '../support/page'
import { ADMIN_PASSWORD } from '../support/product'
import { fillLogin, seeHeading, seePath, seeSuccess } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

let stage: Stage
let admin: Page
let supplier: Page

beforeAll(async () => {
  stage = await startStage()
  await stage.addSupplier('northbeck', { companyName: 'Northbeck' })
})
afterAll(() => stage.close())

async function signIn(username: string, password: string): Promise<Page> {
  const { page } = await stage.openWindow('/auth')
  await fillLogin(page, username, password)
  return page
}

const days = () => admin.getByRole('textbox', { name: 'Days that suppliers can do without' })
const save = async () => {
  await admin.getByRole('button', { name: 'Save' }).click()
  await seeSuccess(admin, 'Sign-in rules saved')
}

describe('a second factor that an administrator requires', () => {
  it('is asked for by a banner on every page of a supplier, which leads to the settings', async () => {
    admin = await signIn('admin', ADMIN_PASSWORD)
    await seePath(admin, '/')
    await admin.goto(`${stage.product.url}/dashboard/super-admin/settings`)
    await admin.getByRole('switch', { name: /^Suppliers need a second factor/ }).click()
    await expect.poll(() => days().inputValue()).toBe('14 days')
    await save()
    supplier = await signIn('northbeck', PASSWORD)
    await seePath(supplier, '/supplier')
    await supplier.getByText('Your administrator asks for a second factor by').waitFor()
    await supplier.getByRole('link', { name: 'Turn it on' }).click()
    await seePath(supplier, '/supplier/settings')
  })

  it('is all that is shown once the time is over, in a window that is open too', async () => {
    await days().fill('0')
    await save()
    await seeHeading(supplier, 'Turn on a second factor')
    await supplier.goto(`${stage.product.url}/supplier/retailers`)
    await seeHeading(supplier, 'Turn on a second factor')
    expect((await supplier.request.get(`${stage.product.url}/api/retailers`)).status()).toBe(403)
  })

  it('opens everything again once it is turned on', async () => {
    await supplier.getByRole('button', { name: 'Turn on…' }).click()
    const dialog = supplier.getByRole('dialog')
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    const key = (await readNow(dialog.locator('pre').innerText())).replaceAll(' ', '')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeAt(key, Date.now()))
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Turn on', exact: true }).click()
    await seeSuccess(supplier, 'Second factor turned on')
    await supplier.getByRole('button', { name: 'I have kept them' }).click()
    await seeHeading(supplier, 'Retailers')
  })

  it('cannot be turned off, but replaced', async () => {
    await supplier.goto(`${stage.product.url}/supplier/settings`)
    await supplier.getByRole('button', { name: 'Replace…' }).waitFor()
    await expect
      .poll(() => supplier.getByRole('region', { name: 'Security' }).innerText())
      .toContain('Your administrator asks for it.')
    expect(await readNow(supplier.getByRole('button', { name: 'Turn off…' }).count())).toBe(0)
  })
})

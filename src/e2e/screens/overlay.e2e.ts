import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { addDialog, fieldsOf, openAddDialogOf, previewDialog } from '../support/connection-screens'
import { choose } from '../support/screen'
import { startStage, untilSynced, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const items = Array.from({ length: 12 }, (_, item) => `NB-${item},Boot ${item}\n`)
  const stock = Array.from({ length: 11 }, (_, item) => `NB-${item};${item};9,90\n`)
  stage.sourceServer.set('/catalogue.csv', { body: `sku,name\n${items.join('')}` })
  stage.sourceServer.set('/other.csv', { body: 'sku;qty\nX-1;5\n' })
  stage.sourceServer.set('/stock.csv', {
    handler(request, response) {
      const isAllowed = request.headers.authorization === 'Bearer sesame'
      const body = `sku;qty;price\n${stock.join('')}NB-99;1;1,00\n`
      response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? body : '')
    },
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

it('a supplier adds stock from a second address to its catalogue, and sees what was joined', async () => {
  const supplier = await stage.addSupplier('northbeck')
  const page = await openAddDialogOf(stage, supplier)
  const dialog = addDialog(page)
  const { name, url } = fieldsOf(dialog)
  await name.fill('Boots')
  await url.fill(stage.sourceServer.url('/catalogue.csv'))
  await dialog.getByRole('button', { name: /^Stock and prices from a second address/ }).click()
  const address = dialog.getByRole('textbox', { name: 'Second address' })
  const preview = previewDialog(page)

  await address.fill(stage.sourceServer.url('/other.csv'))
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await preview.getByText(/^No row at the second address has a key/).waitFor()
  await preview.getByRole('cell', { name: 'Boot 3' }).waitFor()
  await preview.getByRole('button', { name: 'Close' }).last().click()

  await address.fill(stage.sourceServer.url('/stock.csv'))
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await preview.getByText(/At the second address: The server answered 401/).waitFor()
  await preview.getByRole('button', { name: 'Close' }).last().click()

  await choose(dialog, 'Access to the second address', 'Bearer token')
  await dialog.getByRole('textbox', { name: 'Token' }).fill('sesame')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const told =
    '11 rows joined with the second address; 1 only in the file, kept; 1 only at the second address, left out'
  await preview.getByText(told).waitFor()
  await preview.getByRole('cell', { name: '9,90' }).first().waitFor()
  await preview.getByRole('button', { name: 'Use this file' }).click()
  await dialog.getByRole('button', { name: 'Create Connection' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await untilSynced(supplier)).lastError).toBeNull()
  await page.getByRole('cell').getByText(told, { exact: true }).first().waitFor()

  await page.getByRole('button', { name: 'Edit Boots' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit Connection' })
  const secondAddress = edited.getByRole('textbox', { name: 'Second address' })
  await expect.poll(() => secondAddress.inputValue()).toBe(stage.sourceServer.url('/stock.csv'))
  await choose(edited, 'Items only in the file', 'Leave them out')
  await edited.getByRole('button', { name: 'Update Connection' }).click()
  await page
    .getByText('11 rows joined with the second address; 1 only in the file, left out', {
      exact: false,
    })
    .first()
    .waitFor()
})

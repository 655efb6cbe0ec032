import type { Locator, Page } from './page'
import type { Stage, Supplier } from './stage'

export const CONNECTIONS = '/supplier/connections'

export const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add Connection' })

export const previewDialog = (page: Page) => page.getByRole('dialog', { name: 'CSV Preview' })

export const health = (page: Page, name: string) =>
  page.getByRole('region', { name: `Health of ${name}` })

/** The value of a term in a definition list. */
export const valueOf = (area: Locator, term: string) =>
  area
    .locator('dl > div')
    .filter({ has: area.page().locator('dt').getByText(term, { exact: true }) })
    .locator('dd')
    .innerText()

export const fieldsOf = (dialog: Locator) => ({
  name: dialog.getByLabel('Connection Name'),
  type: dialog.getByRole('combobox', { name: 'Connection Type' }),
  fileFormat: dialog.getByRole('combobox', { name: 'File Format' }),
  url: dialog.getByRole('textbox', { name: 'URL' }),
  syncFrequency: dialog.getByRole('combobox', { name: 'Sync Frequency' }),
  preview: dialog.getByRole('button', { name: 'Preview' }),
})

/** Creates a supplier, and opens the dialog in which it adds its connection. */
export async function openAddDialog(stage: Stage, username: string): Promise<Page> {
  return openAddDialogOf(stage, await stage.addSupplier(username))
}

export async function openAddDialogOf(stage: Stage, { username }: Supplier): Promise<Page> {
  const { page } = await stage.openAs(username, CONNECTIONS)
  await page.getByRole('button', { name: 'Add Connection' }).click()
  await addDialog(page).waitFor()
  return page
}

/** Creates a supplier with a connection to `path`, and opens its Connections page. */
export async function openConnected(stage: Stage, username: string, path: string) {
  const supplier = await stage.addSupplier(username)
  const name = `${username} feed`
  const connection = await stage.addConnection(supplier, {
    name,
    url: stage.sourceServer.url(path),
  })
  const { page } = await stage.openAs(username, CONNECTIONS)
  await health(page, name).waitFor()
  return { supplier, name, connection, page }
}

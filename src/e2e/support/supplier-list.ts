import type { User } from '../../shared/schemas/user'
import type { Locator } from './page'
import type { Stage } from './stage'

export const SUPPLIERS = '/dashboard/super-admin'

export const fieldsOf = (dialog: Locator) => ({
  username: dialog.getByLabel('Username'),
  password: dialog.getByLabel('Password', { exact: true }),
  companyName: dialog.getByLabel('Company Name'),
  contactEmail: dialog.getByLabel('Contact Email'),
  maxRetailers: dialog.getByLabel('Max Retailers'),
})

export const jsonPost = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export async function readSupplier(stage: Stage, username: string): Promise<User | undefined> {
  const suppliers = (await stage.admin.send('GET', '/api/suppliers')).body as User[]
  return suppliers.find((supplier) => supplier.username === username)
}

import { afterEach, beforeEach, expect, it } from 'vitest'

import {
  createLinkedRetailer,
  createSupplierUser,
  reloadUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { getOwnRetailer } from '../../distribution/retailers/retailers'
import { toCompanyProfile, updateCompanyProfile } from './company-profile'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const shown = {
  companyName: 'Northbeck',
  publicEmail: 'help@northbeck.example',
  publicPhone: '+44 20 7946 0000',
  publicWebsite: 'northbeck.example',
}

it('names a supplier that signed up without a name to its retailers', async () => {
  const supplier = await createSupplierUser(deps, { companyName: null })
  const { user } = await createLinkedRetailer(deps, supplier)
  expect((await getOwnRetailer(deps, user))?.supplierName).toBeNull()
  await updateCompanyProfile(deps, supplier, shown)
  expect((await getOwnRetailer(deps, user))?.supplierName).toBe('Northbeck')
})

it('keeps what is shown apart from the address of the account', async () => {
  const supplier = await createSupplierUser(deps, { contactEmail: 'private@northbeck.example' })
  expect(toCompanyProfile(supplier).publicEmail).toBeNull()
  expect(await updateCompanyProfile(deps, supplier, shown)).toEqual(shown)
  const saved = await reloadUser(deps, supplier)
  expect(saved.contactEmail).toBe('private@northbeck.example')
  expect(toCompanyProfile(saved)).toEqual(shown)
})

it('removes what is left out again, and changes no other supplier', async () => {
  const supplier = await createSupplierUser(deps)
  const other = await createSupplierUser(deps, { companyName: 'Other' })
  await updateCompanyProfile(deps, supplier, shown)
  const nothing = { publicEmail: null, publicPhone: null, publicWebsite: null }
  await updateCompanyProfile(deps, supplier, { companyName: 'Northbeck', ...nothing })
  expect(toCompanyProfile(await reloadUser(deps, supplier))).toEqual({
    companyName: 'Northbeck',
    ...nothing,
  })
  expect(await reloadUser(deps, other)).toEqual(other)
})

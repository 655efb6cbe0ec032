import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateCompanyProfile } from '../../people/accounts/company-profile'
import { getOwnSupplier } from './own-supplier'

let deps: TestDeps
beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

describe('the supplier of a retailer', () => {
  it('is shown with what it has published, and not with the address of its account', async () => {
    const shown = {
      companyName: 'Northbeck',
      publicEmail: 'sales@northbeck.example',
      publicPhone: '+44 20 7946 0000',
      publicWebsite: 'northbeck.example',
    }
    const supplier = await createSupplierUser(deps, { contactEmail: 'private@northbeck.example' })
    await updateCompanyProfile(deps, supplier, shown)
    await createSupplierUser(deps, { companyName: 'Other' })
    const { user } = await createLinkedRetailer(deps, supplier)
    expect(await getOwnSupplier(deps, user)).toEqual(shown)
  })

  it('is none while the login is not linked', async () => {
    const supplier = await createSupplierUser(deps)
    expect(await getOwnSupplier(deps, await createRetailerUser(deps, supplier))).toBeNull()
  })
})

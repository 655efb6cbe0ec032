import type { CompanyProfile } from '../../../../shared/schemas/supplier'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toCompanyProfile } from '../../people/accounts/company-profile'
import { findUser } from '../../people/accounts/users.queries'
import { getOwnRetailer } from './retailers'

/** Returns the profile of a retailer's supplier; null while the login is not linked to one. */
export async function getOwnSupplier(deps: Deps, login: Actor): Promise<CompanyProfile | null> {
  const retailer = await getOwnRetailer(deps, login)
  const supplier = retailer && (await findUser(deps.db, retailer.supplierId))
  return supplier ? toCompanyProfile(supplier) : null
}

import type { CompanyProfile } from '../../../../shared/schemas/supplier'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toCompanyProfile } from '../../people/accounts/company-profile'
import { findUser } from '../../people/accounts/users.queries'
import { getOwnRetailer } from './retailers'

/** Returns the profile of a retailer's supplier, of several as `getOwnRetailer`; null while there is none. */
export async function getOwnSupplier(
  deps: Deps,
  login: Actor,
  retailerId?: number,
): Promise<CompanyProfile | null> {
  const retailer = await getOwnRetailer(deps, login, retailerId)
  const supplier = retailer && (await findUser(deps.db, retailer.supplierId))
  return supplier ? toCompanyProfile(supplier) : null
}

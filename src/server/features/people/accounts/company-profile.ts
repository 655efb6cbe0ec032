import type { CompanyProfile, UpdateCompanyProfileInput } from '../../../../shared/schemas/supplier'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { recordSupplierChange } from '../audit/audited-records'
import { updateUser, type UserRecord } from './users.queries'

/** What a supplier's retailers may see of it. */
export function toCompanyProfile(supplier: UserRecord): CompanyProfile {
  const { companyName, publicEmail, publicPhone, publicWebsite } = supplier
  return { companyName, publicEmail, publicPhone, publicWebsite }
}

/** Saves the caller's own profile. */
export async function updateCompanyProfile(
  deps: Deps,
  supplier: Actor,
  input: UpdateCompanyProfileInput,
): Promise<CompanyProfile> {
  const changed = await inTransaction(deps.db, async (trx) => {
    const row = await updateUser(trx, supplier.id, input)
    if (!row) throw notFound('Supplier')
    await recordSupplierChange(trx, deps, { verb: 'update-profile', before: supplier, after: row })
    return row
  })
  return toCompanyProfile(changed)
}

import type { CreateSupplierInput, UpdateSupplierInput } from '../../../../shared/schemas/supplier'
import type { User } from '../../../../shared/schemas/user'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { UserChanges } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { RELEASED } from '../../../domain/lease'
import {
  findSupplierConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { assertUsernameFree, toUser, usernameKey } from '../../people/accounts/accounts'
import { hashNewPassword } from '../../people/accounts/new-password'
import { knownRequester } from '../../people/accounts/passwords'
import { listPeopleIds } from '../../people/accounts/persons.queries'
import { endCompanySessions } from '../../people/accounts/sessions.queries'
import {
  findUser,
  insertUser,
  eachUserByRole,
  updateUser,
  type UserRecord,
} from '../../people/accounts/users.queries'
import { endApiKeysOf } from '../../people/api-keys/end-api-keys'
import { recordSupplierChange } from '../../people/audit/audited-records'

/** Yields all suppliers, in pages. Only for administrators: see route-roles.ts. */
export async function* eachSupplier(deps: Deps): AsyncGenerator<User[]> {
  for await (const rows of eachUserByRole(deps.db, 'SUPPLIER')) yield rows.map(toUser)
}

export async function createSupplier(
  deps: Deps,
  actor: Actor,
  input: CreateSupplierInput,
  address: string,
): Promise<UserRecord> {
  await assertUsernameFree(deps.db, input.username)
  const passwordHash = await hashNewPassword(deps, knownRequester(selfOf(actor), address), {
    password: input.password,
    names: [input.username, input.companyName],
  })
  return inTransaction(deps.db, async (trx) => {
    await assertUsernameFree(trx, input.username)
    const supplier = await insertUser(trx, {
      username: input.username,
      usernameKey: usernameKey(input.username),
      passwordHash,
      role: 'SUPPLIER',
      companyName: input.companyName,
      contactEmail: input.contactEmail,
      maxRetailers: input.maxRetailers,
      createdAt: deps.clock.now(),
    })
    await recordSupplierChange(trx, deps, { verb: 'create', after: supplier })
    return supplier
  })
}

/**
 * Changes any of a supplier's details. Deactivation ends the supplier's sessions and stops its
 * syncs, and its retailers keep the last published file: docs/rules.md#suppliers.
 */
export async function updateSupplier(deps: Deps, input: UpdateSupplierInput): Promise<UserRecord> {
  return inTransaction(deps.db, async (trx) => {
    const supplier = await findUser(trx, input.id)
    if (supplier?.role !== 'SUPPLIER') throw notFound('Supplier')
    if (input.isActive === false) await shutOut(trx, deps, supplier.id)
    if (input.isActive !== undefined) await scheduleSyncs(trx, deps, supplier, input.isActive)
    const changes = toChanges(input)
    if (Object.keys(changes).length === 0) return supplier
    const after = (await updateUser(trx, supplier.id, changes)) ?? supplier
    await recordSupplierChange(trx, deps, { verb: 'update', before: supplier, after })
    return after
  })
}

/** Ends the sessions and API keys of a company's people. */
async function shutOut(trx: WriteTransaction, deps: Deps, companyId: number): Promise<void> {
  await endCompanySessions(trx, companyId)
  await endApiKeysOf(trx, deps, await listPeopleIds(trx, companyId))
}

function toChanges(input: UpdateSupplierInput): UserChanges {
  const { companyName, contactEmail, maxRetailers, isActive } = input
  return {
    ...(companyName !== undefined && { companyName }),
    ...(contactEmail !== undefined && { contactEmail }),
    ...(maxRetailers !== undefined && { maxRetailers }),
    ...(isActive !== undefined && { isActive }),
  }
}

/**
 * Stops the syncs of a deactivated supplier, even a running one; a reactivated one syncs at once.
 */
async function scheduleSyncs(
  trx: WriteTransaction,
  deps: Deps,
  supplier: UserRecord,
  isActive: boolean,
): Promise<void> {
  const connection = await findSupplierConnection(trx, supplier.id)
  if (!connection || supplier.isActive === isActive) return
  const isDue = isActive && connection.isActive
  await updateConnectionRow(trx, connection, {
    ...RELEASED,
    nextSyncAt: isDue ? deps.clock.now() : null,
  })
}

import type { Guard } from '../../shared/schemas/publishing'
import { inTransaction } from '../db/open'
import type { NewUserRow } from '../db/schema'
import type { Deps } from '../domain/deps'
import { insertFirstConnection } from '../features/catalogue/connections/connections'
import { linkRetailer } from '../features/distribution/retailers/retailers'
import { usernameKey } from '../features/people/accounts/accounts'
import { OPERATOR } from '../features/people/accounts/passwords'
import { insertSession } from '../features/people/accounts/sessions.queries'
import { findUser, insertUser, type UserRecord } from '../features/people/accounts/users.queries'

/** The password of every account that the factories create. */
export const PASSWORD = 'correct horse'
/** Their client address, in tests without a web server. */
export const ADDRESS = '192.0.2.1'

/** Settings of a connection that hold nothing back. */
export const NO_GUARD: Guard = {
  minRowsPercent: null,
  minQuantityPercent: null,
  maxLostKeysPercent: null,
  needsColumns: false,
}

let count = 0

async function createUser(deps: Deps, user: Partial<NewUserRow> & Pick<NewUserRow, 'role'>) {
  count += 1
  const username = user.username ?? `user-${count}`
  // A requester of its own, so that concurrent calls do not exceed a requester's share.
  const requester = { ...OPERATOR, account: username }
  const passwordHash = await deps.passwords.hash(requester, PASSWORD)
  return inTransaction(deps.db, (trx) =>
    insertUser(trx, {
      passwordHash,
      createdAt: deps.clock.now(),
      ...user,
      username,
      usernameKey: usernameKey(username),
    }),
  )
}

export const createAdmin = (deps: Deps) => createUser(deps, { role: 'SUPER_ADMIN' })

export const createSupplierUser = (deps: Deps, user: Partial<NewUserRow> = {}) =>
  createUser(deps, {
    role: 'SUPPLIER',
    companyName: 'Acme',
    contactEmail: 'acme@example.com',
    maxRetailers: 10,
    ...user,
  })

/** Creates a retailer's login that is not linked yet. */
export const createRetailerUser = (deps: Deps, registeredBy: UserRecord | null = null) =>
  createUser(deps, { role: 'RETAILER', registeredByUserId: registeredBy?.id ?? null })

/** Creates a retailer with its login, linked to a supplier. */
export async function createLinkedRetailer(
  deps: Deps,
  supplier: UserRecord,
  visibilitySettings = { allProducts: true, categories: [] as string[] },
) {
  const user = await createRetailerUser(deps, supplier)
  const id = await inTransaction(deps.db, (trx) =>
    linkRetailer(trx, deps, supplier, {
      userId: user.id,
      storeName: 'Corner Shop',
      visibilitySettings,
    }),
  )
  return { id, user }
}

/** Stores a session of the user, as a transport does at a sign-in. Returns its key. */
export async function createSession(deps: Deps, { id: userId }: { id: number }): Promise<string> {
  count += 1
  const idHash = `session-${count}`
  const now = deps.clock.now()
  const times = { createdAt: now, touchedAt: now, expiresAt: now + 60_000 }
  await inTransaction(deps.db, (trx) => insertSession(trx, { idHash, userId, data: {}, ...times }))
  return idHash
}

/** Creates a supplier's connection to `url`, due at once. */
export function createSupplierConnection(
  deps: Deps,
  supplier: UserRecord,
  url: string,
  syncFrequency = 60,
) {
  const settings = { name: 'Main feed', type: 'URL', fileFormat: 'CSV', isActive: true } as const
  return inTransaction(deps.db, (trx) =>
    insertFirstConnection(trx, deps, supplier.id, { ...settings, syncFrequency, config: { url } }),
  )
}

/** Lets every connection publish whatever its source has. */
export async function removeGuards(deps: Deps): Promise<void> {
  await deps.db.updateTable('connections').set({ guard: NO_GUARD }).execute()
}

/** Reads the user again from the database. */
export async function reloadUser(deps: Deps, user: { id: number }): Promise<UserRecord> {
  const found = await findUser(deps.db, user.id)
  if (!found) throw new Error(`User ${user.id} is gone`)
  return found
}

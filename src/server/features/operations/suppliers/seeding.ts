import { isDeepStrictEqual } from 'node:util'

import { DEFAULT_MAX_RETAILERS, SYNC_FREQUENCIES } from '../../../../shared/constants'
import type {
  SeededSuppliers,
  SeedResult,
  SupplierSeed,
} from '../../../../shared/schemas/supplier-seed'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { RetailerChanges } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { changeConnection } from '../../catalogue/connections/connection-settings'
import { insertFirstConnection } from '../../catalogue/connections/connections'
import {
  findConnection,
  findSupplierConnection,
} from '../../catalogue/connections/connections.queries'
import { unlockSource } from '../../catalogue/connections/private-keys'
import { linkRetailer } from '../../distribution/retailers/retailers'
import {
  findRetailer,
  listRetailers,
  updateRetailerRow,
  type RetailerRecord,
} from '../../distribution/retailers/retailers.queries'
import { dropVariantRequests } from '../../distribution/variants/variant-requests'
import { usernameKey } from '../../people/accounts/accounts'
import type { Requester } from '../../people/accounts/fair-gate'
import { hashNewPassword } from '../../people/accounts/new-password'
import { OPERATOR } from '../../people/accounts/passwords'
import { findPersonWithHash, type Person } from '../../people/accounts/persons.queries'
import { insertUser, updateUser, type UserRecord } from '../../people/accounts/users.queries'
import { recordRetailerChange, recordSupplierChange } from '../../people/audit/audited-records'

type SeedRetailer = SupplierSeed['retailers'][number]

/**
 * Creates or updates one supplier, its connection and its retailers, all or nothing. Idempotent.
 * @throws DomainError CONFLICT when a username belongs to another account; LIMIT_REACHED when there
 *   are more retailers than the supplier may have
 */
export async function seedSupplier(deps: Deps, seed: SupplierSeed): Promise<SeedResult> {
  const hashes: Hashes = new Map()
  await hashNewPasswords(deps, seed, OPERATOR, hashes)
  const unlocked = await unlockSeed(deps, seed)
  const result = await inTransaction(deps.db, (trx) => saveSeed(trx, deps, unlocked, hashes))
  await wakeScheduler(deps)
  return result
}

/** Rolls back what was written of the other seeds. */
class SeedsRefusedError extends Error {
  constructor(readonly problems: SeededSuppliers['problems']) {
    super('Some suppliers cannot be written')
  }
}

/**
 * Creates or updates suppliers like `seedSupplier`: all of them, or none.
 * @param requester for whom new passwords are hashed
 * @returns what was done with each, or what is wrong with some
 */
export async function seedSuppliers(
  deps: Deps,
  seeds: readonly SupplierSeed[],
  requester: Requester = OPERATOR,
): Promise<SeededSuppliers> {
  const hashes: Hashes = new Map()
  try {
    const unlocked = await eachSeed(seeds, async (seed) => {
      await hashNewPasswords(deps, seed, requester, hashes)
      return unlockSeed(deps, seed)
    })
    const results = await inTransaction(deps.db, (trx) =>
      eachSeed(unlocked, (seed) => saveSeed(trx, deps, seed, hashes)),
    )
    await wakeScheduler(deps)
    return { results, problems: [] }
  } catch (error) {
    if (!(error instanceof SeedsRefusedError)) throw error
    return { results: [], problems: error.problems }
  }
}

/** Takes the passphrase of a private key away. @throws DomainError INVALID */
async function unlockSeed(deps: Deps, seed: SupplierSeed): Promise<SupplierSeed> {
  if (!seed.connection) return seed
  const of = { supplierId: null, fieldPrefix: 'connection.' }
  return { ...seed, connection: await unlockSource(deps, seed.connection, of) }
}

/** @throws SeedsRefusedError with what is wrong with each */
async function eachSeed<Done>(
  seeds: readonly SupplierSeed[],
  work: (seed: SupplierSeed) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = []
  const problems: SeededSuppliers['problems'] = []
  for (const [place, seed] of seeds.entries()) {
    try {
      done.push(await work(seed))
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'THROTTLED') throw error
      problems.push({ place, message: error.message })
    }
  }
  if (problems.length > 0) throw new SeedsRefusedError(problems)
  return done
}

async function saveSeed(
  trx: WriteTransaction,
  deps: Deps,
  seed: SupplierSeed,
  hashes: Hashes,
): Promise<SeedResult> {
  const before = await readRecords(trx, seed)
  const supplier = await saveSupplier(trx, deps, seed, before?.supplier, hashes)
  if (seed.connection) await saveConnection(trx, deps, supplier, seed.connection)
  for (const retailer of seed.retailers) await saveRetailer(trx, deps, supplier, retailer, hashes)
  if (!before) return 'created'
  return isDeepStrictEqual(await readRecords(trx, seed), before) ? 'unchanged' : 'updated'
}

/** The records that a seed may change; undefined when there is no such account. */
async function readRecords(trx: WriteTransaction, seed: SupplierSeed) {
  const supplier = await findPersonWithHash(trx, usernameKey(seed.username))
  if (!supplier) return undefined
  const scope = { supplierId: supplier.id }
  const connection = await findSupplierConnection(trx, supplier.id)
  return {
    supplier,
    connection: connection && (await findConnection(trx, connection.id, scope)),
    // Not all of the supplier's: a file may name thousands of retailers, one on each line.
    retailers: await Promise.all(seed.retailers.map((one) => findLinked(trx, scope, one.username))),
  }
}

async function findLinked(trx: WriteTransaction, scope: { supplierId: number }, username: string) {
  const user = await findPersonWithHash(trx, usernameKey(username))
  const [linked] = user ? await listRetailers(trx, { ...scope, userId: user.id }) : []
  return linked
}

/** The hashes of new passwords, by the keys of usernames. */
type Hashes = Map<string, string>

/** Hashes before the transaction, because hashing is slow. @throws DomainError that names the account */
async function hashNewPasswords(
  deps: Deps,
  seed: SupplierSeed,
  requester: Requester,
  hashes: Hashes,
): Promise<void> {
  const companies = [{ ...seed, company: seed.companyName }]
  const stores = seed.retailers.map((retailer) => ({ ...retailer, company: retailer.storeName }))
  for (const { username, password, company } of [...companies, ...stores]) {
    const key = usernameKey(username)
    if (hashes.has(key) || (await findPersonWithHash(deps.db, key))) continue
    try {
      hashes.set(
        key,
        await hashNewPassword(deps, requester, { password, names: [username, company] }),
      )
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'THROTTLED') throw error
      throw new DomainError(error.code, `${username}: ${error.message}`)
    }
  }
}

async function saveSupplier(
  trx: WriteTransaction,
  deps: Deps,
  seed: SupplierSeed,
  known: Person | undefined,
  hashes: Hashes,
): Promise<UserRecord> {
  const { companyName, contactEmail, maxRetailers } = seed
  const details = { companyName, contactEmail, ...(maxRetailers && { maxRetailers }) }
  if (!known) {
    const withLimit = { maxRetailers: DEFAULT_MAX_RETAILERS, ...details }
    const after = await insertAccount(trx, deps, 'SUPPLIER', seed.username, hashes, withLimit)
    await recordSupplierChange(trx, deps, { verb: 'create', after })
    return after
  }
  if (known.role !== 'SUPPLIER' || known.memberOf !== null) throw nameTaken(seed.username, known)
  const after = (await updateUser(trx, known.id, details)) ?? known
  await recordSupplierChange(trx, deps, { verb: 'update', before: known, after })
  return after
}

async function saveConnection(
  trx: WriteTransaction,
  deps: Deps,
  supplier: UserRecord,
  { name, url, auth, transfer, syncFrequency, updates }: NonNullable<SupplierSeed['connection']>,
) {
  const known = await findSupplierConnection(trx, supplier.id)
  const connection = known && (await findConnection(trx, known.id, { supplierId: supplier.id }))
  if (connection) {
    return changeConnection(trx, deps, connection, {
      name,
      syncFrequency,
      updates,
      config: { url, auth, transfer },
    })
  }
  return insertFirstConnection(trx, deps, supplier.id, {
    name: name ?? 'Inventory',
    type: 'URL',
    fileFormat: 'CSV',
    syncFrequency: syncFrequency ?? SYNC_FREQUENCIES.DAILY,
    config: { url, auth, transfer },
    // Without a name by which full files are known, the first file is one.
    updates: updates && { ...updates, nextIsFull: updates.fullName === null },
    isActive: true,
  })
}

async function saveRetailer(
  trx: WriteTransaction,
  deps: Deps,
  supplier: UserRecord,
  retailer: SeedRetailer,
  hashes: Hashes,
) {
  const known = await findPersonWithHash(trx, usernameKey(retailer.username))
  if (!known) {
    const details = { contactEmail: retailer.contactEmail ?? null, registeredByUserId: supplier.id }
    const user = await insertAccount(trx, deps, 'RETAILER', retailer.username, hashes, details)
    const { storeName, storeUrl, categories } = retailer
    const visibilitySettings = { allProducts: !categories, categories: categories ?? [] }
    const link = { userId: user.id, storeName, storeUrl, visibilitySettings }
    return linkRetailer(trx, deps, supplier, link)
  }
  const [linked] = await listRetailers(trx, { supplierId: supplier.id, userId: known.id })
  const owned = linked && (await findRetailer(trx, linked.id, { supplierId: supplier.id }))
  if (!owned) throw nameTaken(retailer.username, known)
  const changes = toRetailerChanges(owned, retailer)
  await updateRetailerRow(trx, owned, changes)
  await recordRetailerChange(trx, deps, owned, { ...owned, ...changes })
  await dropVariantRequests(trx, owned, deps.clock.now())
  return owned.id
}

/**
 * Changed categories apply at the retailer's next request:
 * docs/rules.md#how-often-a-retailers-file-changes.
 */
function toRetailerChanges(
  known: RetailerRecord,
  { storeName, storeUrl, categories }: SeedRetailer,
): RetailerChanges {
  const seen = known.isAllProducts ? undefined : known.categories
  return {
    storeName,
    ...(storeUrl && { storeUrl }),
    ...(categories &&
      !isDeepStrictEqual(categories, seen) && {
        isAllProducts: false,
        categories,
        hasOwnVisibility: true,
        currentSince: null,
      }),
  }
}

function insertAccount(
  trx: WriteTransaction,
  deps: Deps,
  role: 'SUPPLIER' | 'RETAILER',
  username: string,
  hashes: Hashes,
  details: Partial<UserRecord>,
): Promise<UserRecord> {
  const key = usernameKey(username)
  const passwordHash = hashes.get(key)
  // No hash: the account existed when passwords were hashed and has been deleted since.
  if (!passwordHash) throw new DomainError('CONFLICT', `The username ${username} is already taken`)
  const createdAt = deps.clock.now()
  return insertUser(trx, { ...details, username, usernameKey: key, passwordHash, role, createdAt })
}

function nameTaken(username: string, owner: UserRecord): DomainError {
  return new DomainError(
    'CONFLICT',
    `The username ${username} belongs to another ${owner.role} account`,
  )
}

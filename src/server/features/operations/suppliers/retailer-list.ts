import { DEFAULT_MAX_RETAILERS, type GroupSetting } from '../../../../shared/constants'
import { formatCountOf } from '../../../../shared/format'
import type {
  AddRetailersInput,
  ListedNewRetailer,
  RetailerListProblem,
} from '../../../../shared/schemas/retailer-list'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { RetailerGroupRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { findUnknownCategories } from '../../catalogue/versions/categories'
import { findGroup } from '../../distribution/groups/groups.queries'
import { toMember } from '../../distribution/retailers/member-settings'
import { linkRetailer } from '../../distribution/retailers/retailers'
import { countRetailers } from '../../distribution/retailers/retailers.queries'
import { usernameKey } from '../../people/accounts/accounts'
import { hashNewPassword } from '../../people/accounts/new-password'
import { knownRequester } from '../../people/accounts/passwords'
import {
  countUnlinkedRetailerUsers,
  insertUser,
  listTakenUsernames,
} from '../../people/accounts/users.queries'
import { countOpenInvitations } from '../../people/invitations/invitations.queries'

type NewRetailer = AddRetailersInput['retailers'][number]

/** Unknown categories that a message names; more are counted. */
const MAX_NAMED = 3

/** Returns everything that would keep this list from being added, in the order of the list. */
export async function checkRetailerList(
  deps: Deps,
  supplier: Actor,
  retailers: readonly ListedNewRetailer[],
): Promise<RetailerListProblem[]> {
  const problems = [
    ...(await findLoginProblems(deps, deps.db, supplier, retailers)),
    ...(await findCategoryProblems(deps, supplier, retailers)),
  ]
  return problems.toSorted((one, other) => one.place - other.place)
}

/**
 * Adds all retailers of a list with their logins, or none.
 * @param address the caller's IP address
 * @throws DomainError CONFLICT with the first problem of `checkRetailerList`; NOT_FOUND when the group is not the supplier's
 */
export async function addRetailerList(
  deps: Deps,
  supplier: Actor,
  { retailers, groupId }: AddRetailersInput,
  address: string,
): Promise<void> {
  assertNone(retailers, await checkRetailerList(deps, supplier, retailers))
  const hashes: string[] = []
  // One after the other, so that other users' sign-ins take turns with them.
  for (const [place, { password, username, storeName }] of retailers.entries()) {
    const field = `retailers.${place}.password`
    const names = [username, storeName, supplier.companyName]
    const requester = knownRequester(supplier, address)
    hashes.push(await hashNewPassword(deps, requester, { password, field, names }))
  }
  await inTransaction(deps.db, async (trx) => {
    assertNone(retailers, await findLoginProblems(deps, trx, supplier, retailers))
    const group = groupId == null ? undefined : await findOwnGroup(trx, supplier, groupId)
    for (const [place, retailer] of retailers.entries()) {
      await insertWithLogin(trx, deps, supplier, { retailer, group }, hashes[place] ?? null)
    }
  })
}

async function findOwnGroup(trx: WriteTransaction, { id: supplierId }: Actor, groupId: number) {
  const group = await findGroup(trx, groupId, { supplierId })
  if (!group) throw notFound('Group')
  return group
}

async function insertWithLogin(
  trx: WriteTransaction,
  deps: Deps,
  supplier: Actor,
  { retailer, group }: { retailer: NewRetailer; group: RetailerGroupRow | undefined },
  passwordHash: string | null,
): Promise<void> {
  const { username, contactEmail, storeName, syncFrequency, categories } = retailer
  const { id: userId } = await insertUser(trx, {
    username,
    usernameKey: usernameKey(username),
    passwordHash,
    role: 'RETAILER',
    companyName: storeName,
    contactEmail,
    registeredByUserId: supplier.id,
    createdAt: deps.clock.now(),
  })
  const visibilitySettings = { allProducts: categories.length === 0, categories }
  const link = { userId, storeName, syncFrequency, visibilitySettings }
  const member = group && { member: toMember(group, listOwnSettings(retailer)) }
  await linkRetailer(trx, deps, supplier, { ...link, ...member })
}

/** What the list says of a retailer, which it then has instead of what its group has. */
const listOwnSettings = ({ categories, syncFrequency }: NewRetailer): GroupSetting[] => [
  ...(categories.length > 0 ? (['visibilitySettings'] as const) : []),
  ...(syncFrequency !== undefined ? (['syncFrequency'] as const) : []),
]

function assertNone(retailers: readonly NewRetailer[], [problem]: RetailerListProblem[]): void {
  if (!problem) return
  const name = retailers[problem.place]?.username ?? ''
  throw new DomainError('CONFLICT', `${name}: ${problem.message}. Nothing has been added.`)
}

/** Taken and repeated usernames, and retailers beyond the supplier's limit. */
async function findLoginProblems(
  { clock }: Pick<Deps, 'clock'>,
  db: Db,
  supplier: Actor,
  retailers: readonly ListedNewRetailer[],
): Promise<RetailerListProblem[]> {
  const keys = retailers.map(({ username }) => usernameKey(username))
  const taken = new Set(await listTakenUsernames(db, keys))
  const limit = supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS
  const linked = await countRetailers(db, { supplierId: supplier.id })
  const waiting = await countUnlinkedRetailerUsers(db, supplier.id)
  const invited = await countOpenInvitations(db, supplier.id, clock.now())
  const room = Math.max(0, limit - linked - waiting - invited)
  return keys.flatMap((key, place) => [
    ...(taken.has(key) ? [{ place, message: 'This username is already taken' }] : []),
    ...(keys.indexOf(key) < place
      ? [{ place, message: 'This username is further up in the list already' }]
      : []),
    ...(place >= room ? [{ place, message: describeRoom(room, limit) }] : []),
  ])
}

const describeRoom = (room: number, limit: number) =>
  `You may have ${formatCountOf(limit, 'retailer')}, so ${room === 0 ? 'none' : `only ${room}`} can be added`

async function findCategoryProblems(
  deps: Deps,
  supplier: Actor,
  retailers: readonly ListedNewRetailer[],
): Promise<RetailerListProblem[]> {
  const named = retailers.flatMap(({ categories }) => categories)
  if (named.length === 0) return []
  const unknown = await findUnknownCategories(deps, supplier.id, named)
  return retailers.flatMap(({ categories }, place) => {
    if (categories.length === 0) return []
    if (!unknown) return { place, message: 'Your file has no categories to choose from' }
    const missing = categories.filter((category) => unknown.has(category))
    return missing.length === 0 ? [] : { place, message: describeMissing(missing) }
  })
}

function describeMissing(missing: string[]): string {
  const names = missing.slice(0, MAX_NAMED).map((name) => `“${name}”`)
  const more = missing.length - names.length
  return `Your file has no category ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

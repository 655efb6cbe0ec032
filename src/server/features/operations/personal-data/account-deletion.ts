import { ACCOUNT_GRACE_DAYS } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import type { DeletionOutcome, OwnAccount } from '../../../../shared/schemas/personal-data'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import { memberRoleOf, personOf, selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import { requireConfirmed } from '../../../domain/confirmation'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { aboutRetailer, aboutSupplier, recordEvent } from '../../alerting/alerts/events'
import { listRetailers } from '../../distribution/retailers/retailers.queries'
import { usernameKey } from '../../people/accounts/accounts'
import { countActiveAdministrators } from '../../people/accounts/deleted-users.queries'
import { countLinkedRetailers } from '../../people/accounts/linked-retailers.queries'
import { knownRequester } from '../../people/accounts/passwords'
import { countActiveOwners } from '../../people/accounts/persons.queries'
import {
  findPasswordHash,
  findUser,
  updateUser,
  type UserRecord,
} from '../../people/accounts/users.queries'
import { findSupplierOf, recordAudit } from '../../people/audit/record-audit'
import { removePersonOf } from './remove-accounts'

/** Whose account an administrator means; without it, it is the caller's own. */
type Confirmed = { confirmation: string; companyId?: number | undefined }

/** Where a call comes from. */
type From = { address: string; sessionIdHash: string }

/** What deleting the own account would do, and how it is confirmed. */
export async function getOwnAccount(deps: Deps, actor: Actor): Promise<OwnAccount> {
  const [own] = await listRetailers(deps.db, { userId: actor.id })
  return {
    companyName: nameCompany(actor, own),
    confirmedBy: (await findPasswordHash(deps.db, selfOf(actor).id)) ? 'password' : 'username',
    what: await whatIsDeleted(deps.db, actor),
    retailerCount: actor.role === 'SUPPLIER' ? await countLinkedRetailers(deps.db, actor.id) : 0,
  }
}

/** Who is the only one that can act for a company takes it along. */
async function whatIsDeleted(db: Deps['db'], actor: Actor): Promise<OwnAccount['what']> {
  if (actor.role === 'SUPER_ADMIN') {
    return (await countActiveAdministrators(db)) > 1 ? 'person' : 'nothing'
  }
  if (memberRoleOf(actor) !== 'OWNER') return 'person'
  return (await countActiveOwners(db, actor.id)) > 1 ? 'person' : 'company'
}

/**
 * Deletes the caller's account: a person at once, a company after a period of grace. Administrators may name a
 * supplier instead.
 * @throws DomainError INVALID unless it is confirmed; CONFLICT for the last administrator, and for a company
 *   that waits already; THROTTLED
 */
export async function deleteAccount(
  deps: Deps,
  actor: Actor,
  input: Confirmed & { scope?: 'person' | 'company' | undefined },
  from: From,
): Promise<DeletionOutcome> {
  if (input.companyId !== undefined) {
    const supplier = await loadCompany(deps, actor, input.companyId)
    if (supplier.role !== 'SUPPLIER') throw notFound('Account')
    await requireTyped(deps, actor, input.confirmation, from)
    return planDeletion(deps, supplier)
  }
  const what = await whatIsDeleted(deps.db, actor)
  if (what === 'nothing') throw lastAdministrator()
  const isCompany = what === 'company' || (input.scope === 'company' && isOwner(actor))
  await requireTyped(deps, actor, input.confirmation, from)
  if (isCompany) return planDeletion(deps, actor)
  await removeOwnPerson(deps, actor)
  return { deletionAt: null }
}

const isOwner = (actor: Actor) => actor.role !== 'SUPER_ADMIN' && memberRoleOf(actor) === 'OWNER'

async function removeOwnPerson(deps: Deps, actor: Actor): Promise<void> {
  const self = selfOf(actor)
  await removePersonOf(deps, self, {
    signal: new AbortController().signal,
    staysCompany: actor.role !== 'SUPER_ADMIN' && self.id === actor.id,
    // Somebody else may be doing the same.
    check: async (trx) => {
      if ((await whatIsDeleted(trx, actor)) !== 'person') throw lastOwner()
    },
  })
}

async function planDeletion(deps: Deps, company: UserRecord): Promise<DeletionOutcome> {
  const now = deps.clock.now()
  const deletionAt = now + ACCOUNT_GRACE_DAYS * DAY_MS
  await inTransaction(deps.db, async (trx) => {
    const current = await findUser(trx, company.id)
    if (!current) throw notFound('Account')
    if (current.deletionAt !== null) throw alreadyPlanned()
    await updateUser(trx, company.id, { deletionAt })
    await recordDeletion(trx, deps, current, 'plan-deletion')
    await tellOf(trx, current, { kind: 'company.leaving', now, details: { until: deletionAt } })
  })
  return { deletionAt: toInstant(deletionAt) }
}

/**
 * Calls a deletion off: an owner that of the own company, an administrator that of a supplier or retailer.
 * @throws DomainError CONFLICT once its time has come
 */
export async function keepAccount(
  deps: Deps,
  actor: Actor,
  companyId: number | undefined,
): Promise<void> {
  await countAttempts(deps, [{ limit: 'deleteAccount', subject: selfOf(actor).id }])
  if (companyId === undefined && actor.role === 'SUPER_ADMIN') throw notFound('Deletion')
  const company = companyId === undefined ? actor : await loadCompany(deps, actor, companyId)
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const current = await findUser(trx, company.id)
    if (!current || current.deletionAt === null) throw notFound('Deletion')
    if (current.deletionAt <= now) throw beingDeleted()
    await updateUser(trx, company.id, { deletionAt: null })
    await recordDeletion(trx, deps, current, 'keep')
    await tellOf(trx, current, { kind: 'company.stays', now })
  })
}

/** @throws DomainError NOT_FOUND unless an administrator names a company */
async function loadCompany(deps: Deps, actor: Actor, id: number): Promise<UserRecord> {
  const company = await findUser(deps.db, id)
  const isCompany = company !== undefined && company.role !== 'SUPER_ADMIN'
  if (actor.role !== 'SUPER_ADMIN' || !isCompany) throw notFound('Account')
  return company
}

const nameCompany = (
  { companyName, username }: UserRecord,
  store: { storeName: string | null } | undefined,
): string => companyName ?? store?.storeName ?? username

async function recordDeletion(
  trx: WriteTransaction,
  deps: Deps,
  company: UserRecord,
  verb: 'plan-deletion' | 'keep',
): Promise<void> {
  const [own] = await listRetailers(trx, { userId: company.id })
  await recordAudit(trx, deps, {
    action: `account.${verb}`,
    subject: { id: company.id, name: nameCompany(company, own) },
    supplierId: await findSupplierOf(trx, company),
  })
}

/** A supplier's retailers and its people; of a retailer, its suppliers and its people. */
async function tellOf(
  trx: WriteTransaction,
  company: UserRecord,
  event: Parameters<typeof recordEvent>[2],
): Promise<void> {
  if (company.role === 'SUPPLIER') {
    await recordEvent(trx, aboutSupplier(company), event)
    return
  }
  for (const retailer of await listRetailers(trx, { userId: company.id })) {
    const storeName = retailer.storeName || retailer.username
    await recordEvent(trx, aboutRetailer({ ...retailer, storeName }), event)
  }
}

/**
 * @throws DomainError INVALID unless it is the password or, without one, the username, by somebody who has confirmed to be
 *   there; THROTTLED
 */
async function requireTyped(
  deps: Deps,
  actor: Actor,
  confirmation: string,
  { address, sessionIdHash }: From,
): Promise<void> {
  const self = personOf(actor)
  const hash = await findPasswordHash(deps.db, self.id)
  const count = () => countAttempts(deps, [{ limit: 'deleteAccount', subject: self.id }])
  const isRight =
    hash === null
      ? await count().then(() => usernameKey(confirmation) === usernameKey(self.username))
      : await deps.passwords.verify(knownRequester(self, address), hash, confirmation, count)
  if (isRight) {
    if (hash === null) await requireConfirmed(deps, sessionIdHash)
    return
  }
  const what = hash === null ? 'This is not your username' : 'This is not your password'
  throw new DomainError('INVALID', what, { field: 'confirmation' })
}

const lastAdministrator = () =>
  new DomainError('CONFLICT', 'The last administrator cannot be deleted')
const lastOwner = () =>
  new DomainError('CONFLICT', 'Nobody else can act for this account any more. Try again.')
const alreadyPlanned = () => new DomainError('CONFLICT', 'This account is to be deleted already')
const beingDeleted = () =>
  new DomainError('CONFLICT', 'It is too late: this account is being deleted')

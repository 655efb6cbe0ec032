import { MEMBER_ROLES_OF, type MemberRole } from '../../../../shared/constants'
import type { Person as ShownPerson } from '../../../../shared/schemas/person'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import { personOf, selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import {
  closeFirstLogin,
  countActiveOwners,
  findPerson,
  listPersonRows,
  updatePerson,
  type Person,
} from '../accounts/persons.queries'
import { endUserSessions } from '../accounts/sessions.queries'
import { findUser, type UserRecord } from '../accounts/users.queries'
import { endApiKeysOf } from '../api-keys/end-api-keys'
import { recordUserAudit } from '../audit/record-audit'
import { withdrawInvitationsBy } from '../invitations/invitations.queries'
import { deleteAccountMailsOf } from '../recovery/account-mails.queries'

/** A person of a company; administrators name the company, others have their own. */
export type PersonInput = { personId: number; companyId?: number | undefined }

/** Lists who signs in for a company: its first login, then the others by when they came. */
export async function listPeople(
  deps: Deps,
  actor: Actor,
  companyId: number | undefined,
): Promise<ShownPerson[]> {
  const company = await loadCompany(deps.db, actor, companyId)
  const rows = await listPersonRows(deps.db, company.id)
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    displayName: row.displayName,
    role: row.memberRole ?? 'OWNER',
    isActive: row.isActive,
    isFirst: row.id === company.id,
    isSelf: row.id === selfOf(actor).id,
    mailAddress: row.address,
    hasSecondFactor: row.secondFactorOf !== null,
    passkeyCount: row.passkeyCount ?? 0,
    createdAt: toInstant(row.createdAt),
    lastSeenAt: toInstantOrNull(row.lastSeenAt),
  }))
}

/**
 * Changes what a person may do. The sessions of the person go on, with the new role from the next call.
 * @throws DomainError NOT_FOUND for a person of another company; INVALID for a role that its people cannot
 *   have; CONFLICT for the first login, which is an owner, and when no owner would be left
 */
export function setPersonRole(deps: Deps, actor: Actor, input: PersonInput & { role: MemberRole }) {
  return changePerson(deps, actor, input, async (trx, { company, person }) => {
    requireRoleOf(company, input.role)
    if (person.memberOf === null) throw firstLoginIsOwner()
    await updatePerson(trx, person.id, { memberRole: input.role })
    await requireOwner(trx, actor, company)
    const [before, after] = [{ role: person.memberRole }, { role: input.role }]
    await recordUserAudit(trx, deps, person, { action: 'person.change-role', before, after })
  })
}

/**
 * Lets a person sign in or not. Sessions end at once.
 * @throws DomainError as `setPersonRole`
 */
export function setPersonActive(
  deps: Deps,
  actor: Actor,
  { isActive, ...input }: PersonInput & { isActive: boolean },
) {
  return changePerson(deps, actor, input, async (trx, { company, person }) => {
    if (person.memberOf === null) throw firstLoginIsOwner()
    await updatePerson(trx, person.id, { isActive })
    await requireOwner(trx, actor, company)
    if (!isActive) await shutOut(trx, deps, person)
    const [before, after] = [{ isActive: !isActive }, { isActive }]
    await recordUserAudit(trx, deps, person, { action: 'person.change-access', before, after })
  })
}

/**
 * Removes a person for good, whatever is restored, and with it its sessions and alerts. Of a first login the row
 * stays, as the company, without the person.
 * @throws DomainError NOT_FOUND for a person of another company; CONFLICT when no owner would be left
 */
export function removePerson(deps: Deps, actor: Actor, input: PersonInput) {
  return changePerson(deps, actor, input, async (trx, { company, person }) => {
    const { id, createdAt } = person
    const isFirst = person.memberOf === null
    const before = { username: person.username, role: person.memberRole }
    await recordUserAudit(trx, deps, person, { action: 'person.remove', before })
    if (isFirst) await closeFirstLogin(trx, id)
    else await updatePerson(trx, id, { isActive: false })
    await requireOwner(trx, actor, company)
    await shutOut(trx, deps, person)
    await deps.forgetPerson(trx, id, { staysCompany: isFirst })
    // The last thing that can fail before the commit.
    await deps.deletedAccounts.add({ what: isFirst ? 'login' : 'account', id, createdAt })
  })
}

/**
 * Ends the sessions and API keys of a person, and the links that it may have kept to come back by: those for a new
 * password, and those of invitations. After all that may refuse it: keys that have ended are kept outside the database.
 */
async function shutOut(
  trx: WriteTransaction,
  deps: Pick<Deps, 'clock' | 'deletedAccounts'>,
  { id }: Person,
): Promise<void> {
  await endUserSessions(trx, id)
  await deleteAccountMailsOf(trx, id)
  await endApiKeysOf(trx, deps, [id])
  await withdrawInvitationsBy(trx, id, deps.clock.now())
}

async function changePerson(
  deps: Deps,
  actor: Actor,
  input: PersonInput,
  change: (trx: WriteTransaction, found: { company: UserRecord; person: Person }) => Promise<void>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await change(trx, await loadPersonOf(trx, actor, input))
  })
}

/** @throws DomainError CONFLICT when no owner is left, unless an administrator does it, who can still help */
async function requireOwner(trx: WriteTransaction, actor: Actor, { id }: UserRecord) {
  if (personOf(actor).role === 'SUPER_ADMIN' || (await countActiveOwners(trx, id)) > 0) return
  throw new DomainError('CONFLICT', 'A company needs an owner. Make somebody else an owner first.')
}

const firstLoginIsOwner = () =>
  new DomainError(
    'CONFLICT',
    'The first login of a company is an owner. It can be removed once somebody else is one too.',
  )

/** @throws DomainError INVALID for a role that people of this company cannot have */
export function requireRoleOf({ role: kind }: UserRecord, role: MemberRole): void {
  if (kind !== 'SUPER_ADMIN' && MEMBER_ROLES_OF[kind].includes(role)) return
  throw new DomainError('INVALID', 'People of this company cannot have this role', {
    field: 'role',
  })
}

/** @throws DomainError NOT_FOUND for a person of another company, and as `loadCompany` */
export async function loadPersonOf(
  db: Db,
  actor: Actor,
  { personId, companyId }: PersonInput,
): Promise<{ company: UserRecord; person: Person }> {
  const company = await loadCompany(db, actor, companyId)
  const person = await findPerson(db, personId)
  if (!person || (person.memberOf ?? person.id) !== company.id) throw notFound('Person')
  return { company, person }
}

/** @throws DomainError NOT_FOUND unless it is the actor's own company, or any for an administrator */
export async function loadCompany(
  db: Db,
  actor: Actor,
  companyId: number | undefined,
): Promise<UserRecord> {
  const company = await findUser(db, companyId ?? actor.id)
  const isOwn = company?.id === actor.id || actor.role === 'SUPER_ADMIN'
  if (!company || !isOwn || company.role === 'SUPER_ADMIN') throw notFound('Company')
  return company
}

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import {
  INVITATION_DAYS,
  MAX_LISTED_INVITATIONS,
  type InvitationKind,
} from '../../../../shared/invitations'
import type {
  Invitation,
  InvitationList,
  InvitationTerms,
  InvitePersonInput,
  InviteRetailerInput,
  InviteSupplierInput,
  NewInvitation,
} from '../../../../shared/schemas/invitation'
import { withoutUnusedOptions } from '../../../../shared/schemas/shop-format'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { resolveSupplierId, selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { createSecretToken, hashSecretToken } from '../../../domain/secret-token'
import { assertRoomForRetailer } from '../accounts/registration'
import { findUser, type UserRecord } from '../accounts/users.queries'
import { loadCompany, requireRoleOf } from '../company-people/company-people'
import { countInvitation, sendInvitation } from './invitation-mail'
import { nameOfTerms, recordInvitationAudit, roleOfTerms } from './invitation-terms'
import {
  countOpenInvitations,
  deleteEndedInvitations,
  findInvitation,
  hasGroup,
  insertInvitation,
  listInvitationRows,
  updateInvitation,
  type InvitationScope,
  type NamedInvitation,
} from './invitations.queries'

/** A mail that takes longer is not sent any more: its process has died. */
const MAIL_TIMEOUT_MS = 5 * MINUTE_MS
const LIFETIME_MS = INVITATION_DAYS * DAY_MS

/** Whether invitations are those of companies, or of people of one: these are for its owners alone. */
export type InvitationAbout = 'companies' | 'people'

const KINDS: Record<InvitationAbout, readonly InvitationKind[]> = {
  companies: ['RETAILER', 'SUPPLIER'],
  people: ['MEMBER'],
}

/** The invitations that an actor may see: an administrator all, a company its own. */
const invitationScope = (actor: Actor, about: InvitationAbout): InvitationScope => ({
  kinds: KINDS[about],
  ...(actor.role !== 'SUPER_ADMIN' && { companyId: actor.id }),
})

function toInvitation(row: NamedInvitation, now: number): Invitation {
  return {
    id: row.id,
    kind: row.kind,
    name: nameOfTerms(row.terms),
    role: roleOfTerms(row.terms),
    email: row.email,
    state: stateOf(row, now),
    mailState: mailStateOf(row, now),
    renewedAt: toInstant(row.renewedAt),
    expiresAt: toInstant(row.expiresAt),
    endedAt: toInstantOrNull(row.acceptedAt ?? row.withdrawnAt),
    acceptedBy: row.acceptedName,
  }
}

const mailStateOf = ({ mailState, renewedAt }: NamedInvitation, now: number) =>
  mailState === 'sending' && renewedAt < now - MAIL_TIMEOUT_MS ? 'failed' : mailState

function stateOf(row: NamedInvitation, now: number): Invitation['state'] {
  if (row.acceptedAt !== null) return 'accepted'
  if (row.withdrawnAt !== null) return 'withdrawn'
  return row.tokenHash === null || row.expiresAt <= now ? 'expired' : 'open'
}

/** Lists invitations of a supplier's retailers; for administrators who name no supplier, of suppliers. */
export async function listInvitations(
  deps: Deps,
  actor: Actor,
  supplierId: number | undefined,
): Promise<InvitationList> {
  const isOfAdmins = actor.role === 'SUPER_ADMIN' && supplierId === undefined
  const companyId = isOfAdmins ? null : resolveSupplierId(actor, supplierId)
  const openCount =
    companyId === null ? 0 : await countOpenInvitations(deps.db, companyId, deps.clock.now())
  return { ...(await list(deps, companyId, 'companies')), openCount }
}

/** Lists who is invited to the people of a company. */
export async function listInvitedPeople(
  deps: Deps,
  actor: Actor,
  companyId: number | undefined,
): Promise<InvitationList> {
  const { id } = await loadCompany(deps.db, actor, companyId)
  const { invitations, hasMail } = await list(deps, id, 'people')
  return {
    invitations,
    openCount: invitations.filter(({ state }) => state === 'open').length,
    hasMail,
  }
}

async function list(deps: Deps, companyId: number | null, about: InvitationAbout) {
  const now = deps.clock.now()
  const page = { now, limit: MAX_LISTED_INVITATIONS }
  const rows = await listInvitationRows(deps.db, { companyId, kinds: KINDS[about] }, page)
  return { invitations: rows.map((row) => toInvitation(row, now)), hasMail: deps.mail !== null }
}

/**
 * Invites a retailer, whose place among those that its supplier may have is kept from now on.
 * @throws DomainError NOT_FOUND for an unknown supplier; LIMIT_REACHED; THROTTLED
 */
export async function inviteRetailer(
  deps: Deps,
  actor: Actor,
  { supplierId, email, profile, groupId, ...settings }: InviteRetailerInput,
): Promise<NewInvitation> {
  const companyId = resolveSupplierId(actor, supplierId)
  const chosen = {
    ...(profile && { profile: withoutUnusedOptions(profile) }),
    ...(groupId != null && { groupId }),
  }
  const terms = { kind: 'RETAILER', ...settings, ...chosen } as const
  return invite(deps, actor, { companyId, email, terms })
}

/** Invites a supplier. Only for administrators: its procedure says so. */
export function inviteSupplier(
  deps: Deps,
  actor: Actor,
  { email, ...settings }: InviteSupplierInput,
): Promise<NewInvitation> {
  const terms = { kind: 'SUPPLIER', ...settings } as const
  return invite(deps, actor, { companyId: null, email, terms })
}

/**
 * Invites somebody to the people of a company. Only for its owners, and administrators: its procedure says so.
 * @throws DomainError NOT_FOUND for another company; INVALID for a role that its people cannot have; THROTTLED
 */
export async function invitePerson(
  deps: Deps,
  actor: Actor,
  { companyId, email, name, role }: InvitePersonInput,
): Promise<NewInvitation> {
  const company = await loadCompany(deps.db, actor, companyId)
  requireRoleOf(company, role)
  return invite(deps, actor, {
    companyId: company.id,
    email,
    terms: { kind: 'MEMBER', name, role },
  })
}

type Invited = {
  companyId: number | null
  email?: string | null | undefined
  terms: InvitationTerms
}

async function invite(
  deps: Deps,
  actor: Actor,
  { companyId, email = null, terms }: Invited,
): Promise<NewInvitation> {
  await countInvitation(deps, actor, email)
  const isMailed = email !== null
  const token = createSecretToken()
  const id = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    if (terms.kind === 'RETAILER' && companyId !== null) {
      await assertRoom(trx, deps, companyId)
      const { groupId } = terms
      const isKnown = groupId === undefined || (await hasGroup(trx, { companyId, groupId }))
      if (!isKnown) throw notFound('Group')
    }
    const scope = { companyId, kinds: [terms.kind] }
    await deleteEndedInvitations(trx, scope, { now, kept: MAX_LISTED_INVITATIONS })
    const row = {
      kind: terms.kind,
      companyId,
      invitedBy: selfOf(actor).id,
      email,
      terms,
      createdAt: now,
      ...toNewLink(token, isMailed, now),
    }
    const created = await insertInvitation(trx, row)
    const after = { email, ...terms }
    await recordInvitationAudit(trx, deps, { ...row, id: created }, { verb: 'create', after })
    return created
  })
  return deliver(deps, { id, token, isMailed })
}

const toNewLink = (token: string, isMailed: boolean, now: number) => ({
  tokenHash: hashSecretToken(token),
  mailState: isMailed ? ('sending' as const) : null,
  renewedAt: now,
  expiresAt: now + LIFETIME_MS,
})

async function assertRoom(trx: WriteTransaction, deps: Deps, supplierId: number): Promise<void> {
  const supplier = await findSupplier(trx, supplierId)
  await assertRoomForRetailer(trx, deps, supplier)
}

async function findSupplier(db: Db, id: number): Promise<UserRecord> {
  const supplier = await findUser(db, id)
  if (supplier?.role !== 'SUPPLIER') throw notFound('Supplier')
  return supplier
}

/**
 * Sends a new link by mail, or returns it. One that could not be sent is returned too: whoever opens it
 * proves nothing about the address then.
 */
async function deliver(
  deps: Deps,
  { id, token, isMailed }: { id: number; token: string; isMailed: boolean },
): Promise<NewInvitation> {
  const path = `/invitation#token=${token}`
  const isSent = isMailed && (await sendInvitation(deps, { id, token, path }))
  const row = await findInvitation(deps.db, id, {})
  if (!row) throw notFound('Invitation')
  return { invitation: toInvitation(row, deps.clock.now()), path: isSent ? null : path }
}

async function loadInvitation(
  db: Db,
  id: number,
  scope: InvitationScope,
): Promise<Owned<NamedInvitation>> {
  const row = await findInvitation(db, id, scope)
  if (!row) throw notFound('Invitation')
  return row
}

/**
 * Makes a new link of an invitation that is open or has expired; the earlier one ends at once.
 * @throws DomainError NOT_FOUND; CONFLICT when it was accepted or withdrawn; INVALID without an address
 *   to send it to; LIMIT_REACHED when it has expired and its place is gone; THROTTLED
 */
export async function renewInvitation(
  deps: Deps,
  actor: Actor,
  { id, isMailed }: { id: number; isMailed: boolean },
  about: InvitationAbout = 'companies',
): Promise<NewInvitation> {
  const scope = invitationScope(actor, about)
  const { email } = await loadInvitation(deps.db, id, scope)
  if (isMailed && email === null) {
    throw new DomainError('INVALID', 'This invitation has no e-mail address to send it to')
  }
  await countInvitation(deps, actor, isMailed ? email : null)
  const token = createSecretToken()
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const row = await loadInvitation(trx, id, scope)
    const state = stateOf(row, now)
    if (state === 'accepted' || state === 'withdrawn') {
      throw new DomainError('CONFLICT', `This invitation was ${state} already`)
    }
    if (state === 'expired' && row.kind === 'RETAILER' && row.companyId !== null) {
      await assertRoom(trx, deps, row.companyId)
    }
    await updateInvitation(trx, row, toNewLink(token, isMailed, now))
    const verb = isMailed ? 'send-again' : 'copy-link'
    await recordInvitationAudit(trx, deps, row, { verb })
  })
  return deliver(deps, { id, token, isMailed })
}

/** Ends an invitation: its link works no more. One that was withdrawn before stays so. */
export function withdrawInvitation(
  deps: Deps,
  actor: Actor,
  id: number,
  about: InvitationAbout = 'companies',
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const row = await loadInvitation(trx, id, invitationScope(actor, about))
    if (row.acceptedAt !== null) {
      throw new DomainError('CONFLICT', 'This invitation was accepted already')
    }
    if (row.withdrawnAt !== null) return
    const now = deps.clock.now()
    await updateInvitation(trx, row, { withdrawnAt: now, tokenHash: null })
    await recordInvitationAudit(trx, deps, row, { verb: 'withdraw' })
  })
}

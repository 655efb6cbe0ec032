import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { MemberRole } from '../../../../shared/constants'
import type { NewInvitation } from '../../../../shared/schemas/invitation'
import type { Actor } from '../../../domain/actor'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from '../accounts/accounts'
import { findActor } from '../accounts/find-actor'
import type { UserRecord } from '../accounts/users.queries'
import { removePerson, setPersonActive } from '../company-people/company-people'
import { acceptInvitation, acceptWithGoogle, openInvitation } from './acceptance'
import {
  invitePerson,
  listInvitations,
  listInvitedPeople,
  renewInvitation,
  withdrawInvitation,
} from './invitations'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps, { companyName: 'Northbeck', maxRetailers: 1 })
})
afterEach(() => deps.close())

const invite = (actor: Actor, role: MemberRole, companyId?: number) =>
  invitePerson(deps, actor, { name: 'Nora Beck', role, companyId })
const tokenOf = ({ path }: NewInvitation) => path?.split('=')[1] ?? ''
const accept = (token: string, username = 'nora') =>
  acceptInvitation(deps, { token, username, password: PASSWORD, contactEmail: null }, ADDRESS)
const list = (actor: Actor) => listInvitedPeople(deps, actor, undefined)

describe('an invitation to the people of a company', () => {
  it('makes a person with a role, who signs in for the company', async () => {
    const made = await invite(supplier, 'EDITOR')
    expect(await openInvitation(deps, tokenOf(made), ADDRESS)).toMatchObject({
      kind: 'MEMBER',
      inviter: 'Northbeck',
      name: 'Nora Beck',
      role: 'EDITOR',
    })
    const actor = await accept(tokenOf(made))
    expect(actor).toMatchObject({
      id: supplier.id,
      role: 'SUPPLIER',
      person: { username: 'nora', displayName: 'Nora Beck', memberRole: 'EDITOR' },
    })
    const known = await login(deps, { username: 'nora', password: PASSWORD }, ADDRESS)
    expect(known).toMatchObject({ id: supplier.id, person: { id: actor.person?.id } })
    expect((await list(supplier)).invitations).toMatchObject([
      { kind: 'MEMBER', role: 'EDITOR', state: 'accepted', acceptedBy: 'nora' },
    ])
  })

  it('of a retailer makes one of the retailer, which its supplier can read of', async () => {
    const { user } = await createLinkedRetailer(deps, supplier)
    const actor = await accept(tokenOf(await invite(user, 'BUYER')))
    expect(actor).toMatchObject({ id: user.id, role: 'RETAILER', person: { memberRole: 'BUYER' } })
    const entries = await deps.db
      .selectFrom('auditEntries')
      .select(['action', 'supplierId'])
      .where('action', 'in', ['invitation.create', 'invitation.accept', 'user.register'])
      .execute()
    expect(entries).toHaveLength(3)
    expect(new Set(entries.map(({ supplierId }) => supplierId))).toEqual(new Set([supplier.id]))
  })

  it('can be accepted with Google, by the name that Google knows', async () => {
    const identity = {
      issuer: 'https://accounts.example',
      subject: 'subject-1',
      email: 'nora@northbeck.example',
      name: 'Nora B.',
      pictureUrl: null,
    }
    const token = tokenOf(await invite(supplier, 'VIEWER'))
    const actor = await acceptWithGoogle(deps, { token, uid: 'subject-1' }, identity, ADDRESS)
    expect(actor).toMatchObject({ id: supplier.id, person: { displayName: 'Nora B.' } })
  })

  it('is refused for a role that people of the company cannot have, or of another company', async () => {
    await expect(invite(supplier, 'BUYER')).rejects.toMatchObject({
      code: 'INVALID',
      field: 'role',
    })
    const other = await createSupplierUser(deps)
    await expect(invite(other, 'OWNER', supplier.id)).rejects.toThrow('Company not found')
    const admin = await createAdmin(deps)
    expect(await invite(admin, 'OWNER', supplier.id)).toMatchObject({
      invitation: { kind: 'MEMBER' },
    })
    await expect(invite(admin, 'OWNER')).rejects.toThrow('Company not found')
  })

  it('is limited by company: one owner uses up what another has left', async () => {
    deps.limits.invite = { ...deps.limits.invite, max: 2 }
    const second = (await findActor(deps.db, (await createMember(deps, supplier, 'OWNER')).id))!
    await invite(supplier, 'VIEWER')
    await invite(second, 'VIEWER')
    await expect(invite(second, 'VIEWER')).rejects.toMatchObject({ code: 'THROTTLED' })
    await expect(invite(supplier, 'VIEWER')).rejects.toMatchObject({ code: 'THROTTLED' })
    expect(await invite(await createSupplierUser(deps), 'VIEWER')).toBeDefined()
  })

  it('takes no place among the retailers, and is in no list but its own', async () => {
    const { id } = (await invite(supplier, 'OWNER')).invitation
    await createLinkedRetailer(deps, supplier)
    expect(await listInvitations(deps, supplier, undefined)).toMatchObject({
      invitations: [],
      openCount: 0,
    })
    await expect(withdrawInvitation(deps, supplier, id)).rejects.toThrow('Invitation not found')
    await expect(renewInvitation(deps, supplier, { id, isMailed: false })).rejects.toThrow(
      'Invitation not found',
    )
    await withdrawInvitation(deps, supplier, id, 'people')
    expect((await list(supplier)).invitations).toMatchObject([{ state: 'withdrawn' }])
  })

  it.each([
    ['is removed', (id: number) => removePerson(deps, supplier, { personId: id })],
    [
      'may not sign in any more',
      (id: number) => setPersonActive(deps, supplier, { personId: id, isActive: false }),
    ],
  ])('ends when whoever made it %s: nobody comes back by it', async (_what, shutOut) => {
    const member = await createMember(deps, supplier, 'OWNER')
    const leaver = await findActor(deps.db, member.id)
    const token = tokenOf(await invite(leaver!, 'OWNER'))
    const kept = tokenOf(await invite(supplier, 'VIEWER'))
    await shutOut(member.id)
    await expect(accept(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await accept(kept)).toMatchObject({ person: { memberRole: 'VIEWER' } })
  })

  it('does not work while the company is deactivated', async () => {
    const token = tokenOf(await invite(supplier, 'EDITOR'))
    await deps.db.updateTable('users').set({ isActive: false }).execute()
    await expect(accept(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

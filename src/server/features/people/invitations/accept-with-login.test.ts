import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inviteRetailerInput, type NewInvitation } from '../../../../shared/schemas/invitation'
import { inTransaction } from '../../../db/open'
import { withCaller } from '../../../domain/caller'
import type { Mailer } from '../../../mail/mailer'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createMember,
  createRetailerUser,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { putPasskey } from '../../../testing/fixtures/passkeys'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { putConfirmedAddress } from '../../alerting/alerts/choices.queries'
import { deleteRetailer, linkRetailer } from '../../distribution/retailers/retailers'
import { changeOwnPassword, login, resetPassword } from '../accounts/accounts'
import { findActor } from '../accounts/find-actor'
import { register } from '../accounts/registration'
import { findSession } from '../accounts/sessions.queries'
import { updateUser, type UserRecord } from '../accounts/users.queries'
import { createApiKey } from '../api-keys/api-keys'
import { pageAuditEntries } from '../audit/audit-log'
import { acceptWithLogin } from './accept-with-login'
import { acceptInvitation, acceptWithGoogle } from './acceptance'
import { invitePerson, inviteRetailer, inviteSupplier } from './invitations'

let deps: TestDeps
let northbeck: UserRecord
let summit: UserRecord
let mailed: { to: string; text: string }[]

const mail: Mailer = {
  send: async ({ to, text }) => void mailed.push({ to, text }),
  check: async () => undefined,
  close: () => undefined,
}

beforeEach(async () => {
  mailed = []
  deps = await openTestDeps({}, { mail })
  northbeck = await createSupplierUser(deps, { companyName: 'Northbeck' })
  summit = await createSupplierUser(deps, { companyName: 'Summit' })
})
afterEach(() => deps.close())

const tokenOf = ({ path }: NewInvitation) => /#token=([\w-]{43})/.exec(path ?? '')?.[1] ?? ''
const invite = async (supplier: UserRecord, storeName = 'Corner Shop') =>
  tokenOf(await inviteRetailer(deps, supplier, inviteRetailerInput.parse({ storeName })))

/** Makes a login by an invitation of Northbeck, with a password that its person has chosen. */
const makeOwn = async (username = 'corner') => {
  const token = await invite(northbeck)
  const input = { token, username, password: PASSWORD, contactEmail: 'me@shop.example' }
  return acceptInvitation(deps, input, ADDRESS)
}

async function toActor({ id }: { id: number }) {
  const actor = await findActor(deps.db, id)
  if (!actor) throw new Error('The user is gone')
  return actor
}

/** Accepts as somebody in a session of its own. */
async function accept(user: { id: number }, token: string) {
  const actor = await toActor(user)
  const sessionIdHash = await createSession(deps, user)
  return withCaller({ origin: 'web', actor, address: ADDRESS }, () =>
    acceptWithLogin(deps, actor, token, { sessionIdHash, address: ADDRESS }),
  )
}

const listRelations = (userId: number) =>
  deps.db
    .selectFrom('retailers')
    .select(['supplierId', 'storeName'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()

async function choosePassword(user: { id: number }, current: string, next: string) {
  const actor = await toActor(user)
  const from = { sessionIdHash: await createSession(deps, user), address: ADDRESS }
  const input = { currentPassword: current, newPassword: next }
  await withCaller({ origin: 'web', actor, address: ADDRESS }, () =>
    changeOwnPassword(deps, actor, from, input),
  )
}

describe('an invitation that is accepted with the login one has', () => {
  it('gives its company another supplier, with the settings of the invitation', async () => {
    const user = await makeOwn()
    await accept(user, await invite(summit, 'Corner at Summit'))
    expect(await listRelations(user.id)).toEqual([
      { supplierId: northbeck.id, storeName: 'Corner Shop' },
      { supplierId: summit.id, storeName: 'Corner at Summit' },
    ])
  })

  it('works once, also when two browsers accept at the same time', async () => {
    const [one, two] = [await makeOwn('one'), await makeOwn('two')]
    const token = await invite(summit)
    const outcomes = await Promise.allSettled([accept(one, token), accept(two, token)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(accept(one, token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const all = [...(await listRelations(one.id)), ...(await listRelations(two.id))]
    expect(all.filter(({ supplierId }) => supplierId === summit.id)).toHaveLength(1)
  })

  it('is refused when the login gets the files of this supplier already, and stays open', async () => {
    const user = await makeOwn()
    const token = await invite(northbeck)
    await expect(accept(user, token)).rejects.toMatchObject({ code: 'CONFLICT' })
    await accept(await makeOther(), token)
  })

  const makeOther = async () => {
    const token = await invite(summit)
    const input = { token, username: 'other', password: PASSWORD, contactEmail: 'o@shop.example' }
    return acceptInvitation(deps, input, ADDRESS)
  }

  it('is refused to suppliers and administrators, who are told why', async () => {
    const token = await invite(summit)
    await expect(accept(northbeck, token)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('as a supplier') as string,
    })
    await expect(accept(await createAdmin(deps), token)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('as an administrator') as string,
    })
  })

  it.each([
    ['BUYER', false],
    ['TECHNICIAN', false],
    ['OWNER', true],
  ] as const)('by a person of the company with the role %s: %s', async (role, isAccepted) => {
    const user = await makeOwn()
    const member = await createMember(deps, user, role)
    await deps.db
      .updateTable('users')
      .set({ passwordOwnSince: member.createdAt })
      .where('id', '=', member.id)
      .execute()
    const [outcome] = await Promise.allSettled([accept(member, await invite(summit))])
    expect(outcome.status).toBe(isAccepted ? 'fulfilled' : 'rejected')
    expect(await listRelations(user.id)).toHaveLength(isAccepted ? 2 : 1)
  })

  it('is refused for the people of a company and for suppliers: a login is for one company', async () => {
    const user = await makeOwn()
    const ofPeople = await invitePerson(deps, summit, { name: 'Nora', role: 'EDITOR' })
    const ofSupplier = await inviteSupplier(deps, await createAdmin(deps), {
      companyName: 'New',
      maxRetailers: 10,
    })
    for (const invitation of [ofPeople, ofSupplier]) {
      await expect(accept(user, tokenOf(invitation))).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('one company') as string,
      })
    }
  })

  it('is refused to an administrator who only looks, and to an account that is to be deleted', async () => {
    const user = await makeOwn()
    const token = await invite(summit)
    const viewed = { ...user, viewAs: { by: await createAdmin(deps), endsAt: Infinity } }
    await expect(
      acceptWithLogin(deps, viewed, token, { sessionIdHash: '', address: ADDRESS }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await inTransaction(deps.db, (trx) => updateUser(trx, user.id, { deletionAt: 1 }))
    await expect(accept(user, token)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('counts to the retailers of that supplier alone', async () => {
    const user = await makeOwn()
    const small = await createSupplierUser(deps, { companyName: 'Small', maxRetailers: 1 })
    await accept(user, await invite(small))
    await expect(invite(small)).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  it('confirms no address: a supplier could send the mail to its own, and pass the link on', async () => {
    const user = await makeOwn()
    await deps.db.deleteFrom('mailAddresses').execute()
    mailed = []
    const input = inviteRetailerInput.parse({ storeName: 'Shop', email: 'evil@summit.example' })
    await inviteRetailer(deps, summit, input)
    const token = /#token=([\w-]{43})/.exec(mailed[0]?.text ?? '')?.[1] ?? ''
    await accept(user, token)
    expect(await deps.db.selectFrom('mailAddresses').selectAll().execute()).toEqual([])
  })

  it('is told to the people of the company, and stands in the log of the new supplier alone', async () => {
    const user = await makeOwn()
    await accept(user, await invite(summit))
    const told = await deps.db
      .selectFrom('notifications')
      .innerJoin('events', 'events.id', 'notifications.eventId')
      .select(['notifications.userId', 'events.details'])
      .where('events.kind', '=', 'account.supplier-added')
      .execute()
    expect(told).toEqual([{ userId: user.id, details: { supplierName: 'Summit' } }])
    const actionsOf = async (reader: UserRecord) =>
      (await pageAuditEntries(deps, reader, {})).rows.map(({ action }) => action)
    expect(await actionsOf(summit)).toEqual(
      expect.arrayContaining(['invitation.accept', 'retailer.create']),
    )
    const before = await actionsOf(northbeck)
    await accept(user, await invite(await createSupplierUser(deps, { companyName: 'Third' })))
    expect(await actionsOf(northbeck)).toEqual(before)
  })

  it('works with the Google account that the login has, without another password', async () => {
    const nora = {
      issuer: 'https://accounts.example',
      subject: 'subject-1',
      email: 'nora@shop.example',
      name: 'Nora',
      pictureUrl: null,
    }
    const withGoogle = async (supplier: UserRecord) =>
      acceptWithGoogle(deps, { token: await invite(supplier), uid: nora.subject }, nora, ADDRESS)
    const user = await withGoogle(northbeck)
    expect((await withGoogle(summit)).id).toBe(user.id)
    expect(await listRelations(user.id)).toHaveLength(2)
  })
})

describe('a password that a supplier may know', () => {
  it('is changed before the login gets another supplier', async () => {
    const { user } = await createLinkedRetailer(deps, northbeck)
    const token = await invite(summit)
    await expect(accept(user, token)).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'own_password_required',
    })
    await choosePassword(user, PASSWORD, PASSWORD)
    await expect(accept(user, token)).rejects.toMatchObject({ code: 'CONFLICT' })
    await choosePassword(user, PASSWORD, 'my own horse')
    await accept(user, token)
  })

  it('is so again after a reset, and that of another owner counts as well', async () => {
    const user = await makeOwn()
    await resetPassword(deps, northbeck, { userId: user.id, newPassword: 'known horse' }, ADDRESS)
    const member = await createMember(deps, user, 'OWNER')
    await deps.db
      .updateTable('users')
      .set({ passwordOwnSince: 1 })
      .where('id', '=', member.id)
      .execute()
    const token = await invite(summit)
    await expect(accept(member, token)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(user.username) as string,
    })
  })

  it('is so when the supplier changed it, and then registered the login again before it linked it', async () => {
    const input = { username: 'corner', role: 'RETAILER', companyName: 'Corner' } as const
    const made = await register(deps, northbeck, { ...input, password: PASSWORD }, ADDRESS)
    deps.clock.advance(1000)
    await choosePassword(made, PASSWORD, 'known horse')
    deps.clock.advance(1000)
    const user = await register(deps, northbeck, { ...input, password: PASSWORD }, ADDRESS)
    await inTransaction(deps.db, (trx) =>
      linkRetailer(trx, deps, northbeck, {
        userId: user.id,
        storeName: 'Corner Shop',
        visibilitySettings: { allProducts: true, categories: [] },
      }),
    )
    await expect(accept(user, await invite(summit))).rejects.toMatchObject({
      reason: 'own_password_required',
    })
  })

  it('leaves nothing behind to come back by: sessions, keys and an address of before end', async () => {
    const { user } = await createLinkedRetailer(deps, northbeck)
    const actor = await toActor(user)
    await withCaller({ origin: 'web', actor, address: ADDRESS }, async () => {
      const session = await createSession(deps, user)
      await createApiKey(deps, actor, { name: 'Old', scopes: ['read'], networks: [] }, session)
      await inTransaction(deps.db, (trx) => putConfirmedAddress(trx, user.id, 'evil@x.example'))
    })
    deps.clock.advance(1000)
    await choosePassword(user, PASSWORD, 'my own horse')
    const kept = await createSession(deps, user)
    await accept(user, await invite(summit))
    expect(await findSession(deps.db, kept, deps.clock.now())).toBeUndefined()
    expect(await deps.db.selectFrom('apiKeys').selectAll().execute()).toEqual([])
    expect(await deps.db.selectFrom('mailAddresses').selectAll().execute()).toEqual([])
  })

  it('leaves no invitation open to become a colleague by', async () => {
    const { user } = await createLinkedRetailer(deps, northbeck)
    const actor = await toActor(user)
    const planted = await withCaller({ origin: 'web', actor, address: ADDRESS }, () =>
      invitePerson(deps, actor, { name: 'Nora', role: 'OWNER' }),
    )
    deps.clock.advance(1000)
    await choosePassword(user, PASSWORD, 'my own horse')
    await accept(user, await invite(summit))
    const input = { token: tokenOf(planted), username: 'nora', password: PASSWORD }
    await expect(acceptInvitation(deps, input, ADDRESS)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('leaves no passkey that was made by means of an earlier one after the password had become its own', async () => {
    const { user } = await createLinkedRetailer(deps, northbeck)
    await putPasskey(deps, user.id, 'earlier')
    deps.clock.advance(1000)
    await choosePassword(user, PASSWORD, 'my own horse')
    deps.clock.advance(1000)
    await putPasskey(deps, user.id, 'later')
    await accept(user, await invite(summit))
    expect(await deps.db.selectFrom('passkeys').selectAll().execute()).toEqual([])
  })

  it('keeps what was made with a password that was its own from the start', async () => {
    const user = await makeOwn()
    await inTransaction(deps.db, async (trx) => {
      await trx.deleteFrom('mailAddresses').execute()
      await putConfirmedAddress(trx, user.id, 'me@shop.example')
    })
    deps.clock.advance(1000)
    await choosePassword(user, PASSWORD, 'another horse')
    await accept(user, await invite(summit))
    expect(await deps.db.selectFrom('mailAddresses').selectAll().execute()).toHaveLength(1)
  })
})

describe('a supplier of a login that has another one', () => {
  it('cannot set its password, sign in and read the other supplier’s file', async () => {
    const user = await makeOwn()
    await deps.db.deleteFrom('mailAddresses').execute()
    await accept(user, await invite(summit))
    for (const attacker of [northbeck, summit]) {
      await expect(
        resetPassword(deps, attacker, { userId: user.id, newPassword: 'stolen horse' }, ADDRESS),
      ).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message:
          'Only the retailer itself can change this password. If it cannot sign in, ask your administrator.',
      })
    }
    const signIn = (password: string) => login(deps, { username: 'corner', password }, ADDRESS)
    await expect(signIn('stolen horse')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await signIn(PASSWORD)).toMatchObject({ id: user.id })
  })

  it('has a link sent to the address of the retailer instead, with the same answer for one supplier and two', async () => {
    const user = await makeOwn()
    await inTransaction(deps.db, async (trx) => {
      await trx.deleteFrom('mailAddresses').execute()
      await putConfirmedAddress(trx, user.id, 'me@shop.example')
    })
    const reset = () =>
      resetPassword(
        deps,
        northbeck,
        { userId: user.id, newPassword: 'stolen horse' },
        ADDRESS,
      ).catch((error: Error) => error.message)
    mailed = []
    const alone = await reset()
    await deps.work()
    expect(mailed).toMatchObject([
      { to: 'me@shop.example', text: expect.stringContaining('#token=') as string },
    ])
    await accept(user, await invite(summit))
    expect(await reset()).toBe(alone)
    expect(alone).toContain('A link for a new one was sent to it')
  })

  it('ends by a delete what is between the two, and nothing else; the login goes with its last one', async () => {
    const user = await makeOwn()
    const second = await accept(user, await invite(summit))
    const [first] = await deps.db.selectFrom('retailers').select('id').orderBy('id').execute()
    await deleteRetailer(deps, northbeck, first?.id ?? 0)
    expect(await listRelations(user.id)).toEqual([
      { supplierId: summit.id, storeName: 'Corner Shop' },
    ])
    expect(await login(deps, { username: 'corner', password: PASSWORD }, ADDRESS)).toMatchObject({
      id: user.id,
    })
    const told = await deps.db
      .selectFrom('events')
      .select('details')
      .where('kind', '=', 'account.supplier-ended')
      .execute()
    expect(told).toEqual([{ details: { supplierName: 'Northbeck' } }])
    await deleteRetailer(deps, summit, second)
    expect(await findActor(deps.db, user.id)).toBeUndefined()
  })

  it('cannot take a login over by registering its name again after its own part has ended', async () => {
    const unlinked = await createRetailerUser(deps, northbeck)
    expect(await listRelations(unlinked.id)).toEqual([])
    const user = await makeOwn()
    await accept(user, await invite(summit))
    const [first] = await deps.db.selectFrom('retailers').select('id').orderBy('id').execute()
    await deleteRetailer(deps, northbeck, first?.id ?? 0)
    await expect(
      resetPassword(deps, northbeck, { userId: user.id, newPassword: 'stolen horse' }, ADDRESS),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import {
  ADDRESS,
  createAdmin,
  createMember,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { createKeptMails, type SentMail } from '../../../testing/fixtures/kept-mails'
import { findMarked, MARK, putPerson } from '../../../testing/fixtures/personal-data'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { changeOwnPassword, login, resetPassword } from '../accounts/accounts'
import { saveAdmin } from '../accounts/administrators'
import { findActor } from '../accounts/find-actor'
import { closeFirstLogin, countActiveOwners } from '../accounts/persons.queries'
import type { UserRecord } from '../accounts/users.queries'
import { openPasswordLink, requestPasswordLink, setPasswordByLink } from '../recovery/recovery'
import { removePerson, setPersonActive } from './company-people'

const NEW = 'a new password'

let deps: TestDeps
let supplier: UserRecord
let mails: SentMail[]

beforeEach(async () => {
  const { mail, ...kept } = createKeptMails()
  mails = kept.mails
  deps = await openTestDeps({}, { mail })
  supplier = await createSupplierUser(deps, { username: MARK })
})
afterEach(() => deps.close())

const actorOf = async ({ id }: { id: number }): Promise<Actor> => (await findActor(deps.db, id))!

/** The token of a link for a new password that a person has asked for. */
async function askForLink({ id: userId, username }: UserRecord): Promise<string> {
  const address = `person${userId}@acme.example`
  await deps.db
    .insertInto('mailAddresses')
    .values({ userId, address, pendingAddress: null, tokenHash: null, tokenExpiresAt: null })
    .execute()
  await requestPasswordLink(deps, { login: username }, ADDRESS)
  await deps.work()
  return /#token=([\w-]{43})/.exec(mails.at(-1)?.text ?? '')![1]!
}

/** Whether a link neither opens nor sets a password. */
async function isDead(token: string): Promise<boolean> {
  const results = await Promise.allSettled([
    openPasswordLink(deps, token, ADDRESS),
    setPasswordByLink(deps, { token, newPassword: NEW }, ADDRESS),
  ])
  return results.every(
    (result) => result.status === 'rejected' && String(result.reason).includes('Ask for a new one'),
  )
}

describe('a link for a new password', () => {
  it('brings back no first login that was removed by another owner', async () => {
    const owner = await createMember(deps, supplier, 'OWNER')
    const token = await askForLink(supplier)
    await removePerson(deps, await actorOf(owner), { personId: supplier.id })
    expect(await isDead(token)).toBe(true)
  })

  it('opens for nobody who cannot sign in, even if it was left', async () => {
    const token = await askForLink(supplier)
    await inTransaction(deps.db, (trx) => closeFirstLogin(trx, supplier.id))
    expect(await isDead(token)).toBe(true)
  })

  it('stays dead when access is given back to a person from whom it was taken', async () => {
    const member = await createMember(deps, supplier, 'EDITOR')
    const token = await askForLink(member)
    const set = (isActive: boolean) =>
      setPersonActive(deps, supplier, { personId: member.id, isActive })
    await set(false)
    await set(true)
    expect(await isDead(token)).toBe(true)
    await expect(
      login(deps, { username: member.username, password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })

  it('stays dead when a supplier is activated again', async () => {
    const member = await createMember(deps, supplier, 'EDITOR')
    const token = await askForLink(member)
    await updateSupplier(deps, { id: supplier.id, isActive: false })
    await updateSupplier(deps, { id: supplier.id, isActive: true })
    expect(await isDead(token)).toBe(true)
  })

  it('ends when the password is changed', async () => {
    const token = await askForLink(supplier)
    const sessionIdHash = await createSession(deps, supplier)
    await changeOwnPassword(
      deps,
      await actorOf(supplier),
      { sessionIdHash, address: ADDRESS },
      { currentPassword: PASSWORD, newPassword: 'another horse' },
    )
    expect(await isDead(token)).toBe(true)
  })

  it('ends when the password is reset by an administrator', async () => {
    const admin = await createAdmin(deps)
    const token = await askForLink(supplier)
    const reset = { userId: supplier.id, newPassword: 'another horse' }
    await resetPassword(deps, admin, reset, ADDRESS)
    expect(await isDead(token)).toBe(true)
  })

  it('of an administrator ends when npm run create-admin sets the password', async () => {
    const admin = await createAdmin(deps)
    const token = await askForLink(admin)
    await saveAdmin(deps, admin.username, 'another horse')
    expect(await isDead(token)).toBe(true)
  })
})

describe('a first login that another owner removes', () => {
  it('leaves its row as the company, without name, address and alerts of the person', async () => {
    await putPerson(deps, { ...supplier, username: MARK })
    const owner = await createMember(deps, supplier, 'OWNER')
    await removePerson(deps, await actorOf(owner), { personId: supplier.id })
    const row = await deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', supplier.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      username: `deleted account ${supplier.id}`,
      companyName: 'Acme',
      isActive: true,
    })
    // The audit log names whom an owner has removed.
    expect(Object.keys(await findMarked(deps))).toEqual(['auditEntries'])
    expect(await actorOf(owner)).toMatchObject({ id: supplier.id })
  })

  it('is not opened again by a password that an administrator sets', async () => {
    const admin = await createAdmin(deps)
    await createMember(deps, supplier, 'OWNER')
    await removePerson(deps, admin, { personId: supplier.id, companyId: supplier.id })
    const reset = { userId: supplier.id, newPassword: 'another horse' }
    await expect(resetPassword(deps, admin, reset, ADDRESS)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})

describe('a person of a company that an owner removes', () => {
  it('is in no table but the audit log', async () => {
    const member = await createMember(deps, supplier, 'EDITOR')
    await putPerson(deps, member)
    const marks = [`person${member.id}@${MARK}.example`, '203.0.113.77']
    await removePerson(deps, supplier, { personId: member.id })
    expect(Object.keys(await findMarked(deps, marks))).toEqual(['auditEntries'])
  })

  it('is one of two last owners if each removes the other at the same time', async () => {
    const owner = await createMember(deps, supplier, 'OWNER')
    const actor = await actorOf(owner)
    const results = await Promise.allSettled([
      removePerson(deps, supplier, { personId: owner.id }),
      removePerson(deps, actor, { personId: supplier.id }),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await countActiveOwners(deps.db, supplier.id)).toBe(1)
  })

  it('keeps account and keys, whatever is restored, when the last owner cannot be removed', async () => {
    await putPerson(deps, supplier)
    await expect(removePerson(deps, supplier, { personId: supplier.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await deps.deletedAccounts.list()).toEqual([])
  })
})

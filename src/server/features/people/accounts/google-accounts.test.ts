import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { usernameSchema } from '../../../../shared/schemas/primitives'
import type { Identity } from '../../../identity/identity-provider'
import {
  ADDRESS,
  createAdmin,
  createSupplierUser,
  PASSWORD,
  reloadUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { changeOwnPassword, login, resetPassword } from './accounts'
import { signInWithGoogle } from './google-accounts'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const nora: Identity = {
  issuer: 'https://accounts.example',
  subject: 'subject-1',
  email: 'nora@northbeck.example',
  name: 'Nora Beck',
  pictureUrl: 'https://pictures.example/nora.png',
}
const signIn = (identity = nora) => signInWithGoogle(deps, identity, identity.subject, ADDRESS)
const countUsers = async () => (await deps.db.selectFrom('users').select('id').execute()).length
const refusal = { code: 'UNAUTHENTICATED', message: 'Invalid username or password' }

describe('signing in with a Google identity', () => {
  it('creates a supplier the first time', async () => {
    expect(await signIn()).toMatchObject({
      username: 'nora',
      role: 'SUPPLIER',
      isActive: true,
      maxRetailers: 10,
      companyName: null,
      contactEmail: nora.email,
      displayName: nora.name,
      photoUrl: nora.pictureUrl,
      createdAt: deps.clock.now(),
    })
  })

  it('records the new account, and a sign-in that is refused', async () => {
    const { id } = await signIn()
    await updateSupplier(deps, { id, isActive: false })
    await expect(signIn()).rejects.toMatchObject(refusal)
    const entries = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    expect(entries.map(({ action, actorId, subjectId }) => [action, actorId, subjectId])).toEqual([
      ['user.register', id, id],
      ['supplier.update', null, id],
      ['user.sign-in-failed', null, id],
    ])
  })

  it('finds the same user again, although email, name and picture have changed', async () => {
    const first = await signIn()
    const later = { ...nora, email: 'nora@elsewhere.example', name: null, pictureUrl: null }
    expect(await signIn(later)).toEqual(first)
    expect(await countUsers()).toBe(1)
  })

  it('creates another user for another subject, and for the same subject of another issuer', async () => {
    const first = await signIn()
    const others = [
      await signIn({ ...nora, subject: 'subject-2' }),
      await signIn({ ...nora, issuer: 'https://other.example' }),
      await signIn({ ...nora, subject: 'SUBJECT-1' }),
    ]
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(4)
  })

  it('never signs in to an existing account with the same email address', async () => {
    const known = await createSupplierUser(deps, { username: 'nora', contactEmail: nora.email })
    const user = await signIn()
    expect(user.id).not.toBe(known.id)
    expect(user).toMatchObject({ username: 'nora-2', companyName: null })
    expect(await reloadUser(deps, known)).toEqual(known)
    await expect(
      login(deps, { username: 'nora', password: PASSWORD }, ADDRESS),
    ).resolves.toMatchObject({
      id: known.id,
    })
  })

  it('creates one user when many first sign-ins run at once', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => signIn()))
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
    expect(await countUsers()).toBe(1)
  })

  it('keeps a role and a limit that were changed since', async () => {
    const { id } = await signIn()
    for (const role of ['SUPER_ADMIN', 'RETAILER'] as const) {
      await deps.db.updateTable('users').set({ role, maxRetailers: 3 }).execute()
      expect(await signIn()).toMatchObject({ id, role, maxRetailers: 3 })
    }
  })

  it('refuses a uid that is not the identity’s subject', async () => {
    await signIn()
    for (const uid of ['subject-2', '', 'SUBJECT-1', ' subject-1']) {
      await expect(signInWithGoogle(deps, nora, uid, ADDRESS)).rejects.toMatchObject({
        status: 401,
      })
    }
    const stranger = { ...nora, subject: 'subject-2' }
    await expect(signInWithGoogle(deps, stranger, nora.subject, ADDRESS)).rejects.toMatchObject({
      status: 401,
    })
    expect(await countUsers()).toBe(1)
  })

  it('refuses a deactivated user with the message of a wrong password', async () => {
    const { id } = await signIn()
    await updateSupplier(deps, { id, isActive: false })
    await expect(signIn()).rejects.toMatchObject(refusal)
    await updateSupplier(deps, { id, isActive: true })
    await expect(signIn()).resolves.toMatchObject({ id })
  })
})

describe('signing in with Google while registration is closed', () => {
  beforeEach(async () => {
    const { id } = await signIn()
    await deps.db.updateTable('users').set({ displayName: 'known' }).where('id', '=', id).execute()
    deps.config = { ...deps.config, isSignupAllowed: false }
  })

  it('refuses an unknown identity', async () => {
    await expect(signIn({ ...nora, subject: 'subject-2' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      message: 'Registration is closed. Ask an administrator for an account.',
    })
    expect(await countUsers()).toBe(1)
  })

  it('signs a known user in', async () => {
    expect(await signIn()).toMatchObject({ displayName: 'known' })
  })
})

describe('the username of a new user', () => {
  const nameOf = async (email: string, subject = email) =>
    (await signIn({ ...nora, email, subject })).username

  it('is the local part of the email address, with a number appended when it is taken', async () => {
    expect(await nameOf('info@a.example')).toBe('info')
    expect(await nameOf('INFO@b.example')).toBe('INFO-2')
    expect(await nameOf('info@c.example')).toBe('info-3')
    await createSupplierUser(deps, { username: 'sales-2' })
    expect(await nameOf('sales@a.example')).toBe('sales')
    expect(await nameOf('sales@b.example')).toBe('sales-3')
  })

  it('is never that of an administrator', async () => {
    const admin = await createAdmin(deps)
    expect(await nameOf(`${admin.username}@evil.example`)).toBe(`${admin.username}-2`)
  })

  it('is "supplier" when the local part is not a valid username', async () => {
    const addresses = ['nорra@a.example', 'no\u200Bra@a.example', 'no\u202Era@b.example']
    const names = await Promise.all(addresses.map((email) => nameOf(email)))
    expect(names.toSorted()).toEqual(['supplier', 'supplier-2', 'supplier-3'])
  })

  it('is unique when many new users sign in at once', async () => {
    const names = await Promise.all(
      Array.from({ length: 20 }, (_, index) => nameOf('info@a.example', `subject-${index}`)),
    )
    expect(new Set(names).size).toBe(20)
  })

  it('is one that registration accepts, however long the email address', async () => {
    const long = `${'n'.repeat(200)}@a.example`
    for (const subject of ['one', 'two', 'three']) {
      const username = await nameOf(long, subject)
      expect(usernameSchema.safeParse(username).data).toBe(username)
    }
    expect(await nameOf("o'neil+shop_1.x@a.example")).toBe("o'neil+shop_1.x")
  })
})

describe('a user without a password', () => {
  it('cannot sign in with a password, and costs the same and reads the same as any other refusal', async () => {
    const { username } = await signIn()
    let checks = 0
    const passwords: TestDeps['passwords'] = {
      ...deps.passwords,
      verify(requester, hash, password) {
        checks += 1
        return deps.passwords.verify(requester, hash, password)
      },
    }
    for (const password of ['', PASSWORD, 'null']) {
      const attempt = login({ ...deps, passwords }, { username, password }, ADDRESS)
      await expect(attempt).rejects.toMatchObject(refusal)
    }
    expect(checks).toBe(3)
  })

  it('cannot change the password, having no current one', async () => {
    const user = await signIn()
    const from = { sessionIdHash: '', address: ADDRESS }
    const input = { currentPassword: '', newPassword: 'another horse' }
    await expect(changeOwnPassword(deps, user, from, input)).rejects.toMatchObject({
      code: 'INVALID',
      message: 'Current password is incorrect',
    })
  })

  it('can sign in both ways after an administrator has set a password', async () => {
    const { id, username } = await signIn()
    const admin = await createAdmin(deps)
    await resetPassword(deps, admin, { userId: id, newPassword: 'another horse' }, ADDRESS)
    await expect(
      login(deps, { username, password: 'another horse' }, ADDRESS),
    ).resolves.toMatchObject({
      id,
    })
    await expect(signIn()).resolves.toMatchObject({ id })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Role } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import { registerInput, type RegisterInput } from '../../../../shared/schemas/user'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
  reloadUser,
} from '../../../testing/fixtures/factories'
import { putPasskey } from '../../../testing/fixtures/passkeys'
import { putSecondFactor } from '../../../testing/fixtures/second-factors'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from './accounts'
import { register as registerFrom, removeUnlinkedLogins } from './registration'
import type { UserRecord } from './users.queries'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const inputOf = (role: Role, more: object = {}) =>
  registerInput.parse({
    username: 'newcomer',
    password: PASSWORD,
    companyName: 'New',
    contactEmail: 'new@example.com',
    role,
    ...more,
  })
const register = (by: TestDeps, actor: UserRecord | null, input: RegisterInput) =>
  registerFrom(by, actor, input, ADDRESS)
const taken = { code: 'CONFLICT', message: 'This username is already taken' }
const countUsers = async () => (await deps.db.selectFrom('users').select('id').execute()).length

describe('registering a supplier', () => {
  it('sets the limit to ten retailers, whatever the request asks for', async () => {
    const anonymous = await register(deps, null, inputOf('SUPPLIER', { maxRetailers: 500 }))
    expect(anonymous).toMatchObject({ role: 'SUPPLIER', maxRetailers: 10, isActive: true })
    const admin = await createAdmin(deps)
    const byAdmin = inputOf('SUPPLIER', { username: 'second', maxRetailers: 500 })
    expect(await register(deps, admin, byAdmin)).toMatchObject({ maxRetailers: 10 })
  })

  it('keeps the username as typed, without the spaces around it', async () => {
    const user = await register(deps, null, inputOf('SUPPLIER', { username: '  Émilie Ltd ' }))
    expect(user.username).toBe('Émilie Ltd')
  })

  it('is refused to anonymous callers while registration is closed, but not to signed-in users', async () => {
    const closed = { ...deps, config: { ...deps.config, isSignupAllowed: false } }
    for (const role of ['SUPPLIER', 'RETAILER', 'SUPER_ADMIN'] as const) {
      const attempt = register(closed, null, inputOf(role))
      await expect(attempt).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message: 'Registration is closed. Ask an administrator for an account.',
      })
    }
    const admin = await createAdmin(deps)
    await expect(register(closed, admin, inputOf('SUPPLIER'))).resolves.toBeDefined()
    const supplier = await createSupplierUser(deps)
    const retailer = inputOf('RETAILER', { username: 'shop' })
    await expect(register(closed, supplier, retailer)).resolves.toBeDefined()
  })
})

describe('a username', () => {
  it.each([
    ['in upper case', 'JOSÉ'],
    ['decomposed', 'José'.normalize('NFD')],
    ['in full width', 'Ｊｏｓé'],
  ])('is also taken when written %s', async (_how, username) => {
    await register(deps, null, inputOf('SUPPLIER', { username: 'José' }))
    await expect(register(deps, null, inputOf('SUPPLIER', { username }))).rejects.toMatchObject(
      taken,
    )
  })

  it.each(['Jose', 'J0sé', 'José.', '__proto__', 'constructor', 'toString', '🐎', '1', 'null'])(
    'that resembles another is a different one: %s',
    async (username) => {
      const other = await register(deps, null, inputOf('SUPPLIER', { username: 'José' }))
      const user = await register(deps, null, inputOf('SUPPLIER', { username }))
      expect(user.username).toBe(username)
      const found = await login(deps, { username, password: PASSWORD }, ADDRESS)
      expect([found.id, found.id === other.id]).toEqual([user.id, false])
    },
  )

  it.each(['Jоsé', 'Jo\u200Bsé', 'José\uFE0F'])(
    'that could be mistaken for another is refused: %j',
    (username) => {
      expect(() => inputOf('SUPPLIER', { username })).toThrow(/Username (?:must|contains)/)
      expect(() => inputOf('RETAILER', { username })).toThrow(/Username (?:must|contains)/)
    },
  )

  it('is given to one of many concurrent requests', async () => {
    const attempts = Array.from({ length: 20 }, (_, index) =>
      registerFrom(deps, null, inputOf('SUPPLIER'), `203.0.113.${index}`),
    )
    const results = await Promise.allSettled(attempts)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map((result) => result.reason as unknown)).toEqual(
      Array.from({ length: 19 }, () => expect.objectContaining(taken)),
    )
    expect(await countUsers()).toBe(1)
  })
})

describe('registering a retailer login again', () => {
  let supplier: UserRecord

  beforeEach(async () => {
    supplier = await createSupplierUser(deps)
  })

  it('returns the same login with the new password, while it is not linked', async () => {
    const first = await register(deps, supplier, inputOf('RETAILER'))
    const again = inputOf('RETAILER', { password: 'another horse', contactEmail: 'b@example.com' })
    const second = await register(deps, supplier, again)
    expect(second).toMatchObject({ id: first.id, contactEmail: 'b@example.com' })
    const { username } = first
    await expect(
      login(deps, { username, password: 'another horse' }, ADDRESS),
    ).resolves.toBeDefined()
    await expect(login(deps, { username, password: PASSWORD }, ADDRESS)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  })

  it('ends what the one before signs in with besides the password', async () => {
    const { id, username } = await register(deps, supplier, inputOf('RETAILER'))
    await putSecondFactor(deps, id)
    await putPasskey(deps, id)
    await register(deps, supplier, inputOf('RETAILER', { username }))
    const { db } = deps
    expect(await db.selectFrom('secondFactors').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('passkeys').selectAll().execute()).toEqual([])
  })

  it('allows another day for linking it', async () => {
    const first = await register(deps, supplier, inputOf('RETAILER'))
    deps.clock.advance(DAY_MS - 1)
    await register(deps, supplier, inputOf('RETAILER'))
    deps.clock.advance(2)
    await removeUnlinkedLogins(deps)
    expect(await reloadUser(deps, first)).toMatchObject({ id: first.id })
  })

  it('works at the limit, too, because the login is already counted', async () => {
    const small = await createSupplierUser(deps, { maxRetailers: 1 })
    const first = await register(deps, small, inputOf('RETAILER'))
    expect(await register(deps, small, inputOf('RETAILER'))).toMatchObject({ id: first.id })
  })

  it('is a conflict once it is linked, and leaves the password unchanged', async () => {
    const { user } = await createLinkedRetailer(deps, supplier)
    const again = inputOf('RETAILER', { username: user.username, password: 'another horse' })
    await expect(register(deps, supplier, again)).rejects.toMatchObject(taken)
    await expect(
      login(deps, { username: user.username, password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })

  it('is a conflict when another supplier, an administrator or nobody registered it', async () => {
    const other = await createSupplierUser(deps)
    const admin = await createAdmin(deps)
    for (const registrar of [other, admin, null]) {
      const { username } = await createRetailerUser(deps, registrar)
      const attempt = register(deps, supplier, inputOf('RETAILER', { username }))
      await expect(attempt).rejects.toMatchObject(taken)
    }
  })

  it('is a conflict when the username is a supplier’s, even the caller’s own', async () => {
    const attempt = register(deps, supplier, inputOf('RETAILER', { username: supplier.username }))
    await expect(attempt).rejects.toMatchObject(taken)
  })
})

describe('an unlinked retailer login', () => {
  it('is removed after a day', async () => {
    const supplier = await createSupplierUser(deps)
    const waiting = await register(deps, supplier, inputOf('RETAILER'))
    const { user: linked } = await createLinkedRetailer(deps, supplier)
    deps.clock.advance(DAY_MS)
    await removeUnlinkedLogins(deps)
    await expect(reloadUser(deps, waiting)).resolves.toBeDefined()
    deps.clock.advance(1)
    await removeUnlinkedLogins(deps)
    await expect(reloadUser(deps, waiting)).rejects.toThrow('is gone')
    await expect(reloadUser(deps, linked)).resolves.toBeDefined()
    await expect(reloadUser(deps, supplier)).resolves.toBeDefined()
  })

  it('no longer blocks its username after a day', async () => {
    const supplier = await createSupplierUser(deps)
    const waiting = await register(deps, supplier, inputOf('RETAILER'))
    deps.clock.advance(DAY_MS + 1)
    const newcomer = await register(deps, null, inputOf('SUPPLIER'))
    expect(newcomer.id).not.toBe(waiting.id)
  })

  it('no longer counts towards the limit after a day', async () => {
    const supplier = await createSupplierUser(deps, { maxRetailers: 1 })
    await register(deps, supplier, inputOf('RETAILER'))
    deps.clock.advance(DAY_MS + 1)
    await expect(
      register(deps, supplier, inputOf('RETAILER', { username: 'next' })),
    ).resolves.toBeDefined()
  })

  it('does not expire once it is linked, however old', async () => {
    const supplier = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, supplier)
    deps.clock.advance(30 * DAY_MS)
    const attempt = register(deps, null, inputOf('SUPPLIER', { username: user.username }))
    await expect(attempt).rejects.toMatchObject(taken)
  })
})

describe('a supplier’s limit of retailers', () => {
  it('counts linked retailers and unlinked logins', async () => {
    const supplier = await createSupplierUser(deps, { maxRetailers: 2 })
    await createLinkedRetailer(deps, supplier)
    await register(deps, supplier, inputOf('RETAILER'))
    const third = register(deps, supplier, inputOf('RETAILER', { username: 'third' }))
    await expect(third).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      status: 409,
      message: 'Retailer limit reached (2 of 2)',
    })
  })

  it('does not count retailers of other suppliers', async () => {
    const supplier = await createSupplierUser(deps, { maxRetailers: 1 })
    const other = await createSupplierUser(deps)
    await register(deps, other, inputOf('RETAILER'))
    await createLinkedRetailer(deps, other)
    await expect(
      register(deps, supplier, inputOf('RETAILER', { username: 'own' })),
    ).resolves.toBeDefined()
  })

  it('accepts exactly ten of twelve logins that are registered at once', async () => {
    const supplier = await createSupplierUser(deps)
    const attempts = Array.from({ length: 12 }, (_, index) =>
      register(deps, supplier, inputOf('RETAILER', { username: `shop-${index}` })),
    )
    const results = await Promise.allSettled(attempts)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map((result) => (result.reason as Error).message)).toEqual(
      Array.from({ length: 2 }, () => 'Retailer limit reached (10 of 10)'),
    )
    expect(await countUsers()).toBe(11)
  })
})

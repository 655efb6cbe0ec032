import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { usernameSchema } from '../../../shared/schemas/primitives'
import { loginInput } from '../../../shared/schemas/user'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../testing/factories'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import { updateSupplier } from '../suppliers/suppliers'
import { getUsername, login, resetPassword, usernameKey } from './accounts'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

describe('signing in', () => {
  const refusal = { code: 'UNAUTHENTICATED', message: 'Invalid username or password' }

  it('finds the user by its name and password', async () => {
    const supplier = await createSupplierUser(deps)
    await expect(
      login(deps, { username: supplier.username, password: PASSWORD }, ADDRESS),
    ).resolves.toMatchObject({ id: supplier.id })
  })

  it.each([
    ['in capitals', 'ÉMILIE'],
    ['in small letters', 'émilie'],
    ['decomposed', 'É'.normalize('NFD') + 'milie'],
    ['in full width', 'Éｍｉｌｉｅ'],
    ['between spaces', '  Émilie '],
  ])('takes the name written %s', async (_how, username) => {
    const supplier = await createSupplierUser(deps, { username: 'Émilie' })
    const user = await login(deps, { username, password: PASSWORD }, ADDRESS)
    expect(user.id).toBe(supplier.id)
  })

  it('takes names of before, which nobody could choose today', async () => {
    for (const username of ['Jоsé', 'jo\u200Bse', 'jo\u00ADse']) {
      expect(usernameSchema.safeParse(username).success).toBe(false)
      const supplier = await createSupplierUser(deps, { username })
      const user = await login(deps, loginInput.parse({ username, password: PASSWORD }), ADDRESS)
      expect(user.id).toBe(supplier.id)
    }
  })

  it('says the same for every reason to refuse', async () => {
    const { username } = await createSupplierUser(deps)
    const leaver = await createSupplierUser(deps)
    await updateSupplier(deps, { id: leaver.id, isActive: false })
    const withoutPassword = await createSupplierUser(deps, { username: 'by-provider' })
    await deps.db
      .updateTable('users')
      .set({ passwordHash: null })
      .where('id', '=', withoutPassword.id)
      .execute()
    const attempts = [
      { username, password: 'wrong' },
      { username, password: PASSWORD.toUpperCase() },
      { username, password: `${PASSWORD} ` },
      { username: 'nobody', password: PASSWORD },
      { username: '__proto__', password: PASSWORD },
      { username: leaver.username, password: PASSWORD },
      { username: 'by-provider', password: '' },
    ]
    for (const attempt of attempts) {
      await expect(login(deps, attempt, ADDRESS)).rejects.toMatchObject(refusal)
    }
  })

  it('costs one check of a hash, whoever tries', async () => {
    let checks = 0
    const passwords: TestDeps['passwords'] = {
      ...deps.passwords,
      verify(requester, hash, password) {
        checks += 1
        return deps.passwords.verify(requester, hash, password)
      },
    }
    const leaver = await createSupplierUser(deps, { isActive: false })
    for (const username of ['nobody', leaver.username]) {
      await expect(
        login({ ...deps, passwords }, { username, password: PASSWORD }, ADDRESS),
      ).rejects.toMatchObject(refusal)
    }
    expect(checks).toBe(2)
  })

  it('takes an unreadable hash for a wrong password', async () => {
    const { username } = await createSupplierUser(deps)
    await deps.db.updateTable('users').set({ passwordHash: '$argon2id$broken' }).execute()
    await expect(login(deps, { username, password: PASSWORD }, ADDRESS)).rejects.toMatchObject(
      refusal,
    )
  })
})

describe('the key of a username', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['ﬁrm', 'FIRM'],
    ['Ⅷ', 'viii'],
    ['İstanbul', 'i̇stanbul'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['shop １２', 'SHOP 12'],
  ])('is the same for %s and %s', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other))
  })

  it.each([
    ['shop', 'sh\u043Ep'],
    ['shop1', 'shop2'],
    ['a b', 'ab'],
  ])('tells %s and %s apart', (one, other) => {
    expect(usernameKey(one)).not.toBe(usernameKey(other))
  })

  it.each(['Émilie', 'Straße', 'İ', '🙂', '__proto__', 'ǰ', 'ΐ', 'ﬃ'])(
    'is its own key: %s',
    (username) => {
      const key = usernameKey(username)
      expect(usernameKey(key)).toBe(key)
    },
  )
})

describe('resetting a password', () => {
  it('gives a supplier’s retailer a new password', async () => {
    const supplier = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, supplier)
    await resetPassword(deps, supplier, { userId: user.id, newPassword: 'another horse' }, ADDRESS)
    const { username } = user
    await expect(login(deps, { username, password: PASSWORD }, ADDRESS)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await expect(
      login(deps, { username, password: 'another horse' }, ADDRESS),
    ).resolves.toBeDefined()
  })

  it('takes a login that is not linked, and one that is not there, for unknown', async () => {
    const supplier = await createSupplierUser(deps)
    const waiting = await createRetailerUser(deps, supplier)
    for (const userId of [waiting.id, 12_345]) {
      const attempt = resetPassword(
        deps,
        supplier,
        { userId, newPassword: 'another horse' },
        ADDRESS,
      )
      await expect(attempt).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'User not found' })
    }
  })

  it('leaves administrators to themselves', async () => {
    const [admin, other] = [await createAdmin(deps), await createAdmin(deps)]
    const attempt = resetPassword(
      deps,
      admin,
      { userId: other.id, newPassword: 'another horse' },
      ADDRESS,
    )
    await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(
      login(deps, { username: other.username, password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })
})

describe('the name of a user', () => {
  it('is all that is told', async () => {
    const supplier = await createSupplierUser(deps)
    expect(await getUsername(deps, supplier, supplier.id)).toEqual({
      id: supplier.id,
      username: supplier.username,
    })
  })
})

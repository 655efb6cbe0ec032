import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { usernameSchema } from '../../../../shared/schemas/primitives'
import { loginInput } from '../../../../shared/schemas/user'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { getUsername, login, resetPassword, usernameKey } from './accounts'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

describe('login', () => {
  const refusal = { code: 'UNAUTHENTICATED', message: 'Invalid username or password' }

  it('returns the user with this username and password', async () => {
    const supplier = await createSupplierUser(deps)
    await expect(
      login(deps, { username: supplier.username, password: PASSWORD }, ADDRESS),
    ).resolves.toMatchObject({ id: supplier.id })
  })

  it.each([
    ['in upper case', 'ÉMILIE'],
    ['in lower case', 'émilie'],
    ['decomposed', 'É'.normalize('NFD') + 'milie'],
    ['in full width', 'Éｍｉｌｉｅ'],
    ['with spaces around it', '  Émilie '],
  ])('accepts the username written %s', async (_how, username) => {
    const supplier = await createSupplierUser(deps, { username: 'Émilie' })
    const user = await login(deps, { username, password: PASSWORD }, ADDRESS)
    expect(user.id).toBe(supplier.id)
  })

  it('accepts stored usernames that registration now refuses', async () => {
    for (const username of ['Jоsé', 'jo\u200Bse', 'jo\u00ADse']) {
      expect(usernameSchema.safeParse(username).success).toBe(false)
      const supplier = await createSupplierUser(deps, { username })
      const user = await login(deps, loginInput.parse({ username, password: PASSWORD }), ADDRESS)
      expect(user.id).toBe(supplier.id)
    }
  })

  it('refuses with the same message whatever the reason', async () => {
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

  it('verifies one hash for an unknown and for a deactivated user, too', async () => {
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

  it('treats an unreadable hash as a wrong password', async () => {
    const { username } = await createSupplierUser(deps)
    await deps.db.updateTable('users').set({ passwordHash: '$argon2id$broken' }).execute()
    await expect(login(deps, { username, password: PASSWORD }, ADDRESS)).rejects.toMatchObject(
      refusal,
    )
  })
})

describe('usernameKey', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['ﬁrm', 'FIRM'],
    ['Ⅷ', 'viii'],
    ['İstanbul', 'i̇stanbul'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['shop １２', 'SHOP 12'],
  ])('maps %s and %s to the same key', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other))
  })

  it.each([
    ['shop', 'sh\u043Ep'],
    ['shop1', 'shop2'],
    ['a b', 'ab'],
  ])('maps %s and %s to different keys', (one, other) => {
    expect(usernameKey(one)).not.toBe(usernameKey(other))
  })

  it.each(['Émilie', 'Straße', 'İ', '🙂', '__proto__', 'ǰ', 'ΐ', 'ﬃ'])(
    'maps a key to itself: %s',
    (username) => {
      const key = usernameKey(username)
      expect(usernameKey(key)).toBe(key)
    },
  )
})

describe('resetPassword', () => {
  it('sets a new password for the supplier’s own retailer', async () => {
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

  it('returns 404 for an unlinked login and for a missing user', async () => {
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

  it('refuses to reset another administrator’s password', async () => {
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

describe('getUsername', () => {
  it('returns the id and the username, and no other field', async () => {
    const supplier = await createSupplierUser(deps)
    expect(await getUsername(deps, supplier, supplier.id)).toEqual({
      id: supplier.id,
      username: supplier.username,
    })
  })
})

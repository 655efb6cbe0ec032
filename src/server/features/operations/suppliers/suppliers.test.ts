import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierInput, updateSupplierInput } from '../../../../shared/schemas/supplier'
import { registerInput, type User } from '../../../../shared/schemas/user'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSession,
  createSupplierUser,
  PASSWORD,
  reloadUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { pageRetailers } from '../../distribution/retailers/retailers'
import { login, toUser } from '../../people/accounts/accounts'
import { register } from '../../people/accounts/registration'
import { toActor } from '../../people/accounts/signed-in'
import { findUser } from '../../people/accounts/users.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { pageSuppliers } from './supplier-observation'
import { createSupplier, eachSupplier, updateSupplier } from './suppliers'

let deps: TestDeps
let admin: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  admin = await createAdmin(deps)
})
afterEach(() => deps.close())

const account = {
  username: 'acme',
  password: PASSWORD,
  companyName: 'Acme Ltd',
  contactEmail: 'stock@acme.example',
}
const create = (more: object = {}) =>
  createSupplier(deps, admin, createSupplierInput.parse({ ...account, ...more }), ADDRESS)
const update = (id: number, changes: object) =>
  updateSupplier(deps, updateSupplierInput.parse({ id, ...changes }))
const signIn = (username: string, password = PASSWORD) =>
  login(deps, { username, password }, ADDRESS)

async function listSuppliers(): Promise<User[]> {
  const suppliers: User[] = []
  for await (const page of eachSupplier(deps)) suppliers.push(...page)
  return suppliers
}

describe('creating a supplier', () => {
  it('returns an account without secrets, which can sign in', async () => {
    const supplier = await create({ maxRetailers: 25 })
    expect(supplier).not.toHaveProperty('passwordHash')
    expect(toUser(supplier)).toEqual({
      id: expect.any(Number) as number,
      username: 'acme',
      role: 'SUPPLIER',
      isActive: true,
      companyName: 'Acme Ltd',
      maxRetailers: 25,
      contactEmail: 'stock@acme.example',
      displayName: null,
      photoURL: null,
      createdAt: new Date(deps.clock.now()).toISOString(),
    })
    expect(await listSuppliers()).toEqual([toUser(supplier)])
    expect(await signIn('acme')).toMatchObject({ id: supplier.id })
  })

  it('sets the limit to ten retailers by default', async () => {
    expect(await create()).toMatchObject({ maxRetailers: 10 })
  })

  it.each(['acme', 'ACME', 'ａｃｍｅ'])('refuses the taken username %s', async (username) => {
    const supplier = await create()
    await expect(create({ username })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This username is already taken',
      field: 'username',
    })
    expect(await listSuppliers()).toEqual([toUser(supplier)])
  })
})

describe('a list of suppliers', () => {
  it('has suppliers only', async () => {
    const supplier = await createSupplierUser(deps)
    await createLinkedRetailer(deps, supplier)
    expect(await listSuppliers()).toEqual([toUser(supplier)])
    const page = await pageSuppliers(deps, { q: '', page: 1 })
    expect(page).toMatchObject({ totalCount: 1, rows: [toUser(supplier)] })
  })
})

describe('changing a supplier', () => {
  it.each([
    [{ companyName: 'Renamed' }],
    [{ contactEmail: 'new@acme.example' }],
    [{ maxRetailers: 3 }],
    [{}],
  ])('changes %j and nothing else', async (changes) => {
    const supplier = await create()
    const changed = await update(supplier.id, changes)
    expect(changed).toEqual({ ...supplier, ...changes })
    expect(await reloadUser(deps, supplier)).toEqual(changed)
    expect(await signIn('acme')).toMatchObject({ id: supplier.id })
  })

  it('finds neither retailers nor administrators, and changes none of them', async () => {
    const retailer = await createRetailerUser(deps)
    for (const { id } of [retailer, admin, { id: 4_711 }]) {
      await expect(update(id, { isActive: false })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Supplier not found',
      })
    }
    for (const user of [retailer, admin]) expect(await reloadUser(deps, user)).toEqual(user)
  })
})

describe('a deactivated supplier', () => {
  it('is inactive, without sessions, and otherwise unchanged', async () => {
    const supplier = await create()
    await createSession(deps, supplier)
    const changed = await update(supplier.id, { isActive: false })
    expect(toUser(changed)).toEqual({ ...toUser(supplier), isActive: false })
    expect(await listSuppliers()).toEqual([toUser(changed)])
    expect(toActor(await findUser(deps.db, supplier.id), changed.sessionEpoch)).toBeNull()
    expect(await deps.db.selectFrom('sessions').select('userId').execute()).toEqual([])
  })

  it('cannot sign in, and gets the same error as for a wrong password', async () => {
    const { id, username } = await createSupplierUser(deps)
    await update(id, { isActive: false })
    for (const password of [PASSWORD, 'wrong']) {
      await expect(signIn(username, password)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        message: 'Invalid username or password',
      })
    }
  })

  it('can sign in again after reactivation', async () => {
    const { id, username } = await createSupplierUser(deps)
    await update(id, { isActive: false })
    await update(id, { isActive: true })
    expect(await signIn(username)).toMatchObject({ id, isActive: true })
  })

  it('does not affect its retailers’ sessions', async () => {
    const supplier = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, supplier)
    const idHash = await createSession(deps, user)
    await update(supplier.id, { isActive: false })
    expect(toActor(await findUser(deps.db, user.id), user.sessionEpoch)).toEqual(user)
    expect(await deps.db.selectFrom('sessions').select('idHash').execute()).toEqual([{ idHash }])
  })
})

describe('lowering a supplier’s limit', () => {
  it('keeps the existing retailers and refuses new ones', async () => {
    const supplier = await createSupplierUser(deps)
    await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, supplier)
    const limited = await update(supplier.id, { maxRetailers: 1 })
    const { totalCount } = await pageRetailers(deps, limited, { q: '', page: 1 })
    expect(totalCount).toBe(2)
    const third = { username: 'third', password: PASSWORD, role: 'RETAILER' }
    const attempt = register(deps, limited, registerInput.parse(third), ADDRESS)
    await expect(attempt).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'Retailer limit reached (1 of 1)',
    })
  })
})

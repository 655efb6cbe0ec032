import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  ADDRESS,
  createSupplierUser,
  PASSWORD,
  reloadUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from './accounts'
import { ensureFirstAdmin, saveAdmin } from './administrators'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const configured = (config: Partial<TestDeps['config']>) => ({
  ...deps,
  config: { ...deps.config, ...config },
})
const countUsers = async () => (await deps.db.selectFrom('users').select('id').execute()).length

describe('ensureFirstAdmin', () => {
  it('creates an administrator with a random password and returns the password', async () => {
    const password = await ensureFirstAdmin(deps)
    expect(password).toMatch(/^[\w-]{16}$/)
    const admin = await login(deps, { username: 'admin', password: password! }, ADDRESS)
    expect(admin.role).toBe('SUPER_ADMIN')
  })

  it('uses the configured username and password, and does not return the password', async () => {
    const config = { adminUsername: 'Boss', adminPassword: PASSWORD }
    expect(await ensureFirstAdmin(configured(config))).toBeNull()
    await expect(
      login(deps, { username: 'boss', password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })

  it('creates one administrator when several processes start at once', async () => {
    const passwords = await Promise.all([ensureFirstAdmin(deps), ensureFirstAdmin(deps)])
    expect(passwords.filter((password) => password !== null)).toHaveLength(1)
    expect(await ensureFirstAdmin(configured({ adminUsername: 'second' }))).toBeNull()
    expect(await countUsers()).toBe(1)
  })

  it('fails when a supplier has the username', async () => {
    await createSupplierUser(deps, { username: 'Admin' })
    await expect(ensureFirstAdmin(deps)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'admin is the name of a SUPPLIER account',
    })
  })
})

describe('saveAdmin', () => {
  it('creates an administrator, or sets a new password and ends the sessions', async () => {
    expect(await saveAdmin(deps, 'boss', PASSWORD)).toBe('created')
    const before = await login(deps, { username: 'boss', password: PASSWORD }, ADDRESS)
    expect(await saveAdmin(deps, 'BOSS', 'another horse')).toBe('updated')
    const after = await login(deps, { username: 'boss', password: 'another horse' }, ADDRESS)
    expect([after.id, after.sessionEpoch > before.sessionEpoch]).toEqual([before.id, true])
    expect(await countUsers()).toBe(1)
  })

  it('never turns a supplier into an administrator', async () => {
    const supplier = await createSupplierUser(deps)
    await expect(saveAdmin(deps, supplier.username, 'another horse')).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await reloadUser(deps, supplier)).toEqual(supplier)
    await expect(
      login(deps, { username: supplier.username, password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })
})

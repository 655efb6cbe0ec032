import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { supplierSeedSchema } from '../../../../shared/schemas/supplier-seed'
import { inTransaction } from '../../../db/open'
import { createAdmin, createSupplierUser, PASSWORD } from '../../../testing/fixtures/factories'
import { putInvitation } from '../../../testing/fixtures/invitation-samples'
import { listPaths } from '../../../testing/fixtures/list-paths'
import { putPasswordLink } from '../../../testing/fixtures/recovery-samples'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { addRetailerList } from '../../operations/suppliers/retailer-list'
import { seedSuppliers } from '../../operations/suppliers/seeding'
import { createSupplier } from '../../operations/suppliers/suppliers'
import { acceptInvitation } from '../invitations/acceptance'
import { setPasswordByLink } from '../recovery/recovery'
import { saveSignInRules } from '../sign-in-rules/sign-in-rules.queries'
import { changeOwnPassword, resetPassword } from './accounts'
import { saveAdmin } from './administrators'
import { findActor } from './find-actor'
import { register } from './registration'

const ADDRESS = '192.0.2.1'
/** Long enough as specified, and shorter than this installation asks for. */
const SHORT = 'nine char'
const TOO_SHORT = 'Password must be at least 12 characters'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const ask = (passwordMinLength: number, isCommonRefused = false) =>
  inTransaction(deps.db, (trx) =>
    saveSignInRules(trx, { requiredFactors: {}, passwordMinLength, isCommonRefused }),
  )
const supplierActor = async () => (await findActor(deps.db, (await createSupplierUser(deps)).id))!
const adminActor = async () => (await findActor(deps.db, (await createAdmin(deps)).id))!
const account = {
  username: 'quayside',
  companyName: 'New Harbour',
  contactEmail: 'new@example.com',
  maxRetailers: 5,
}

/** Every way in which a password is set. */
const WAYS: [string, string, (password: string) => Promise<unknown>][] = [
  [
    'registering',
    'password',
    (password) => register(deps, null, { ...account, password, role: 'SUPPLIER' }, ADDRESS),
  ],
  [
    'changing the own one',
    'newPassword',
    async (password) => {
      const from = { sessionIdHash: '', address: ADDRESS }
      const input = { currentPassword: PASSWORD, newPassword: password }
      return changeOwnPassword(deps, await supplierActor(), from, input)
    },
  ],
  [
    'setting that of somebody else',
    'newPassword',
    async (password) => {
      const { id: userId } = await supplierActor()
      return resetPassword(deps, await adminActor(), { userId, newPassword: password }, ADDRESS)
    },
  ],
  [
    'adding a supplier',
    'password',
    async (password) => createSupplier(deps, await adminActor(), { ...account, password }, ADDRESS),
  ],
  [
    'adding a list of retailers',
    'retailers.0.password',
    async (password) => {
      const listed = { username: 'shop', password, contactEmail: 'shop@example.com' }
      const retailer = { ...listed, storeName: 'Shop', categories: [] }
      return addRetailerList(deps, await supplierActor(), { retailers: [retailer] }, ADDRESS)
    },
  ],
  [
    'accepting an invitation',
    'password',
    async (password) => {
      const { token } = await putInvitation(deps, await supplierActor())
      return acceptInvitation(deps, { ...account, password, token }, ADDRESS)
    },
  ],
  [
    'the link of a mail',
    'newPassword',
    async (password) => {
      const token = await putPasswordLink(deps, (await supplierActor()).id)
      return setPasswordByLink(deps, { token, newPassword: password }, ADDRESS)
    },
  ],
  ['npm run create-admin', 'password', (password) => saveAdmin(deps, 'root', password)],
]

describe('a minimum length that an administrator has set', () => {
  it.each(WAYS)('is asked of a new password by %s', async (_way, field, set) => {
    await ask(12)
    await expect(set(SHORT)).rejects.toMatchObject({ code: 'INVALID', message: TOO_SHORT, field })
  })

  it.each(WAYS)('is not asked where none is set, by %s', async (_way, _field, set) => {
    // Whatever else it lacks here.
    const problem = await set(SHORT).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(problem).not.toContain('Password must be')
  })

  it('is asked of the suppliers of a list too', async () => {
    await ask(12)
    const seed = supplierSeedSchema.parse({ ...account, password: SHORT })
    expect((await seedSuppliers(deps, [seed])).problems).toEqual([
      { place: 0, message: `${account.username}: ${TOO_SHORT}` },
    ])
  })
})

const COMMON = 'This is one of the most common passwords. Choose another one.'
const NAMES = 'This password is little more than a name that others would try. Choose another one.'

describe('the most common passwords, where an administrator has them refused', () => {
  beforeEach(() => ask(6, true))

  it.each(WAYS)('are refused by %s', async (_way, field, set) => {
    await expect(set('Sunshine1')).rejects.toMatchObject({
      code: 'INVALID',
      message: COMMON,
      field,
    })
  })

  it.each(WAYS)('are refused for the name of the product too, by %s', async (_way, field, set) => {
    await expect(set('Stockbridge1!')).rejects.toMatchObject({ message: NAMES, field })
  })

  it('are refused of the retailers of a list, and of a seed', async () => {
    const seed = supplierSeedSchema.parse({ ...account, password: 'sunshine1' })
    expect((await seedSuppliers(deps, [seed])).problems).toEqual([
      { place: 0, message: `${account.username}: ${COMMON}` },
    ])
  })

  const registerWith = (password: string) =>
    register(deps, null, { ...account, password, role: 'SUPPLIER' }, ADDRESS)

  it.each([
    'quayside',
    'QUAYSIDE 2026',
    'new-harbour!',
    'harbour1',
    'harbour123456',
    'Stock Bridge',
  ])('are the own names with little else: %s', async (password) => {
    await expect(registerWith(password)).rejects.toMatchObject({ message: NAMES })
  })

  it.each(['new harbour, seven gulls', 'k7mp-w2xq', 'newnew'])('are not %s', async (password) => {
    await expect(registerWith(password)).resolves.toMatchObject({ username: 'quayside' })
  })

  it('are more than 3,000 of each length that the standard asks for', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    expect(
      dictionary['passwords-common'].filter(({ length }) => length >= 8).length,
    ).toBeGreaterThan(3_000)
  })
})

it('lets everything of six characters be, where nothing is refused', async () => {
  await expect(
    register(deps, null, { ...account, password: '123456', role: 'SUPPLIER' }, ADDRESS),
  ).resolves.toMatchObject({ username: 'quayside' })
})

it('is asked in one place, by which all new passwords are hashed', () => {
  const callers = listPaths('src/server', 'scripts').filter(
    (path) =>
      /^(?!.*(?:\.test\.|\/testing\/)).*\.ts$/.test(path) &&
      /passwords\.hash\(/.test(readFileSync(path, 'utf8')),
  )
  expect(callers).toEqual(['src/server/features/people/accounts/new-password.ts'])
})

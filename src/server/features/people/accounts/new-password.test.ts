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
const password = 'nine char'
const TOO_SHORT = 'Password must be at least 12 characters'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const ask = (passwordMinLength: number) =>
  inTransaction(deps.db, (trx) => saveSignInRules(trx, { requiredFactors: {}, passwordMinLength }))
const supplierActor = async () => (await findActor(deps.db, (await createSupplierUser(deps)).id))!
const adminActor = async () => (await findActor(deps.db, (await createAdmin(deps)).id))!
const account = {
  username: 'newcomer',
  password,
  companyName: 'New',
  contactEmail: 'new@example.com',
  maxRetailers: 5,
}

/** Every way in which a password is set. */
const WAYS: [string, string | undefined, () => Promise<unknown>][] = [
  [
    'registering',
    'password',
    () => register(deps, null, { ...account, role: 'SUPPLIER' }, ADDRESS),
  ],
  [
    'changing the own one',
    'newPassword',
    async () => {
      const from = { sessionIdHash: '', address: ADDRESS }
      const input = { currentPassword: PASSWORD, newPassword: password }
      return changeOwnPassword(deps, await supplierActor(), from, input)
    },
  ],
  [
    'setting that of somebody else',
    'newPassword',
    async () => {
      const { id: userId } = await supplierActor()
      return resetPassword(deps, await adminActor(), { userId, newPassword: password }, ADDRESS)
    },
  ],
  [
    'adding a supplier',
    'password',
    async () => createSupplier(deps, await adminActor(), account, ADDRESS),
  ],
  [
    'adding a list of retailers',
    'retailers.0.password',
    async () => {
      const listed = { username: 'shop', password, contactEmail: 'shop@example.com' }
      const retailer = { ...listed, storeName: 'Shop', categories: [] }
      return addRetailerList(deps, await supplierActor(), [retailer], ADDRESS)
    },
  ],
  [
    'accepting an invitation',
    'password',
    async () => {
      const { token } = await putInvitation(deps, await supplierActor())
      return acceptInvitation(deps, { ...account, token }, ADDRESS)
    },
  ],
  [
    'the link of a mail',
    'newPassword',
    async () => {
      const token = await putPasswordLink(deps, (await supplierActor()).id)
      return setPasswordByLink(deps, { token, newPassword: password }, ADDRESS)
    },
  ],
  ['npm run create-admin', 'password', () => saveAdmin(deps, 'root', password)],
]

describe('a minimum length that an administrator has set', () => {
  it.each(WAYS)('is asked of a new password by %s', async (_way, field, set) => {
    await ask(12)
    await expect(set()).rejects.toMatchObject({ code: 'INVALID', message: TOO_SHORT, field })
  })

  it.each(WAYS)('is not asked where none is set, by %s', async (_way, _field, set) => {
    // Whatever else it lacks here.
    const problem = await set().then(
      () => '',
      (error: Error) => error.message,
    )
    expect(problem).not.toContain('Password must be')
  })

  it('is asked of the suppliers of a list too', async () => {
    await ask(12)
    const seed = supplierSeedSchema.parse(account)
    await expect(seedSuppliers(deps, [seed])).rejects.toMatchObject({ message: TOO_SHORT })
  })
})

it('is asked in one place, by which all new passwords are hashed', () => {
  const callers = listPaths('src/server', 'scripts').filter(
    (path) =>
      /^(?!.*(?:\.test\.|\/testing\/)).*\.ts$/.test(path) &&
      /passwords\.hash\(/.test(readFileSync(path, 'utf8')),
  )
  expect(callers).toEqual(['src/server/features/people/accounts/new-password.ts'])
})

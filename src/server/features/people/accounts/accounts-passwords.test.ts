import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { changePasswordInput } from '../../../../shared/schemas/user'
import {
  ADDRESS,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { changeOwnPassword, hasPassword, login } from './accounts'
import { signInWithGoogle } from './google-accounts'
import type { UserRecord } from './users.queries'

let deps: TestDeps
let supplier: UserRecord
let sessionIdHash: string

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
  sessionIdHash = await createSession(deps, supplier)
})
afterEach(() => deps.close())

const change = (currentPassword: string, newPassword: string) =>
  changeOwnPassword(
    deps,
    supplier,
    { sessionIdHash, address: ADDRESS },
    changePasswordInput.parse({ currentPassword, newPassword }),
  )

const signIn = (password: string) => login(deps, { username: supplier.username, password }, ADDRESS)
const invalidLogin = { code: 'UNAUTHENTICATED', message: 'Invalid username or password' }

const listSessions = () => deps.db.selectFrom('sessions').select('idHash').execute()

describe('having a password', () => {
  it('is true of a registered user, and false of one created by Sign in with Google', async () => {
    const identity = {
      issuer: 'https://accounts.example',
      subject: 'subject-1',
      email: 'ada@example.com',
      name: null,
      pictureUrl: null,
    }
    const google = await signInWithGoogle(deps, identity, identity.subject, ADDRESS)
    expect(await Promise.all([supplier, google].map((user) => hasPassword(deps, user)))).toEqual([
      true,
      false,
    ])
  })
})

describe('changing one’s own password', () => {
  it('sets the new password when the current one is right', async () => {
    expect(await change(PASSWORD, 'another horse')).toMatchObject({ id: supplier.id })
    expect(await signIn('another horse')).toMatchObject({ id: supplier.id })
    await expect(signIn(PASSWORD)).rejects.toMatchObject(invalidLogin)
  })

  it('ends all sessions of the caller, and nobody else’s', async () => {
    const other = await createSupplierUser(deps)
    const othersIdHash = await createSession(deps, other)
    await createSession(deps, supplier)
    const { sessionEpoch } = await change(PASSWORD, 'another horse')
    expect(sessionEpoch).toBeGreaterThan(supplier.sessionEpoch)
    expect(await listSessions()).toEqual([{ idHash: othersIdHash }])
  })

  it('refuses a wrong current password, and changes nothing', async () => {
    await expect(change('wrong', 'another horse')).rejects.toMatchObject({
      code: 'INVALID',
      message: 'Current password is incorrect',
      field: 'currentPassword',
    })
    expect(await listSessions()).toEqual([{ idHash: sessionIdHash }])
    expect(await signIn(PASSWORD)).toMatchObject({ id: supplier.id })
    await expect(signIn('another horse')).rejects.toMatchObject(invalidLogin)
  })

  it.each([
    ['leading and trailing spaces', '  spaced out  '],
    ['256 characters', 'y'.repeat(256)],
    ['emoji', '🐎🐎🐎🐎🐎🐎'],
    ['six characters', 'horses'],
  ])('accepts a password of %s, and keeps it exactly as typed', async (_what, password) => {
    await change(PASSWORD, password)
    expect(await signIn(password)).toMatchObject({ id: supplier.id })
    await expect(signIn(` ${password}`)).rejects.toMatchObject(invalidLogin)
  })
})

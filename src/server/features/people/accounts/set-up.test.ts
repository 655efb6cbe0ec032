import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { createSecretToken } from '../../../domain/secret-token'
import { createAdmin, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { requireSetupToken, setUp } from './set-up'

const token = createSecretToken()
const input = { username: 'Operator', password: 'correct horse' }
let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const shown = (given = token, address = '203.0.113.1') => ({ token, given, address })
const listUsers = () => deps.db.selectFrom('users').select(['username', 'role']).execute()
const refusal = (code: string) => expect.objectContaining({ code }) as Error

describe('the set-up', () => {
  it('makes the administrator that the holder of the token asks for, and records it', async () => {
    await setUp(deps, shown(), input)
    expect(await listUsers()).toEqual([{ username: 'Operator', role: 'SUPER_ADMIN' }])
    const entries = await deps.db.selectFrom('auditEntries').select('action').execute()
    expect(entries).toEqual([{ action: 'administrator.create' }])
  })

  it('ends with the first administrator, however it was made', async () => {
    await setUp(deps, shown(), input)
    await expect(setUp(deps, shown(), { ...input, username: 'Second' })).rejects.toEqual(
      refusal('NOT_FOUND'),
    )
    await expect(requireSetupToken(deps, shown())).rejects.toEqual(refusal('NOT_FOUND'))
    expect(await listUsers()).toHaveLength(1)
  })

  it('is not there where npm run create-admin has made one', async () => {
    await createAdmin(deps)
    for (const given of [token, 'wrong']) {
      await expect(requireSetupToken(deps, shown(given))).rejects.toEqual(refusal('NOT_FOUND'))
    }
  })

  it('makes one administrator when several are asked for at once', async () => {
    const names = ['one', 'two', 'three', 'four']
    const attempts = names.map((username) => setUp(deps, shown(), { ...input, username }))
    const ends = await Promise.allSettled(attempts)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listUsers()).toHaveLength(1)
  })

  it.each(['', 'wrong', token.slice(1), `${token}x`, token.toLowerCase()])(
    'does nothing for another token: %j',
    async (given) => {
      await expect(setUp(deps, shown(given), input)).rejects.toEqual(refusal('FORBIDDEN'))
      expect(await listUsers()).toEqual([])
    },
  )

  it('limits wrong tokens by address and in all, and keeps the right one out by neither', async () => {
    const tryWrong = (address?: string) => requireSetupToken(deps, shown('wrong', address))
    for (let count = 0; count < 10; count++) {
      await expect(tryWrong()).rejects.toEqual(refusal('FORBIDDEN'))
    }
    await expect(tryWrong()).rejects.toEqual(refusal('THROTTLED'))
    await expect(tryWrong('203.0.113.2')).rejects.toEqual(refusal('FORBIDDEN'))
    deps.limits.setUp = { max: 11, windowMs: HOUR_MS }
    await expect(tryWrong('203.0.113.3')).rejects.toEqual(refusal('THROTTLED'))
    await setUp(deps, shown(), input)
    expect(await listUsers()).toHaveLength(1)
  })

  it('has the rules of names and passwords of every administrator', async () => {
    await deps.db
      .insertInto('signInRules')
      .values({ id: 1, requiredFactors: {}, passwordMinLength: 12, isCommonRefused: true })
      .execute()
    await expect(setUp(deps, shown(), { ...input, password: 'short horse' })).rejects.toThrow(
      'at least 12 characters',
    )
    await expect(setUp(deps, shown(), { ...input, password: 'operator1234' })).rejects.toEqual(
      refusal('INVALID'),
    )
    const supplier = await createSupplierUser(deps)
    const taken = { ...input, username: supplier.username, password: 'correct horse staple' }
    await expect(setUp(deps, shown(), taken)).rejects.toEqual(refusal('CONFLICT'))
  })
})

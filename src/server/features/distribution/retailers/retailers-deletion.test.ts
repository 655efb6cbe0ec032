import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { registerInput } from '../../../../shared/schemas/user'
import {
  ADDRESS,
  createLinkedRetailer,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { FIRST, openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from '../../people/accounts/accounts'
import { register } from '../../people/accounts/registration'
import type { UserRecord } from '../../people/accounts/users.queries'
import { getLatestFile } from '../downloads/retailer-files'
import { deleteRetailer } from './retailers'

describe('deleting a retailer', () => {
  let deps: TestDeps
  let supplier: UserRecord

  beforeEach(async () => {
    deps = await openTestDeps()
    supplier = await createSupplierUser(deps)
  })
  afterEach(() => deps.close())

  it('deletes its login and sessions, and no others', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    const other = await createLinkedRetailer(deps, supplier)
    for (const each of [supplier, user, other.user]) await createSession(deps, each)
    await deleteRetailer(deps, supplier, id)
    const ids = async (table: 'users' | 'retailers') =>
      (await deps.db.selectFrom(table).select('id').orderBy('id').execute()).map((row) => row.id)
    expect(await ids('users')).toEqual([supplier.id, other.user.id])
    expect(await ids('retailers')).toEqual([other.id])
    const sessions = deps.db.selectFrom('sessions').select('userId').orderBy('userId')
    expect(await sessions.execute()).toEqual([{ userId: supplier.id }, { userId: other.user.id }])
    const { username } = user
    await expect(login(deps, { username, password: PASSWORD }, ADDRESS)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'Invalid username or password',
    })
  })

  it('makes its username available again and no longer counts it towards the limit', async () => {
    const small = await createSupplierUser(deps, { maxRetailers: 1 })
    const { id, user } = await createLinkedRetailer(deps, small)
    await deleteRetailer(deps, small, id)
    const { username } = user
    const account = registerInput.parse({ username, password: PASSWORD, role: 'RETAILER' })
    expect(await register(deps, small, account, ADDRESS)).toMatchObject({ username })
  })

  it('never makes its id available again', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    await deleteRetailer(deps, supplier, id)
    const next = await createLinkedRetailer(deps, supplier)
    expect([next.id > id, next.user.id > user.id]).toEqual([true, true])
  })
})

describe('deleting a retailer that has read a file', () => {
  let stage: SyncStage

  beforeEach(async () => {
    stage = await openSyncStage()
  })
  afterEach(() => stage.close())

  it('deletes its downloads and keeps the published file', async () => {
    const { deps, supplier } = stage
    const { id, user } = await createLinkedRetailer(deps, supplier)
    await stage.publishFirst()
    await getLatestFile(deps, user, id)
    const readers = () => deps.db.selectFrom('downloads').select('retailerId').execute()
    expect(await readers()).toEqual([{ retailerId: id }])
    await deleteRetailer(deps, supplier, id)
    expect(await readers()).toEqual([])
    expect(await stage.publishedText()).toBe(FIRST)
  })
})

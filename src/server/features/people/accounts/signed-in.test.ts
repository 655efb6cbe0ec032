import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { inTransaction, openDatabase, type Db } from '../../../db/open'
import { createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { deleteSession, endUserSessions, insertSession } from './sessions.queries'
import { createSignedInReader, toActor, type SignedInReader } from './signed-in'
import { updateUser, type UserRecord } from './users.queries'

let folder: string
let deps: TestDeps
let user: UserRecord
let reader: SignedInReader
/** A second connection to the database, as another process has. */
let there: Db

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-signed-in-'))
  const databaseFile = join(folder, 'app.db')
  deps = await openTestDeps({ databaseFile })
  there = openDatabase(databaseFile)
  user = await createSupplierUser(deps)
  reader = createSignedInReader(deps.db, deps.clock)
  const now = deps.clock.now()
  const session = { idHash: 'hash', userId: user.id, data: {}, createdAt: now, touchedAt: now }
  await inTransaction(deps.db, (trx) =>
    insertSession(trx, { ...session, expiresAt: now + HOUR_MS }),
  )
})
afterEach(async () => {
  await there.destroy()
  await deps.close()
  await rm(folder, { recursive: true })
})

const findActor = async () => {
  const known = await reader.find('hash')
  return known && toActor(known.user, user.sessionEpoch)
}

describe('who is signed in', () => {
  it('is remembered while the database is unchanged', async () => {
    const first = await reader.find('hash')
    expect(first?.user).toMatchObject(user)
    expect(await reader.find('hash')).toBe(first)
    await inTransaction(there, (trx) => updateUser(trx, user.id, { companyName: 'Renamed' }))
    expect(await findActor()).toMatchObject({ companyName: 'Renamed' })
  })

  it.each([
    ['here', () => deps.db],
    ['by another process', () => there],
  ])('is nobody at once after a sign-out or a deactivation %s', async (_where, db) => {
    expect(await findActor()).toMatchObject(user)
    await inTransaction(db(), (trx) => updateUser(trx, user.id, { isActive: false }))
    expect(await findActor()).toBeNull()
    await inTransaction(db(), (trx) => updateUser(trx, user.id, { isActive: true }))
    expect(await findActor()).toMatchObject(user)
    await inTransaction(db(), (trx) => deleteSession(trx, 'hash'))
    expect(await findActor()).toBeUndefined()
  })

  it('is nobody at once when all sessions of the user end', async () => {
    expect(await findActor()).toMatchObject(user)
    await inTransaction(there, (trx) => endUserSessions(trx, user.id))
    expect(await findActor()).toBeUndefined()
    expect(toActor({ ...user, sessionEpoch: user.sessionEpoch + 1 }, user.sessionEpoch)).toBeNull()
  })

  it('is nobody at the instant when the session expires', async () => {
    deps.clock.advance(HOUR_MS - 1)
    expect(await findActor()).toMatchObject(user)
    deps.clock.advance(1)
    expect(await findActor()).toBeUndefined()
  })

  it('cannot be changed by a caller', async () => {
    const known = await reader.find('hash')
    expect(() => Object.assign(known!.user!, { role: 'SUPER_ADMIN' })).toThrow('read only')
  })
})

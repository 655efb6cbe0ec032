import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_LOGIN_KEYS } from '../../../../shared/constants'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { TEST_SFTP } from '../../../testing/fixtures/sftp-settings'
import { makeSshKey } from '../../../testing/fixtures/ssh-keys'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { resetPassword } from '../../people/accounts/accounts'
import type { UserRecord } from '../../people/accounts/users.queries'
import { deleteRetailer } from '../retailers/retailers'
import {
  changeSftpLogin,
  createSftpLogin,
  readSftpAccess,
  revokeSftpLogin,
  type LoginOf,
} from './sftp-logins'

let deps: TestDeps
let supplier: UserRecord
let connectionId: number
let retailer: { id: number; user: UserRecord }

beforeEach(async () => {
  deps = await openTestDeps({ sftp: TEST_SFTP })
  supplier = await createSupplierUser(deps, { companyName: 'Nörd & Beck  GmbH' })
  connectionId = (await createSupplierConnection(deps, supplier, 'https://files.example/a.csv')).id
  retailer = await createLinkedRetailer(deps, supplier)
})
afterEach(() => deps.close())

const idOf = (of: LoginOf) => (of === 'connection' ? connectionId : retailer.id)
const ownerOf = (of: LoginOf) => (of === 'connection' ? supplier : retailer.user)
/** With the login as it is afterwards. */
const withLogin = async (of: LoginOf, { password }: { password: string | null }) => ({
  login: (await read(of)).login!,
  password,
})
const make = async (of: LoginOf, more: { addKeys?: string; password?: 'new' | 'none' } = {}) =>
  withLogin(of, await createSftpLogin(deps, ownerOf(of), of, { id: idOf(of), ...more }))
const change = async (of: LoginOf, more: Omit<Parameters<typeof changeSftpLogin>[3], 'id'>) =>
  withLogin(of, await changeSftpLogin(deps, ownerOf(of), of, { id: idOf(of), ...more }))
const read = (of: LoginOf) => readSftpAccess(deps, ownerOf(of), of, idOf(of))
const rows = () => deps.db.selectFrom('sftpLogins').selectAll().orderBy('id').execute()
const actions = async () =>
  (await deps.db.selectFrom('auditEntries').select('action').orderBy('id').execute())
    .map(({ action }) => action)
    .filter((action) => action.endsWith('sftp-login'))
const aKey = async () => (await makeSshKey('ed25519')).publicKey

describe.each(['connection', 'retailer'] as const)('the SFTP login of a %s', (of) => {
  it('is none at first, beside where the server is and how it is known', async () => {
    expect(await read(of)).toEqual({
      server: {
        host: 'sftp.stock.example',
        port: 2_222,
        hostKeys: [
          {
            type: 'ssh-ed25519',
            fingerprint: expect.stringMatching(/^SHA256:.{43}$/) as string,
          },
        ],
      },
      login: null,
    })
  })

  it('has a password of 256 random bits, of which only a hash is stored', async () => {
    const { login, password } = await make(of)
    expect(password).toMatch(/^[\w-]{43}$/)
    const [row] = await rows()
    expect(row?.passwordHash).toBe(createHash('sha256').update(password!).digest('hex'))
    expect(JSON.stringify([row, await read(of)])).not.toContain(password)
    expect((await read(of)).login).toEqual(login)
    expect(login).toMatchObject({ passwordEnd: password?.slice(-4), lastUsedAt: null })
  })

  it('with keys has no password, unless one is wanted too', async () => {
    const key = await aKey()
    const { login, password } = await make(of, { addKeys: `${key} robot` })
    expect([password, login.passwordEnd]).toEqual([null, null])
    expect(login.publicKeys).toMatchObject([{ type: 'ssh-ed25519', comment: 'robot' }])
    await revokeSftpLogin(deps, supplier, of, idOf(of))
    const both = await make(of, { addKeys: key, password: 'new' })
    expect(both.password).not.toBeNull()
    expect(both.login.publicKeys).toHaveLength(1)
  })

  it('is one: a second is refused', async () => {
    await make(of)
    await expect(make(of)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('gets another password, which replaces the one before at once', async () => {
    const first = await make(of)
    const second = await change(of, { password: 'new' })
    expect(second.password).not.toBe(first.password)
    expect(second.login.username).toBe(first.login.username)
    const [row] = await rows()
    expect(row?.passwordHash).toBe(createHash('sha256').update(second.password!).digest('hex'))
  })

  it('may lose its password only while it has a key, and its last key only while it has a password', async () => {
    await make(of)
    const refused = { code: 'INVALID', message: 'Without a password, the login needs a public key' }
    await expect(change(of, { password: 'none' })).rejects.toMatchObject(refused)
    const { login } = await change(of, { password: 'none', addKeys: await aKey() })
    expect(login.passwordEnd).toBeNull()
    const removeKeys = login.publicKeys.map(({ fingerprint }) => fingerprint)
    await expect(change(of, { removeKeys })).rejects.toMatchObject(refused)
    const after = await change(of, { removeKeys, password: 'new' })
    expect(after.login.publicKeys).toEqual([])
    expect(after.password).not.toBeNull()
  })

  it('knows a key once, and so many at most', async () => {
    const key = await aKey()
    await make(of, { addKeys: `${key} first` })
    const { login } = await change(of, { addKeys: `${key} again\n${await aKey()}` })
    expect(login.publicKeys.map(({ comment }) => comment)).toEqual(['first', ''])
    const many = await Promise.all(Array.from({ length: MAX_LOGIN_KEYS - 1 }, aKey))
    await expect(change(of, { addKeys: many.join('\n') })).rejects.toThrow('up to 10 keys')
    await change(of, { addKeys: many.slice(1).join('\n') })
    expect((await read(of)).login?.publicKeys).toHaveLength(MAX_LOGIN_KEYS)
  })

  it('is told to others who see to it, and recorded without its secrets', async () => {
    const admin = await createAdmin(deps)
    const { password } = await createSftpLogin(deps, admin, of, { id: idOf(of) })
    await changeSftpLogin(deps, admin, of, { id: idOf(of), password: 'new' })
    await change(of, { addKeys: await aKey() })
    await revokeSftpLogin(deps, admin, of, idOf(of))
    await revokeSftpLogin(deps, admin, of, idOf(of))
    expect(await actions()).toEqual(
      ['create', 'change', 'change', 'revoke'].map((verb) => `${of}.${verb}-sftp-login`),
    )
    const told = await deps.db
      .selectFrom('notifications')
      .innerJoin('events', 'events.id', 'notifications.eventId')
      .select(['userId', 'kind'])
      .where('kind', 'in', ['account.sftp-login-made', 'account.sftp-login-changed'])
      .orderBy('events.id')
      .execute()
    expect(told).toEqual(
      ['made', 'changed'].map((what) => ({
        userId: ownerOf(of).id,
        kind: `account.sftp-login-${what}`,
      })),
    )
    const entries = await deps.db.selectFrom('auditEntries').selectAll().execute()
    expect(JSON.stringify(entries)).not.toContain(password)
    const hash = createHash('sha256').update(password!).digest('hex')
    expect(JSON.stringify(entries)).not.toContain(hash)
  })

  it('stays as it is, unrecorded, when nothing of it is changed', async () => {
    const key = await aKey()
    await make(of, { addKeys: key })
    await change(of, { addKeys: key, removeKeys: ['SHA256:none'] })
    expect(await actions()).toEqual([`${of}.create-sftp-login`])
  })

  it('of others is not found', async () => {
    await make(of)
    const stranger = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, stranger)
    const id = idOf(of)
    const notFound = { code: 'NOT_FOUND' }
    for (const actor of [stranger, ...(of === 'retailer' ? [user] : [])]) {
      await expect(readSftpAccess(deps, actor, of, id)).rejects.toMatchObject(notFound)
      await expect(createSftpLogin(deps, actor, of, { id })).rejects.toMatchObject(notFound)
      await expect(changeSftpLogin(deps, actor, of, { id })).rejects.toMatchObject(notFound)
      await expect(revokeSftpLogin(deps, actor, of, id)).rejects.toMatchObject(notFound)
    }
    expect(await rows()).toHaveLength(1)
  })

  it('is made and changed so many times an hour at most', async () => {
    deps.limits.changeAccess = { max: 2, windowMs: 60_000 }
    await make(of)
    await change(of, { password: 'new' })
    await expect(change(of, { password: 'new' })).rejects.toMatchObject({ code: 'THROTTLED' })
    await revokeSftpLogin(deps, supplier, of, idOf(of))
    await expect(make(of)).rejects.toMatchObject({ code: 'THROTTLED' })
  })

  it('is not made where there is no SFTP server, but still revoked', async () => {
    await make(of)
    deps.config.sftp = null
    expect(await read(of)).toMatchObject({ server: null, login: {} })
    await revokeSftpLogin(deps, supplier, of, idOf(of))
    expect(await rows()).toEqual([])
    await expect(make(of)).rejects.toMatchObject({ code: 'NOT_CONFIGURED' })
  })
})

describe('SFTP logins', () => {
  it('are named after the company or the store, in signs that every program takes', async () => {
    const { login } = await make('connection')
    expect(login.username).toMatch(/^nord-beck-gmbh-[2-9a-z]{6}$/)
    await deps.db.updateTable('retailers').set({ storeName: '株式会社' }).execute()
    expect((await make('retailer')).login.username).toMatch(/^login-[2-9a-z]{6}$/)
  })

  it('are deleted with their retailer and their connection', async () => {
    await make('retailer')
    await make('connection')
    await deleteRetailer(deps, supplier, retailer.id)
    expect((await rows()).map((row) => row.connectionId)).toEqual([connectionId])
    await deps.db.deleteFrom('connections').execute()
    expect(await rows()).toEqual([])
  })

  it('of a supplier and its shops end with a new password that ends addresses', async () => {
    const admin = await createAdmin(deps)
    await make('retailer')
    await make('connection')
    const reset = (userId: number, endsFeedAddresses: boolean) =>
      resetPassword(
        deps,
        admin,
        { userId, newPassword: 'another horse', endsFeedAddresses },
        '10.0.0.1',
      )
    await reset(supplier.id, false)
    expect(await rows()).toHaveLength(2)
    await reset(retailer.user.id, true)
    expect((await rows()).map((row) => row.connectionId)).toEqual([connectionId])
    await make('retailer')
    await reset(supplier.id, true)
    expect(await rows()).toEqual([])
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { supplierSeedSchema } from '../../../../shared/schemas/supplier-seed'
import { inTransaction } from '../../../db/open'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { KEYGEN_KEYS, PASSPHRASE } from '../../../testing/fixtures/ssh-keys'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from '../../people/accounts/accounts'
import { findSignInRules, saveSignInRules } from '../../people/sign-in-rules/sign-in-rules.queries'
import { seedSupplier, seedSuppliers } from './seeding'
import { updateSupplier } from './suppliers'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const acme = {
  username: 'acme',
  password: PASSWORD,
  companyName: 'Acme',
  contactEmail: 'a@acme.example',
}
const shop = {
  username: 'shop',
  password: PASSWORD,
  storeName: 'The Shop',
  storeUrl: 'shop.example',
}
const kiosk = { username: 'kiosk', password: PASSWORD, storeName: 'Kiosk', categories: ['Hats'] }
const connection = { url: 'https://acme.example/a.csv' }

const seed = (more: object = {}) =>
  seedSupplier(deps, supplierSeedSchema.parse({ ...acme, ...more }))

/** All rows of the tables that a seed writes. */
async function readAll() {
  const { db, queue } = deps
  await queue.idle()
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    connections: await db.selectFrom('connections').selectAll().orderBy('id').execute(),
    retailers: await db.selectFrom('retailers').selectAll().orderBy('id').execute(),
  }
}

describe('a seed', () => {
  it('creates a supplier that can sign in', async () => {
    expect(await seed({ maxRetailers: 25 })).toBe('created')
    expect(await login(deps, { username: 'ACME', password: PASSWORD }, ADDRESS)).toMatchObject({
      role: 'SUPPLIER',
      companyName: 'Acme',
      contactEmail: 'a@acme.example',
      maxRetailers: 25,
    })
  })

  it('uses defaults for what it leaves out', async () => {
    await seed({ connection, retailers: [shop] })
    const { users, connections, retailers } = await readAll()
    expect(users[0]).toMatchObject({ maxRetailers: 10, isActive: true })
    expect(connections[0]).toMatchObject({
      name: 'Inventory',
      syncFrequencyMinutes: 1440,
      isActive: true,
    })
    expect(retailers[0]).toMatchObject({ isAllProducts: true, syncFrequencyMinutes: 1440 })
  })

  it('creates a connection whose files have only what has changed, and leaves it as it is then', async () => {
    const removal = { column: 'action', value: 'delete' }
    const feed = { ...connection, updates: { removal } }
    await seed({ connection: feed })
    const { connections } = await readAll()
    expect(connections[0]!.updates).toEqual({ removal, fullName: null, nextIsFull: true })
    expect(await seed({ connection: feed })).toBe('unchanged')
  })

  it('creates a connection that is due at once, and retailers with their categories', async () => {
    const feed = { ...connection, name: 'Feed', syncFrequency: 60 }
    await seed({ connection: feed, retailers: [shop, kiosk] })
    const { users, connections, retailers } = await readAll()
    expect(connections).toMatchObject([
      {
        supplierId: users[0]!.id,
        name: 'Feed',
        syncFrequencyMinutes: 60,
        config: connection,
      },
    ])
    expect(
      connections[0]!.lastAttemptAt ?? connections[0]!.leaseUntil ?? connections[0]!.nextSyncAt,
    ).not.toBeNull()
    expect(retailers).toMatchObject([
      { storeName: 'The Shop', storeUrl: 'shop.example', isAllProducts: true, categories: [] },
      { storeName: 'Kiosk', storeUrl: null, isAllProducts: false, categories: ['Hats'] },
    ])
    await expect(
      login(deps, { username: 'kiosk', password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })
})

describe('a seed that is run again', () => {
  it('changes nothing when everything matches', async () => {
    const all = { maxRetailers: 5, connection, retailers: [shop, kiosk] }
    await seed(all)
    await deps.queue.idle()
    await deps.db.updateTable('retailers').set({ currentSince: deps.clock.now() }).execute()
    const before = await readAll()
    deps.clock.advance(1_000)
    expect(await seed(all)).toBe('unchanged')
    await deps.queue.idle()
    expect(await readAll()).toEqual(before)
  })

  it('finds its accounts without regard to case', async () => {
    await seed({ retailers: [shop] })
    await seed({ username: 'ACME', retailers: [{ ...shop, username: 'Shop' }] })
    expect((await readAll()).users).toHaveLength(2)
  })

  it('gives the connection credentials, and keeps them when they are the same or left out', async () => {
    const auth = {
      type: 's3',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'sesame',
      region: 'eu-west-1',
    }
    const bucket = { url: 's3://acme-files/stock.csv' }
    await seed({ connection: { ...bucket, auth } })
    const before = await readAll()
    expect(before.connections[0]?.config.auth).toMatchObject({ type: 's3', region: 'eu-west-1' })
    expect(await seed({ connection: { ...bucket, auth } })).toBe('unchanged')
    expect(await seed({ connection: bucket })).toBe('unchanged')
    expect(await readAll()).toEqual(before)
    const other = { ...auth, secretAccessKey: 'another' }
    expect(await seed({ connection: { ...bucket, auth: other } })).toBe('updated')
  })

  it('updates what differs', async () => {
    await seed({ connection, retailers: [shop, kiosk] })
    await seed({
      companyName: 'Acme Ltd',
      maxRetailers: 3,
      connection: { url: 'https://acme.example/b.csv', name: 'Second', syncFrequency: 240 },
      retailers: [
        { ...shop, storeName: 'New Shop', storeUrl: 'new.example', categories: ['Boots'] },
        { ...kiosk, categories: ['Hats', 'Caps'] },
      ],
    })
    const { users, connections, retailers } = await readAll()
    expect(users[0]).toMatchObject({ companyName: 'Acme Ltd', maxRetailers: 3 })
    expect(connections).toMatchObject([
      {
        name: 'Second',
        syncFrequencyMinutes: 240,
        config: { url: 'https://acme.example/b.csv' },
      },
    ])
    expect(retailers).toMatchObject([
      {
        storeName: 'New Shop',
        storeUrl: 'new.example',
        isAllProducts: false,
        categories: ['Boots'],
      },
      { storeName: 'Kiosk', isAllProducts: false, categories: ['Hats', 'Caps'] },
    ])
  })

  it('does not change what it leaves out', async () => {
    const feed = { ...connection, name: 'Feed', syncFrequency: 60 }
    await seed({ maxRetailers: 50, connection: feed, retailers: [shop, kiosk] })
    const before = await readAll()
    const { categories: _, ...plain } = kiosk
    const { storeUrl: __, ...withoutUrl } = shop
    await seed({ connection, retailers: [withoutUrl, plain] })
    const after = await readAll()
    expect(after.users).toEqual(before.users)
    expect(after.connections).toMatchObject([{ name: 'Feed', syncFrequencyMinutes: 60 }])
    expect(after.retailers).toEqual(before.retailers)
    await seed()
    expect(await readAll()).toEqual(after)
  })

  it('neither sets passwords nor reactivates the supplier', async () => {
    await seed({ retailers: [shop] })
    const { id } = await login(deps, { username: 'acme', password: PASSWORD }, ADDRESS)
    await updateSupplier(deps, { id, isActive: false })
    const password = 'another horse'
    await seed({ password, retailers: [{ ...shop, password }] })
    const { users } = await readAll()
    expect(users[0]).toMatchObject({ isActive: false })
    await expect(
      login(deps, { username: 'shop', password: PASSWORD }, ADDRESS),
    ).resolves.toBeDefined()
  })

  it('adds further retailers to the same supplier', async () => {
    await seed({ retailers: [shop] })
    await seed({ retailers: [kiosk] })
    expect((await readAll()).retailers).toHaveLength(2)
  })
})

describe('an invalid seed', () => {
  const taken = (role: string, username: string) => ({
    code: 'CONFLICT',
    message: `The username ${username} belongs to another ${role} account`,
  })

  it('is refused when the supplier’s username is a retailer’s or an administrator’s', async () => {
    const { user } = await createLinkedRetailer(deps, await createSupplierUser(deps))
    const admin = await createAdmin(deps)
    for (const { username, role } of [user, admin]) {
      await expect(seed({ username })).rejects.toMatchObject(taken(role, username))
    }
  })

  it('writes nothing when one of its retailers belongs to another supplier', async () => {
    const { user } = await createLinkedRetailer(deps, await createSupplierUser(deps))
    const before = await readAll()
    const attempt = seed({ connection, retailers: [shop, { ...kiosk, username: user.username }] })
    await expect(attempt).rejects.toMatchObject(taken('RETAILER', user.username))
    expect(await readAll()).toEqual(before)
  })

  it('writes nothing when it has more retailers than its limit', async () => {
    const attempt = seed({ maxRetailers: 1, connection, retailers: [shop, kiosk] })
    await expect(attempt).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'Retailer limit reached (1 of 1)',
    })
    expect(await readAll()).toEqual({ users: [], connections: [], retailers: [] })
  })

  it('is refused when a retailer has the supplier’s own username', async () => {
    const attempt = seed({ retailers: [{ ...shop, username: 'Acme' }] })
    await expect(attempt).rejects.toMatchObject(taken('SUPPLIER', 'Acme'))
    expect((await readAll()).users).toEqual([])
  })
})

describe('several suppliers', () => {
  const seeds = ['acme', 'bcme'].map((username) => supplierSeedSchema.parse({ ...acme, username }))

  it('are written together, and the same again changes nothing', async () => {
    expect(await seedSuppliers(deps, seeds)).toMatchObject({ results: ['created', 'created'] })
    expect(await seedSuppliers(deps, seeds)).toMatchObject({
      results: ['unchanged', 'unchanged'],
    })
  })

  it('are not written when any is refused, and each is told', async () => {
    const { username } = await createAdmin(deps)
    const { user } = await createLinkedRetailer(deps, await createSupplierUser(deps))
    const refused = supplierSeedSchema.parse({ ...acme, username: user.username })
    const written = await seedSuppliers(deps, [
      seeds[0]!,
      supplierSeedSchema.parse({ ...acme, username }),
      seeds[1]!,
      refused,
    ])
    expect(written).toEqual({
      results: [],
      problems: [
        { place: 1, message: `The username ${username} belongs to another SUPER_ADMIN account` },
        { place: 3, message: `The username ${user.username} belongs to another RETAILER account` },
      ],
    })
    const names = await deps.db.selectFrom('users').select('username').execute()
    expect(names.filter((one) => /^[ab]cme$/.test(one.username))).toEqual([])
  })

  it('are told of which account a password or a private key cannot be used', async () => {
    const rules = await findSignInRules(deps.db)
    await inTransaction(deps.db, (trx) => saveSignInRules(trx, { ...rules, passwordMinLength: 12 }))
    const long = { ...acme, password: 'long enough to be one' }
    const auth = { type: 'ssh-key', username: 'acme', privateKey: KEYGEN_KEYS.ed25519.locked }
    const source = { url: 'sftp://acme.example/a.csv', auth }
    const parse = (one: object) => supplierSeedSchema.parse(one)
    const written = await seedSuppliers(deps, [
      parse({ ...long, retailers: [{ ...shop, password: 'too-short' }] }),
      parse({ ...long, username: 'bcme' }),
      parse({ ...long, username: 'ccme', connection: source }),
    ])
    expect(written).toEqual({
      results: [],
      problems: [
        { place: 0, message: 'shop: Password must be at least 12 characters' },
        { place: 2, message: 'The private key has a passphrase: enter it too' },
      ],
    })
    expect(await deps.db.selectFrom('users').selectAll().execute()).toEqual([])
    const unlocked = { ...source, auth: { ...auth, passphrase: PASSPHRASE } }
    const ccme = parse({ ...long, username: 'ccme', connection: unlocked })
    expect(await seedSuppliers(deps, [ccme])).toMatchObject({ results: ['created'] })
    expect(await seedSuppliers(deps, [ccme])).toMatchObject({ results: ['unchanged'] })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import type { ProtectFeedAddressInput } from '../../../../shared/schemas/feed-address'
import {
  createFeedAddress,
  listFeedAddresses,
  protectFeedAddresses,
  revokeFeedAddresses,
} from '../../../features/distribution/feed-addresses/feed-addresses'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps
const create = async () =>
  (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
const protect = async (input: Omit<ProtectFeedAddressInput, 'id'>, actor = world.retailer.user) =>
  (await protectFeedAddresses(deps(), actor, { id: world.retailer.id, ...input })).password ?? ''
const list = () => listFeedAddresses(deps(), world.retailer.user, world.retailer.id)
const basic = (password: string, name = 'feed') =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const inMs = (ms: number) => new Date(deps().clock.now() + ms).toISOString()

type Asked = {
  url?: string
  method?: string
  authorization?: string
  headers?: Record<string, string>
  from?: string
}

async function read(asked: Asked = {}) {
  const { url = address, method = 'GET', authorization, from } = asked
  const headers = { ...asked.headers, ...(authorization !== undefined && { authorization }) }
  const client = world.testApp.client(undefined, from)
  return client.request(method, url, undefined, headers)
}
const statusOf = async (asked?: Asked) => (await read(asked)).status

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = await create()
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

describe('a feed address with a password', () => {
  it('is read with it by Basic under any user name, or as a Bearer token', async () => {
    const password = await protect({ password: 'new' })
    expect(password).toMatch(/^[\w-]{43}$/)
    for (const authorization of [basic(password), basic(password, 'me'), `Bearer ${password}`]) {
      expect(await statusOf({ authorization })).toBe(200)
    }
    const rows = await deps().db.selectFrom('feedAddresses').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(password)
    expect(await list()).toMatchObject([{ passwordEnd: password.slice(-4) }])
  })

  it('answers without it, or with another one, by a challenge and nothing of the file', async () => {
    await protect({ password: 'new' })
    for (const asked of [
      {},
      { authorization: basic('wrong') },
      { authorization: 'Bearer wrong' },
    ]) {
      const { status, headers, text } = await read(asked)
      expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="feed"'])
      expect(Object.keys(headers).filter((name) => /^(x-feed|etag|x-data)/.test(name))).toEqual([])
      expect(text).toMatch(/^\{"message":"/)
    }
  })

  it('obeys in every form: names, HEAD, conditions, ranges, changes, JSON, also when it is remembered', async () => {
    const password = await protect({ password: 'new' })
    const etag = String((await read({ authorization: basic(password) })).headers['etag'])
    const forms: Asked[] = [
      {},
      { method: 'HEAD' },
      { url: address.replace('.csv', '.txt') },
      { url: address.replace('inventory', 'products') },
      { headers: { 'if-none-match': etag } },
      { headers: { 'if-match': '"other"' } },
      { headers: { range: 'bytes=1-' } },
      { url: `${address}?format=json` },
      { url: `${address}?since=abc` },
    ]
    for (const form of forms) {
      for (let count = 0; count < 2; count += 1) {
        const authorization = basic(password)
        const answers = [await statusOf(form), await statusOf({ ...form, authorization })]
        expect([form, answers]).toEqual([form, [401, expect.not.stringMatching('401') as never]])
        expect(answers[1]).not.toBe(401)
      }
    }
  })

  it('does not move its retailer to another file for a reader who is refused', async () => {
    await protect({ password: 'new' })
    const moved = () =>
      deps()
        .db.selectFrom('retailers')
        .select('currentVersionId')
        .where('id', '=', world.retailer.id)
        .executeTakeFirst()
    await deps()
      .db.updateTable('retailers')
      .set({ currentVersionId: null, currentSince: null })
      .execute()
    await statusOf()
    expect(await moved()).toEqual({ currentVersionId: null })
  })

  it('takes a new one at once, and no more the one before', async () => {
    const first = await protect({ password: 'new' })
    expect(await statusOf({ authorization: basic(first) })).toBe(200)
    const second = await protect({ password: 'new' })
    expect(await statusOf({ authorization: basic(first) })).toBe(401)
    expect(await statusOf({ authorization: basic(second) })).toBe(200)
    await protect({ password: 'none' })
    expect(await statusOf()).toBe(200)
  })

  it('bounds wrong ones by feed address, by client address and in all, and keeps nobody out who has a right one', async () => {
    const { limits } = deps()
    limits.wrongPasswordsOfFeed = { max: 3, windowMs: MINUTE_MS }
    limits.wrongFeedPasswords = { max: 5, windowMs: MINUTE_MS }
    const password = await protect({ password: 'new' })
    const guess = (from?: string) =>
      statusOf({ authorization: basic('wrong'), ...(from !== undefined && { from }) })
    const guesses = []
    for (let count = 0; count < 5; count += 1) guesses.push(await guess(`203.0.113.${count}`))
    expect(guesses).toEqual([401, 401, 401, 429, 429])
    // Programs that first ask without a password still get the challenge.
    expect(await statusOf()).toBe(401)
    expect(await statusOf({ authorization: basic(password) })).toBe(200)

    limits.wrongPasswordsOfFeed = { max: 100, windowMs: MINUTE_MS }
    const inAll = [
      await guess('203.0.113.8'),
      await guess('203.0.113.9'),
      await guess('203.0.113.10'),
    ]
    expect(inAll).toEqual([401, 401, 429])
    limits.wrongFeedPasswords = { max: 100, windowMs: MINUTE_MS }
    limits.wrongFeedPasswordsFromAddress = { max: 1, windowMs: MINUTE_MS }
    expect([await guess('203.0.113.20'), await guess('203.0.113.20')]).toEqual([401, 429])
    expect(await statusOf({ authorization: basic(password), from: '203.0.113.20' })).toBe(200)
    deps().clock.advance(MINUTE_MS)
    expect(await guess('203.0.113.20')).toBe(401)
  })

  it('does not count refused reads as reads of the address', async () => {
    deps().limits.readsOfFeed = { max: 2, windowMs: MINUTE_MS }
    const password = await protect({ password: 'new' })
    for (let count = 0; count < 5; count += 1) await statusOf({ authorization: basic('wrong') })
    expect(await statusOf({ authorization: basic(password) })).toBe(200)
  })
})

describe('a feed address for some networks', () => {
  it('is answered elsewhere like one that does not exist', async () => {
    await protect({ networks: ['198.51.100.0/24'], password: 'new' })
    const unknown = await read({
      url: `/feeds/${'a'.repeat(43)}/inventory.csv`,
      from: '203.0.113.1',
    })
    const refused = await read({ from: '203.0.113.1' })
    const told = ({ status, text, headers }: typeof refused) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers
      return { status, text, others }
    }
    expect(told(refused)).toEqual(told(unknown))
    expect(refused.status).toBe(404)
    expect(await statusOf({ from: '198.51.100.4' })).toBe(401)
  })

  it('takes addresses and ranges of both kinds, and stores each in one spelling', async () => {
    await protect({
      networks: ['198.51.100.7/24', '2001:DB8::1/32', '::ffff:192.0.2.1', '192.0.2.1'],
    })
    expect(await list()).toMatchObject([
      { networks: ['198.51.100.0/24', '2001:db8::/32', '192.0.2.1/32'] },
    ])
    const statuses = []
    for (const from of ['198.51.100.9', '2001:db8:1::5', '::ffff:192.0.2.1', '192.0.2.2']) {
      statuses.push(await statusOf({ from }))
    }
    expect(statuses).toEqual([200, 200, 200, 404])
  })

  it('refuses what is no network, at the field of them', async () => {
    await expect(protect({ networks: ['10.0.0.0/33'] })).rejects.toMatchObject({
      code: 'INVALID',
      field: 'networks',
    })
    expect(await list()).toMatchObject([{ networks: [] }])
  })
})

describe('a feed address with an end', () => {
  it('is answered like one that does not exist from then on, and again when it is extended', async () => {
    await protect({ validUntil: inMs(DAY_MS) })
    expect(await statusOf()).toBe(200)
    deps().clock.advance(DAY_MS - 1)
    expect(await statusOf()).toBe(200)
    deps().clock.advance(1)
    expect(await statusOf()).toBe(404)
    expect(await list()).toMatchObject([{ validUntil: inMs(0), expiresAt: null }])
    await protect({ validUntil: inMs(DAY_MS) })
    expect(await statusOf()).toBe(200)
    await protect({ validUntil: null })
    deps().clock.advance(30 * DAY_MS)
    expect(await statusOf()).toBe(200)
  })

  it('ends in the future, within ten years', async () => {
    for (const ms of [0, 4_000 * DAY_MS]) {
      await expect(protect({ validUntil: inMs(ms) })).rejects.toMatchObject({ field: 'validUntil' })
    }
  })
})

describe('the protection', () => {
  it('goes on with a new address, and counts for the one before at once', async () => {
    const before = address
    const password = await protect({ password: 'new', validUntil: inMs(DAY_MS) })
    address = await create()
    expect([await statusOf(), await statusOf({ authorization: basic(password) })]).toEqual([
      401, 200,
    ])
    const second = await protect({ password: 'new' })
    expect(await statusOf({ url: before, authorization: basic(password) })).toBe(401)
    expect(await statusOf({ url: before, authorization: basic(second) })).toBe(200)
    deps().clock.advance(DAY_MS + HOUR_MS)
    address = await create()
    expect(await list()).toMatchObject([{ validUntil: null, passwordEnd: second.slice(-4) }, {}])
    expect(await statusOf({ authorization: basic(second) })).toBe(200)
  })

  it('ends with the addresses, of which there has to be one', async () => {
    await protect({ password: 'new' })
    await revokeFeedAddresses(deps(), world.supplier, world.retailer.id)
    await expect(protect({ password: 'new' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    address = await create()
    expect(await statusOf()).toBe(200)
  })

  it('is recorded without what gives access, and told to the retailer when somebody else has changed it', async () => {
    const password = await protect({ password: 'new', networks: ['127.0.0.1'] }, world.supplier)
    const { action, changes } = await deps()
      .db.selectFrom('auditEntries')
      .select(['action', 'changes'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(action).toBe('retailer.protect-feed-addresses')
    expect(JSON.stringify(changes)).toContain(password.slice(-4))
    expect(JSON.stringify(changes)).not.toContain(password)
    const told = () =>
      deps()
        .db.selectFrom('events')
        .select('kind')
        .where('kind', '=', 'account.feed-protection')
        .execute()
    expect(await told()).toHaveLength(1)
    await protect({ networks: [] })
    expect(await told()).toHaveLength(1)
  })
})

describe('a read that is refused', () => {
  it('is told where its shop is looked for: when, why, by which program and from where', async () => {
    const password = await protect({ password: 'new' })
    const told = async () => {
      await deps().pulls.flush()
      return (await list())[0]?.lastRefusal
    }
    expect(await told()).toBeNull()
    const headers = { 'user-agent': 'ShopSync/9.1' }
    await statusOf({ headers, authorization: basic('wrong'), from: '::ffff:203.0.113.5' })
    const at = inMs(0)
    expect(await told()).toEqual({
      at,
      reason: 'password-wrong',
      client: 'ShopSync/9.1',
      from: '203.0.113.5',
    })
    await statusOf({ headers })
    expect(await told()).toMatchObject({ reason: 'password-missing' })
    await protect({ networks: ['10.0.0.0/8'] })
    await statusOf({ authorization: basic(password) })
    expect(await told()).toMatchObject({ reason: 'network' })
    await protect({ networks: [], validUntil: inMs(1) })
    deps().clock.advance(1)
    await statusOf({ authorization: basic(password) })
    expect(await told()).toMatchObject({ reason: 'expired', at: inMs(0) })
  })
})

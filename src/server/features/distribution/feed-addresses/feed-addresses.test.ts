import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { createLinkedRetailer, createSupplierUser } from '../../../testing/fixtures/factories'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { deleteRetailer } from '../retailers/retailers'
import { createFeedAddress, listFeedAddresses, revokeFeedAddresses } from './feed-addresses'

let deps: TestDeps
let supplier: UserRecord
let retailer: { id: number; user: UserRecord }

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
  retailer = await createLinkedRetailer(deps, supplier)
})
afterEach(() => deps.close())

const create = (actor = retailer.user) => createFeedAddress(deps, actor, retailer.id)
const list = (actor = retailer.user) => listFeedAddresses(deps, actor, retailer.id)
const tokenOf = ({ path }: { path: string }) => path.split('/')[2] ?? ''
const inHours = (hours: number) => new Date(deps.clock.now() + hours * HOUR_MS).toISOString()

describe('a feed address', () => {
  it('has a token of 256 random bits, of which only a hash is stored', async () => {
    const tokens = [tokenOf(await create()), tokenOf(await create())]
    expect(new Set(tokens).size).toBe(2)
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    }
    const rows = await deps.db.selectFrom('feedAddresses').selectAll().orderBy('id').execute()
    expect(rows.map(({ tokenHash }) => tokenHash)).toEqual(
      tokens.map((token) => createHash('sha256').update(token).digest('hex')),
    )
    for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('is listed by the end of its token, for the retailer and its supplier', async () => {
    const token = tokenOf(await create())
    const expected = [
      {
        id: expect.any(Number) as number,
        tokenEnd: token.slice(-4),
        createdAt: inHours(0),
        expiresAt: null,
        lastUsedAt: null,
        lastClient: null,
        passwordEnd: null,
        networks: [],
        validUntil: null,
        lastRefusal: null,
      },
    ]
    expect(await list()).toEqual(expected)
    expect(await list(supplier)).toEqual(expected)
  })

  it('ends a day after a newer one was created, by whomever', async () => {
    await create()
    deps.clock.advance(HOUR_MS)
    const second = tokenOf(await create(supplier))
    const ends = async () => (await list()).map(({ expiresAt }) => expiresAt)
    expect(await ends()).toEqual([null, inHours(24)])
    deps.clock.advance(DAY_MS - 1)
    expect(await ends()).toHaveLength(2)
    deps.clock.advance(1)
    expect(await list()).toMatchObject([{ tokenEnd: second.slice(-4), expiresAt: null }])
  })

  it('that was replaced keeps its end when another one is created', async () => {
    await create()
    await create()
    const end = inHours(24)
    deps.clock.advance(HOUR_MS)
    await create()
    expect((await list()).map(({ expiresAt }) => expiresAt)).toEqual([null, inHours(24), end])
  })

  it('and the replaced ones end at once when they are revoked', async () => {
    await create()
    await create()
    await revokeFeedAddresses(deps, supplier, retailer.id)
    expect(await list()).toEqual([])
  })

  it('is deleted with its retailer', async () => {
    await create()
    await deleteRetailer(deps, supplier, retailer.id)
    expect(await deps.db.selectFrom('feedAddresses').selectAll().execute()).toEqual([])
  })

  it('is removed by the clean-up once it has ended', async () => {
    await create()
    await create()
    deps.clock.advance(25 * HOUR_MS)
    expect(await cleanUp(deps)).toContain('1 replaced feed address')
    expect(await list()).toHaveLength(1)
  })

  it('of other suppliers and retailers is not found', async () => {
    const stranger = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, stranger)
    for (const actor of [stranger, user]) {
      await expect(create(actor)).rejects.toThrow('Retailer not found')
      await expect(list(actor)).rejects.toThrow('Retailer not found')
      await expect(revokeFeedAddresses(deps, actor, retailer.id)).rejects.toThrow(
        'Retailer not found',
      )
    }
  })
})

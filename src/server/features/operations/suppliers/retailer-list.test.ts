import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createGroupInput } from '../../../../shared/schemas/group'
import { addRetailersInput, checkRetailersInput } from '../../../../shared/schemas/retailer-list'
import {
  ADDRESS,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { createGroup } from '../../distribution/groups/groups'
import { getMembership } from '../../distribution/groups/members'
import { eachRetailer } from '../../distribution/retailers/retailers'
import { login } from '../../people/accounts/accounts'
import type { UserRecord } from '../../people/accounts/users.queries'
import { addRetailerList, checkRetailerList } from './retailer-list'

let deps: TestDeps
let sourceServer: SourceServer
let supplier: UserRecord

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps, { maxRetailers: 4 })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

const shop = (username: string, more: object = {}) => ({
  username,
  contactEmail: `${username}@shop.example`,
  storeName: `The ${username}`,
  categories: [],
  ...more,
})
const check = (...retailers: object[]) =>
  checkRetailerList(deps, supplier, checkRetailersInput.parse({ retailers }).retailers)
const add = (...retailers: object[]) => {
  const withPasswords = retailers.map((retailer) => ({ password: PASSWORD, ...retailer }))
  const input = addRetailersInput.parse({ retailers: withPasswords })
  return addRetailerList(deps, supplier, input, ADDRESS)
}

async function publish(body: string) {
  sourceServer.set('/feed.csv', { body })
  await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  await deps.work()
}

async function listAll() {
  const retailers = []
  for await (const page of eachRetailer(deps, supplier)) retailers.push(...page)
  return retailers
}

const countUsers = async () => (await deps.db.selectFrom('users').select('id').execute()).length

describe('a list of retailers', () => {
  it('is added with logins, categories and frequencies', async () => {
    await publish('sku,category\r\n1,Shoes > Boots\r\n2,Hats\r\n')
    const chosen = { categories: ['Shoes > Boots'], syncFrequency: 60 }
    expect(await check(shop('anna'), shop('ben', chosen))).toEqual([])
    await add(shop('anna'), shop('ben', { ...chosen, password: 'another horse' }))
    expect(await listAll()).toMatchObject([
      {
        username: 'anna',
        storeName: 'The anna',
        syncFrequency: 1440,
        visibilitySettings: { allProducts: true, categories: [] },
      },
      {
        username: 'ben',
        syncFrequency: 60,
        visibilitySettings: { allProducts: false, categories: ['Shoes > Boots'] },
      },
    ])
    const ben = await login(deps, { username: 'ben', password: 'another horse' }, ADDRESS)
    expect(ben).toMatchObject({ role: 'RETAILER', contactEmail: 'ben@shop.example' })
  })

  it('is refused with each problem at its place', async () => {
    const { user } = await createLinkedRetailer(deps, await createSupplierUser(deps))
    await publish('sku,category\r\n1,Shoes\r\n')
    const taken = user.username.toUpperCase()
    expect(await check(shop('anna'), shop('Anna', { categories: ['Hats'] }), shop(taken))).toEqual([
      { place: 1, message: 'This username is further up in the list already' },
      { place: 1, message: 'Your file has no category “Hats”' },
      { place: 2, message: 'This username is already taken' },
    ])
  })

  it('is refused from the retailer on that is beyond the limit, logins without a store counted', async () => {
    await createLinkedRetailer(deps, supplier)
    await createRetailerUser(deps, supplier)
    const message = 'You may have 4 retailers, so only 2 can be added'
    expect(await check(shop('anna'), shop('ben'), shop('cleo'), shop('dan'))).toEqual([
      { place: 2, message },
      { place: 3, message },
    ])
    await expect(add(shop('anna'), shop('ben'), shop('cleo'))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `cleo: ${message}. Nothing has been added.`,
    })
    await add(shop('anna'), shop('ben'))
    const none = 'You may have 4 retailers, so none can be added'
    expect(await check(shop('cleo'))).toEqual([{ place: 0, message: none }])
  })

  it.each([
    ['nothing is published', undefined],
    ['the file has no category column', 'sku,qty\r\n1,5\r\n'],
  ])('cannot choose categories when %s', async (_what, body) => {
    if (body) await publish(body)
    const message = 'Your file has no categories to choose from'
    expect(await check(shop('anna', { categories: ['Hats'] }))).toEqual([{ place: 0, message }])
  })

  it('names three of many unknown categories', async () => {
    await publish('sku,category\r\n1,Shoes\r\n')
    const [problem] = await check(shop('anna', { categories: ['A', 'B', 'C', 'Shoes', 'D', 'E'] }))
    expect(problem?.message).toBe('Your file has no category “A”, “B”, “C” and 2 more')
  })

  it('is added completely or not at all when lists and logins compete', async () => {
    const before = await countUsers()
    const results = await Promise.allSettled([
      add(shop('anna'), shop('ben'), shop('cleo')),
      add(shop('dan'), shop('eve'), shop('Anna')),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await listAll()).toHaveLength(3)
    expect(await countUsers()).toBe(before + 3)
  })

  it('come into a group of the supplier, and have it but for what the list says of one', async () => {
    const group = await createGroup(
      deps,
      supplier,
      createGroupInput.parse({
        name: 'Boutiques',
        syncFrequency: 60,
        visibilitySettings: { allProducts: false, categories: ['Hats'] },
      }),
    )
    await publish('sku,category\r\n1,Shoes\r\n2,Hats\r\n')
    const other = await createSupplierUser(deps)
    const foreign = await createGroup(deps, other, createGroupInput.parse({ name: 'Others' }))
    const addTo = (groupId: number, ...retailers: object[]) =>
      addRetailerList(
        deps,
        supplier,
        addRetailersInput.parse({
          retailers: retailers.map((retailer) => ({ password: PASSWORD, ...retailer })),
          groupId,
        }),
        ADDRESS,
      )
    await expect(addTo(foreign.id, shop('corner'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await listAll()).toEqual([])
    const own = shop('own', { categories: ['Shoes'], syncFrequency: 5 })
    await addTo(group.id, shop('corner'), own)
    const [corner, summit] = await listAll()
    expect(corner).toMatchObject({
      syncFrequency: 60,
      visibilitySettings: { allProducts: false, categories: ['Hats'] },
    })
    expect(summit).toMatchObject({
      syncFrequency: 5,
      visibilitySettings: { allProducts: false, categories: ['Shoes'] },
    })
    const membership = async (id = 0) => (await getMembership(deps, supplier, id)).own
    expect(await membership(corner?.id)).toEqual([])
    expect(await membership(summit?.id)).toEqual(['visibilitySettings', 'syncFrequency'])
  })
})

it('a list has at most 200 retailers', () => {
  const retailers = Array.from({ length: 201 }, (_, number) => shop(`shop-${number}`))
  expect(checkRetailersInput.safeParse({ retailers: retailers.slice(1) }).success).toBe(true)
  expect(checkRetailersInput.safeParse({ retailers }).error?.issues).toMatchObject([
    { path: ['retailers'], message: 'At most 200 retailers can be added at once' },
  ])
})

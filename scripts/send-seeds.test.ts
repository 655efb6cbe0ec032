import { afterAll, beforeAll, expect, it } from 'vitest'

import { putApiKey } from '../src/server/testing/fixtures/api-key-samples'
import { createAdmin, createSupplierUser, PASSWORD } from '../src/server/testing/fixtures/factories'
import { openTestApp, type TestApp } from '../src/server/testing/stages/test-app'
import { supplierSeedSchema, type SupplierSeed } from '../src/shared/schemas/supplier-seed'
import { openInstallation } from './installation'
import { sendSeeds } from './send-seeds'

let testApp: TestApp
let origin: string
let key: string

beforeAll(async () => {
  testApp = await openTestApp()
  origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
  key = (await putApiKey(testApp.deps, await createAdmin(testApp.deps), { scopes: ['write'] }))
    .token
})
afterAll(() => testApp.close())

const send = (seeds: SupplierSeed[]) => sendSeeds(openInstallation(origin, key), seeds)
const supplier = (username: string, more: object = {}) =>
  supplierSeedSchema.parse({
    username,
    password: PASSWORD,
    companyName: 'Company',
    contactEmail: 'a@example.com',
    ...more,
  })
const shops = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    username: `${name}-${index}`,
    password: PASSWORD,
    storeName: `Shop ${index}`,
  }))

it('suppliers are written by the API of another installation, and again without a change', async () => {
  const seeds = [supplier('acme'), supplier('bcme', { retailers: shops('b', 2) })]
  expect(await send(seeds)).toEqual({
    results: ['created', 'created'],
    problems: [],
  })
  expect(await send(seeds)).toEqual({
    results: ['unchanged', 'unchanged'],
    problems: [],
  })
})

it('more than two hundred accounts go in parts, also of one supplier', async () => {
  const many = supplier('many', { maxRetailers: 500, retailers: shops('m', 250) })
  const seeds = [supplier('first'), many, supplier('last')]
  expect((await send(seeds)).results).toEqual(['created', 'created', 'created'])
  const { db } = testApp.deps
  const stores = db.selectFrom('retailers').innerJoin('users', 'users.id', 'retailers.supplierId')
  const rows = await stores.select('retailers.id').where('users.username', '=', 'many').execute()
  expect(rows).toHaveLength(250)
})

it('a refused part names the suppliers in the whole list, and the parts before it stay', async () => {
  const { username } = await createSupplierUser(testApp.deps)
  const seeds = [
    supplier('room', { maxRetailers: 500, retailers: shops('r', 198) }),
    supplier('fine'),
    supplier('taken', { retailers: [{ username, password: PASSWORD, storeName: 'Shop' }] }),
  ]
  expect(await send(seeds)).toEqual({
    results: ['created'],
    problems: [
      { place: 2, message: `The username ${username} belongs to another SUPPLIER account` },
    ],
  })
})

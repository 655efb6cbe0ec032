import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../shared/durations'
import type { FirstData } from '../../../shared/first-data'
import { writeClientFiles } from '../../testing/fixtures/client-files'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
} from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

let clientDir: string
let testApp: TestApp

beforeEach(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(clientDir)
  testApp = await openTestApp({}, {}, { clientDir })
})
afterEach(async () => {
  await testApp.close()
  await rm(clientDir, { recursive: true })
})

const ELEMENT = /<script type="application\/json" id="first-data">([^<]*)<\/script><\/body>/

/** What every page brings to whoever is signed in. */
const OF_ALL = ['session.current', 'app.info', 'alerts.list']

/** What a page brings. */
async function open(client: Client, path: string): Promise<FirstData> {
  const { text } = await client.request('GET', path)
  const [, json = '[]'] = ELEMENT.exec(text) ?? []
  return JSON.parse(json) as FirstData
}

/** The name and input of each call whose result a page brings. */
const callsOf = (data: FirstData) =>
  data.map(({ path, input }) => (input === undefined ? path : `${path} ${JSON.stringify(input)}`))

describe('the data of a page', () => {
  it('is what its client would fetch first', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const data = await open(client, '/supplier')
    expect(callsOf(data)).toEqual([
      'connections.list',
      'retailers.page {"q":"","page":1,"size":50}',
      'retailers.readers',
      'session.current',
      'app.info',
      'alerts.list',
    ])
    for (const { path, input, data: brought } of data) {
      const { body } = await client.call('query', path, input)
      expect(body).toEqual({ result: { data: brought } })
    }
  })

  it('is that of the pages that people open most', async () => {
    const administrator = await testApp.signIn(await createAdmin(testApp.deps))
    const retailer = await createLinkedRetailer(
      testApp.deps,
      await createSupplierUser(testApp.deps),
    )
    const shop = await testApp.signIn(retailer.user)
    const { id } = retailer
    const ofPage = async (client: Client, path: string) =>
      callsOf(await open(client, path)).filter((name) => !OF_ALL.includes(name))
    expect(await ofPage(administrator, '/dashboard/super-admin/operations')).toEqual([
      'operations.syncs',
      'operations.runHours {"hours":24}',
      'operations.overview',
    ])
    expect(await ofPage(administrator, '/dashboard/super-admin/cron-jobs')).toEqual([
      'cronJobs.list',
    ])
    expect(await ofPage(shop, '/retailer/inventory')).toEqual([
      'retailers.own',
      `retailers.inventory {"id":${id}}`,
    ])
    expect(await ofPage(shop, '/retailer/shop')).toEqual([
      'retailers.own',
      `feedAddresses.list {"id":${id}}`,
      `profiles.get {"id":${id}}`,
      `destinations.list {"id":${id}}`,
      `retailers.usage {"ids":[${id}]}`,
      `retailers.downloads {"id":${id}}`,
      `retailers.latestFile {"id":${id}}`,
    ])
    expect(await ofPage(shop, '/retailer/settings')).toEqual([
      'retailers.own',
      'secondFactor.get',
      'passkeys.list',
    ])
  })

  it('is that of what its address names', async () => {
    const administrator = await testApp.signIn(await createAdmin(testApp.deps))
    const user = await createSupplierUser(testApp.deps)
    const { id } = await createLinkedRetailer(testApp.deps, user)
    const supplier = await testApp.signIn(user)
    const ofPage = async (client: Client, path: string) =>
      callsOf(await open(client, path)).filter((name) => !OF_ALL.includes(name))
    expect(await ofPage(administrator, `/dashboard/super-admin/suppliers/${user.id}`)).toEqual([
      `suppliers.get {"id":${user.id}}`,
      `suppliers.retailers {"id":${user.id},"q":"","page":1,"size":50}`,
      `people.list {"companyId":${user.id}}`,
      `invitations.people {"companyId":${user.id}}`,
    ])
    expect(await ofPage(supplier, `/supplier/retailers/${id}/shop`)).toEqual([
      `retailers.get {"id":${id}}`,
      `feedAddresses.list {"id":${id}}`,
      `profiles.get {"id":${id}}`,
      `destinations.list {"id":${id}}`,
      `retailers.usage {"ids":[${id}]}`,
      `retailers.downloads {"id":${id}}`,
      `retailers.latestFile {"id":${id}}`,
      'connections.list',
    ])
    for (const name of ['x', '0', '01', '-1', '1e3', '9'.repeat(30), `${id}/more`]) {
      expect(await ofPage(supplier, `/supplier/retailers/${name}`)).toEqual([])
    }
  })

  it('is the same whatever the query of the address, but for a list that it searches', async () => {
    const administrator = await testApp.signIn(await createAdmin(testApp.deps))
    const user = await createSupplierUser(testApp.deps)
    const retailer = await createLinkedRetailer(testApp.deps, user)
    const shop = await testApp.signIn(retailer.user)
    const whole = callsOf(await open(shop, '/retailer/shop'))
    expect(callsOf(await open(shop, '/retailer/shop?shop=woocommerce'))).toEqual(whole)
    const ofDashboard = callsOf(await open(administrator, '/'))
    expect(callsOf(await open(administrator, '/?q=north'))).toEqual(
      ofDashboard.filter((name) => !name.startsWith('suppliers.page')),
    )
  })

  it('is that of whoever opens it, and of nobody else', async () => {
    const administrator = await testApp.signIn(await createAdmin(testApp.deps))
    const supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
    expect(callsOf(await open(administrator, '/')).slice(0, 4)).toEqual([
      'operations.troubles',
      'operations.overview',
      'operations.storage',
      'suppliers.page {"q":"","page":1,"size":50}',
    ])
    // Of another role, or with a search: what is in the frame only.
    for (const path of ['/', '/retailer', '/no/such/page', '/auth']) {
      expect(callsOf(await open(supplier, path))).toEqual(OF_ALL)
    }
    expect(callsOf(await open(supplier, '/supplier/retailers?q=x'))).toEqual([
      'groups.list',
      'requests.list',
      ...OF_ALL,
    ])
    expect(await open(testApp.client(), '/supplier')).toEqual([
      { path: 'session.current', data: null },
      { path: 'app.info', data: expect.anything() },
    ])
  })

  it('cannot end its element, whatever people have written', async () => {
    const companyName = '</script><script>alert(1)</script><!--'
    const user = await createSupplierUser(testApp.deps, { companyName })
    const client = await testApp.signIn(user)
    const { text } = await client.request('GET', '/supplier')
    expect(text).not.toContain('alert(1)</')
    expect(JSON.stringify(await open(client, '/supplier'))).toContain('</script><script>alert(1)')
  })

  it('is kept by nobody, and not compressed with what others have written', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const { headers } = await client.request('GET', '/supplier', undefined, {
      'accept-encoding': 'br',
    })
    expect(headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  it('counts like the calls, and is left out where these would be refused', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    testApp.deps.limits.callsByUser = { max: 20, windowMs: MINUTE_MS }
    expect(await open(client, '/supplier')).not.toEqual([])
    expect(await open(client, '/supplier')).not.toEqual([])
    expect(await open(client, '/supplier')).toEqual([])
    expect((await client.request('GET', '/supplier')).status).toBe(200)
  })

  it('is left out where it cannot be read', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    testApp.deps.metrics.procedureFinished = ({ procedure }) => {
      if (procedure === 'alerts.list') throw new Error('It cannot be read')
    }
    expect(callsOf(await open(client, '/help'))).toEqual(['session.current', 'app.info'])
  })
})

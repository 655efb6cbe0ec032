import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '../../../db/open'
import { linkRetailer } from '../../../features/distribution/retailers/retailers'
import { removeCompany } from '../../../features/operations/personal-data/remove-accounts'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { createListeners } from '../../stages/listeners'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let sourceServer: SourceServer
let testApp: TestApp
let northbeck: UserRecord
let summit: UserRecord
let shop: { user: UserRecord; first: number; second: number; client: Client }

beforeEach(async () => {
  sourceServer = await startSourceServer()
  testApp = await openTestApp({ fetchAllow: [sourceServer.host] })
  const { deps } = testApp
  northbeck = await putSupplier('Northbeck', 'sku,quantity\r\nN-1,4\r\n')
  summit = await putSupplier('Summit', 'sku,quantity\r\nS-1,7\r\n')
  const { id: first, user } = await createLinkedRetailer(deps, northbeck)
  const second = await inTransaction(deps.db, (trx) =>
    linkRetailer(trx, deps, summit, {
      userId: user.id,
      storeName: 'Corner at Summit',
      visibilitySettings: { allProducts: true, categories: [] },
    }),
  )
  await deps.work()
  shop = { user, first, second, client: await testApp.signIn(user) }
})
afterEach(async () => {
  await testApp.close()
  await sourceServer.close()
})

async function putSupplier(companyName: string, csv: string) {
  const path = `/${companyName}.csv`
  sourceServer.set(path, { body: csv })
  const supplier = await createSupplierUser(testApp.deps, { companyName })
  await createSupplierConnection(testApp.deps, supplier, sourceServer.url(path))
  return supplier
}

const dataOf = ({ body }: { body: unknown }) => (body as { result: { data: unknown } }).result.data

async function download(client: Client, id: number) {
  const latest = await client.request('GET', `/api/retailers/${id}/latest-file`)
  if (latest.status !== 200) return latest
  const { fileName } = latest.body as { fileName: string }
  return client.request('GET', `/api/retailers/${id}/files/${fileName}`)
}

describe('a login with two suppliers', () => {
  it('downloads the file of each, and nothing of one by the id of the other', async () => {
    const { client, first, second } = shop
    expect((await download(client, first)).text).toBe('sku,quantity\r\nN-1,4\r\n')
    expect((await download(client, second)).text).toBe('sku,quantity\r\nS-1,7\r\n')
    const { body } = await client.request('GET', `/api/retailers/${first}/latest-file`)
    const { fileName } = body as { fileName: string }
    const wrong = await client.request('GET', `/api/retailers/${second}/files/${fileName}`)
    expect(wrong.status).toBe(404)
  })

  it('is one user with as many retailers, each with its supplier', async () => {
    const { client, user, first, second } = shop
    expect((await client.request('GET', '/api/user')).body).toMatchObject({ id: user.id })
    expect((await client.request('GET', '/api/retailers')).body).toMatchObject([
      { id: first, supplierName: 'Northbeck', userId: user.id },
      { id: second, supplierName: 'Summit', userId: user.id },
    ])
  })

  it('sees the retailer that it chooses, or the first, and its supplier', async () => {
    const { client, first, second } = shop
    const own = async (input?: object) => dataOf(await client.call('query', 'retailers.own', input))
    const relations = [
      { id: first, supplierName: 'Northbeck', storeName: 'Corner Shop' },
      { id: second, supplierName: 'Summit', storeName: 'Corner at Summit' },
    ]
    expect(await own()).toMatchObject({ id: first, relations })
    expect(await own({ id: second })).toMatchObject({ id: second, relations })
    const supplierOf = async (id: number) =>
      dataOf(await client.call('query', 'retailers.supplier', { id }))
    expect(await supplierOf(second)).toMatchObject({ companyName: 'Summit' })
    // That of somebody else is none of its own.
    const { id: foreign } = await createLinkedRetailer(testApp.deps, summit)
    expect(await own({ id: foreign })).toMatchObject({ id: first })
    expect(await supplierOf(foreign)).toMatchObject({ companyName: 'Northbeck' })
  })

  it('is told of a new file of either in one stream, and is quiet otherwise', async () => {
    const { deps } = testApp
    const listeners = createListeners(deps)
    const stream = await listeners.listen(shop.user)
    const items = await stream.next()
    expect(items.filter(({ kind }) => kind === 'retailer-file')).toHaveLength(1)
    listeners.close()
  })

  it('downloads what is stored about it with both', async () => {
    const { text } = await shop.client.request('GET', '/api/account/data.json')
    expect(text).toContain('Northbeck')
    expect(text).toContain('Summit')
  })
})

describe('a supplier of it', () => {
  it('finds no word of the other one in anything that it reads', async () => {
    const { client, user, first, second } = shop
    const password = { currentPassword: PASSWORD, newPassword: 'another horse' }
    await client.request('PATCH', '/api/user/password', password)
    await testApp.client().request('POST', '/api/login', { username: user.username, password: 'x' })
    await download(client, first)
    const reader = await testApp.signIn(northbeck)
    const paths = [
      '/api/retailers',
      '/api/retailers.csv',
      `/api/retailers/${first}/latest-file`,
      `/api/users/${user.id}`,
      '/api/account/data.json',
      '/api/connections',
      '/supplier/retailers',
    ]
    for (const path of paths) {
      const { text } = await reader.request('GET', path)
      expect(text, path).not.toMatch(/summit/i)
    }
    const calls: [string, object][] = [
      ['retailers.page', { q: '', page: 1, size: 50 }],
      ['retailers.get', { id: first }],
      ['retailers.usage', { ids: [first] }],
      ['retailers.downloads', { id: first }],
      ['retailers.readers', {}],
      ['feedAddresses.list', { id: first }],
      ['audit.page', {}],
      ['alerts.list', {}],
      ['invitations.list', {}],
    ]
    for (const [path, input] of calls) {
      const { status, text } = await reader.call('query', path, input)
      expect(status, path).toBe(200)
      expect(text, path).not.toMatch(/summit/i)
    }
    const [missing, unknown] = [
      await reader.request('GET', `/api/retailers/${second}/latest-file`),
      await reader.request('GET', '/api/retailers/999999/latest-file'),
    ]
    expect([missing.status, missing.text]).toEqual([404, unknown.text])
  })

  it('reads nothing any more of what happens to the login', async () => {
    const { client } = shop
    const reader = await testApp.signIn(northbeck)
    const read = async () =>
      dataOf(await reader.call('query', 'audit.page', {})) as {
        rows: { action: string; subjectName: string }[]
      }
    const before = (await read()).rows.filter(({ action }) => action === 'user.change-password')
    const password = { currentPassword: PASSWORD, newPassword: 'another horse' }
    expect((await client.call('mutation', 'session.changePassword', password)).status).toBe(200)
    const after = (await read()).rows.filter(({ action }) => action === 'user.change-password')
    expect(after).toEqual(before)
    const administrator = await testApp.signIn(await createAdmin(testApp.deps))
    const { text } = await administrator.call('query', 'audit.page', {})
    expect(text).toContain('user.change-password')
  })

  it('resets no password by either transport, whatever else the other supplier does', async () => {
    const { user } = shop
    for (const supplier of [northbeck, summit]) {
      const attacker = await testApp.signIn(supplier)
      const newPassword = 'stolen horse'
      const rest = await attacker.request('PATCH', `/api/users/${user.id}/reset-password`, {
        newPassword,
      })
      const trpc = await attacker.call('mutation', 'users.resetPassword', {
        userId: user.id,
        newPassword,
      })
      expect([rest.status, trpc.status]).toEqual([403, 403])
      const signIn = await testApp
        .client()
        .request('POST', '/api/login', { username: user.username, password: newPassword })
      expect(signIn.status).toBe(401)
    }
    // Its session goes on.
    expect((await shop.client.request('GET', '/api/user')).status).toBe(200)
  })

  it('takes only its own part with it when it deletes the retailer, or is deleted itself', async () => {
    const { client, user, first, second } = shop
    const owner = await testApp.signIn(northbeck)
    expect((await owner.request('DELETE', `/api/retailers/${first}`)).status).toBe(200)
    expect((await download(client, first)).status).toBe(404)
    expect((await download(client, second)).text).toBe('sku,quantity\r\nS-1,7\r\n')
    await removeCompany(testApp.deps, northbeck, new AbortController().signal)
    expect((await download(client, second)).text).toBe('sku,quantity\r\nS-1,7\r\n')
    const other = await testApp.signIn(summit)
    await other.request('DELETE', `/api/retailers/${second}`)
    expect((await client.request('GET', '/api/user')).status).toBe(401)
    const left = await testApp.deps.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', user.id)
      .execute()
    expect(left).toEqual([])
  })
})

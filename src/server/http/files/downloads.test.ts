import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { updateSupplier } from '../../features/operations/suppliers/suppliers'
import { createLinkedRetailer, createSupplierUser } from '../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openWorld, type World } from '../../testing/stages/world'

/** The file published by `openWorld`. */
const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
const SHA256 = createHash('sha256').update(SAMPLE_CSV).digest('hex')

let sourceServer: SourceServer
let world: World

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

const owners = [
  ['a connection', 'owningSupplier', () => `/api/connections/${world.connectionId}/files`],
  ['a retailer', 'ownRetailer', () => `/api/retailers/${world.retailer.id}/files`],
] as const

describe.each(owners)('a file of %s', (_whose, who, folder) => {
  const get = (fileName: string, headers: Record<string, string> = {}, method = 'GET') =>
    world.clients[who].request(method, `${folder()}/${fileName}`, undefined, headers)

  it('is sent exactly as it was published', async () => {
    const response = await get(world.fileName)
    expect([response.status, response.text]).toEqual([200, SAMPLE_CSV])
  })

  it('is a CSV attachment that browsers neither display, execute nor sniff', async () => {
    const { headers } = await get(world.fileName)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[A-Za-z-]+-\d{4}-\d\d-\d\d\.csv"$/,
      ),
      'content-length': String(Buffer.byteLength(SAMPLE_CSV)),
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${SHA256}"`,
    })
  })

  it.each([
    ['its ETag', `"${SHA256}"`],
    ['its ETag as a weak one', `W/"${SHA256}"`],
    ['its ETag among others', `"a", "${SHA256}" , "b"`],
    ['a wildcard', '*'],
  ])('returns 304 when If-None-Match has %s', async (_what, tag) => {
    const response = await get(world.fileName, { 'if-none-match': tag })
    expect([response.status, response.text]).toEqual([304, ''])
    expect(response.headers).toMatchObject({
      etag: `"${SHA256}"`,
      'cache-control': 'private, no-cache',
    })
  })

  it.each(['"other"', SHA256, '', `"${SHA256.slice(1)}"`])(
    'is sent when If-None-Match is %j',
    async (tag) => {
      const response = await get(world.fileName, { 'if-none-match': tag })
      expect([response.status, response.text]).toEqual([200, SAMPLE_CSV])
    },
  )

  it.each([
    ['its ETag', `"${SHA256}"`, 200],
    ['a wildcard', '*', 200],
    ['its ETag as a weak one', `W/"${SHA256}"`, 412],
    ['another ETag', '"other"', 412],
  ])('answers If-Match with %s as %s, with %s', async (_what, tag, status) => {
    const response = await get(world.fileName, { 'if-match': tag })
    const refusal = expect.stringContaining('If-Match') as string
    expect([response.status, response.text]).toEqual([
      status,
      status === 200 ? SAMPLE_CSV : refusal,
    ])
    expect(response.headers).toMatchObject({ etag: `"${SHA256}"` })
  })

  it('returns its headers without a body to HEAD', async () => {
    const head = await get(world.fileName, {}, 'HEAD')
    const { headers } = await get(world.fileName)
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['etag', 'content-length', 'content-type', 'content-disposition']) {
      expect([name, head.headers[name]]).toEqual([name, headers[name]])
    }
  })

  it.each([
    ['an unknown name', 'connection_1_2001.csv'],
    ['a name in another case', 'CONNECTION.csv'],
    ['a path up', '..%2f..%2fapp.db'],
    ['a path up, with backslashes', '..%5c..%5capp.db'],
    ['a path from the root', '%2fetc%2fpasswd'],
    ['two dots', '%2e%2e'],
    ['NUL', 'a%00.csv'],
    ['CR LF', 'a%0d%0aset-cookie:%20x=y'],
    ['300 characters', 'a'.repeat(300)],
    ['2,000 letters beyond ASCII', '%C3%A9'.repeat(2_000)],
    ['a quote', '%22.csv'],
    ['a wildcard', '%25'],
    ['the hash of the content', SHA256],
    ['a property name of objects', '__proto__'],
  ])('is not found by %s', async (_what, fileName) => {
    const response = await get(fileName)
    expect(response.status).toBe(404)
    expect(response.body).toEqual({
      message: expect.stringMatching(/^(?:File n|N)ot found$/) as string,
    })
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(response.headers).not.toHaveProperty('set-cookie')
  })

  it('is not found by its name with extra characters', async () => {
    for (const added of ['%00', '%20', '.', '/', '%2f', ';a']) {
      expect([added, (await get(`${world.fileName}${added}`)).status]).toEqual([added, 404])
    }
  })

  it('returns 401 without a session and for a deactivated user', async () => {
    const url = `${folder()}/${world.fileName}`
    for (const nobody of [world.clients.anonymous, world.clients.deactivated]) {
      const response = await nobody.request('GET', url)
      expect([response.status, response.text]).toEqual([401, '{"message":"You are not signed in"}'])
    }
  })
})

describe('the downloads of a deactivated supplier', () => {
  it('are refused for the supplier, and still work for its retailers', async () => {
    await updateSupplier(world.testApp.deps, { id: world.supplier.id, isActive: false })
    const [own, retailers] = owners.map(([, who, folder]) =>
      world.clients[who].request('GET', `${folder()}/${world.fileName}`),
    )
    expect((await own)?.status).toBe(401)
    expect((await retailers)?.text).toBe(SAMPLE_CSV)
  })
})

describe('a filtered file that is not ready', () => {
  it('returns 503 with Retry-After until it is built', async () => {
    const { deps } = world.testApp
    const visibility = { allProducts: false, categories: ['Hats'] }
    const { id, user } = await createLinkedRetailer(deps, world.supplier, visibility)
    const client = await world.testApp.signIn(user)
    const url = `/api/retailers/${id}/files/${world.fileName}`
    const release = deps.hold()
    const waiting = await client.request('GET', url)
    expect([waiting.status, waiting.headers['retry-after']]).toEqual([503, '2'])
    expect(waiting.body).toEqual({ message: 'Your file is being prepared. Try again in a moment.' })
    // Pages ask whether it is there, without an error in the console of the browser.
    const prefer = { prefer: 'respond-async' }
    const asked = await client.request('HEAD', url, undefined, prefer)
    expect([asked.status, asked.headers['retry-after'], asked.text]).toEqual([202, '2', ''])
    expect((await client.request('HEAD', url)).status).toBe(503)
    expect((await client.request('GET', url, undefined, prefer)).status).toBe(503)
    release()
    await deps.work()
    const ready = await client.request('GET', url)
    expect([ready.status, ready.text]).toEqual([
      200,
      'sku,name,category,quantity\r\n2,Cap,Hats,0\r\n',
    ])
  })

  it('returns 404 when nothing has been published yet', async () => {
    const { deps } = world.testApp
    const supplier = await createSupplierUser(deps)
    const { id, user } = await createLinkedRetailer(deps, supplier)
    const client = await world.testApp.signIn(user)
    const response = await client.request('GET', `/api/retailers/${id}/files/${world.fileName}`)
    expect(response.status).toBe(404)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { toViewKey } from '../../../db/stored-json'
import { WHOLE_FILE } from '../../../domain/variant-spec'
import { saveColumnPolicy } from '../../../features/distribution/column-policy/column-policy'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { updateRetailer } from '../../../features/distribution/retailers/retailers'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { removeGuards } from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

const HEADER = 'sku,name,category,quantity\r\n'

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
  await updateRetailer(deps(), world.supplier, { id: world.retailer.id, syncFrequency: 0 })
  await removeGuards(deps())
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Publishes a file an hour later. */
async function publish(rows: string) {
  deps().clock.advance(60 * 60_000)
  sourceServer.set('/inventory.csv', { body: HEADER + rows })
  await deps().db.updateTable('connections').set({ nextSyncAt: deps().clock.now() }).execute()
  await deps().work()
}

async function read(query = '', headers: Record<string, string> = {}) {
  for (let tries = 0; tries < 5; tries++) {
    const url = `${address}${query}`
    const answer = await world.testApp.client().request('GET', url, undefined, headers)
    if (answer.status !== 503) {
      const { etag, 'last-modified': time, 'x-feed-version': version } = answer.headers
      return { ...answer, etag: String(etag), time: String(time), version: String(version) }
    }
    await deps().work()
  }
  throw new Error('The file is never ready')
}
/** The file, once the second in which it changed is over. */
async function readLater() {
  await read()
  deps().clock.advance(2_000)
  return read()
}

const see = (...categories: string[]) =>
  updateRetailer(deps(), world.supplier, {
    id: world.retailer.id,
    visibilitySettings: { allProducts: categories.length === 0, categories },
  })
const hide = (...hidden: string[]) =>
  saveColumnPolicy(deps(), world.supplier, {
    id: world.connectionId,
    policy: columnPolicySchema.parse({ hidden }),
  })
const choose = (profile: object) =>
  saveShopFormat(deps(), world.supplier, {
    id: world.retailer.id,
    profile: shopFormatSchema.parse(profile),
  })

const hiddenChanges: [string, () => Promise<unknown>, string][] = [
  ['a hidden column', () => hide('name'), '1,Sandal,Shoes,4\r\n2,Beret,Hats,0\r\n'],
  [
    'rows that the retailer does not see',
    () => see('Hats'),
    '1,Boot,Shoes,9\r\n3,Sock,Shoes,1\r\n2,Cap,Hats,0\r\n',
  ],
  [
    'what its profile leaves out',
    () => choose({ kind: 'stock' }),
    '1,Sandal,Sandals,4\r\n2,Cap,Hats,0\r\n',
  ],
]

describe.each(hiddenChanges)('a new file in which only %s differs', (_what, set, rows) => {
  beforeEach(set)

  it('keeps the version, the tag and the time that a reader has', async () => {
    const before = await readLater()
    await publish(rows)
    const after = await readLater()
    const { etag, time, version, text } = before
    expect(after).toMatchObject({ status: 200, etag, time, version, text })
    expect(after.headers['x-data-as-of']).not.toBe(before.headers['x-data-as-of'])
    expect((await read('', { 'if-none-match': etag })).status).toBe(304)
    expect((await read('', { 'if-modified-since': time })).status).toBe(304)
    expect((await read('', { 'if-unmodified-since': time })).status).toBe(200)
  })

  it('is no change to a reader that asks for changes, and the next one is', async () => {
    const before = await read()
    await publish(rows)
    const nothing = await read(`?since=${before.version}`)
    expect(nothing.headers).toMatchObject({ 'x-feed-delta': 'rows', 'x-feed-rows': '0' })
    expect(nothing.version).toBe(before.version)
    const again = await read(`?since=${before.version}`, { 'if-none-match': nothing.etag })
    expect(again.status).toBe(304)
    await publish(rows.replace('Hats,0', 'Hats,7'))
    const delta = await read(`?since=${nothing.version}`)
    expect(delta.headers).toMatchObject({ 'x-feed-delta': 'rows', 'x-feed-rows': '1' })
    expect(delta.text).toMatch(/^2,.*7,changed\r?$/m)
    expect(delta.version).not.toBe(before.version)
  })

  it('as JSON keeps the version, the tag and the time too', async () => {
    const readJson = async () => {
      await read('?format=json')
      deps().clock.advance(2_000)
      return read('?format=json')
    }
    const { etag, time, version, text } = await readJson()
    await publish(rows)
    expect(await readJson()).toMatchObject({ etag, time, version, text })
  })
})

describe('the version of a feed', () => {
  it('changes with the settings, and back', async () => {
    const seen = new Set<string>()
    const sets = [() => see('Hats'), () => hide('name'), () => choose({ kind: 'own' })]
    const { version: first } = await read()
    seen.add(first)
    for (const set of sets) {
      await set()
      seen.add((await read()).version)
    }
    expect(seen.size).toBe(4)
    for (const set of [() => see(), () => hide(), () => choose({ kind: 'asIs' })]) await set()
    expect((await read()).version).toBe(first)
  })

  it('leads to changes long after the file that it names was removed', async () => {
    await see('Hats')
    const { version } = await read()
    for (let quantity = 1; quantity < 5; quantity++) {
      await publish(`1,Boot,Shoes,4\r\n2,Cap,Hats,${quantity}\r\n`)
      await read()
      deps().clock.advance(24 * 60 * 60_000)
    }
    const newest = await deps()
      .db.selectFrom('versions')
      .select('id')
      .orderBy('id', 'desc')
      .execute()
    await deps().db.deleteFrom('variants').where('versionId', '<', newest[0]!.id).execute()
    const delta = await read(`?since=${version}`)
    expect(delta.text).toBe('sku,name,category,quantity,_change\r\n2,Cap,Hats,4,changed\r\n')
  })

  it('is not taken for the same content of other settings, which was that of another version', async () => {
    const both = '1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
    await see('Hats')
    const hats = await read()
    await publish('2,Cap,Hats,0\r\n')
    await see('Hats', 'Shoes')
    const { text, version } = await read()
    expect([text, version === hats.version]).toEqual([hats.text, false])
    await see('Bags')
    await read()
    await see('Hats', 'Shoes')
    await publish(both)
    const newest = (await read()).version
    await deps().db.deleteFrom('variants').execute()
    const answer = await read(`?since=${version}`)
    expect(answer).toMatchObject({ text: HEADER + both, version: newest })
    expect(answer.headers['x-feed-delta']).toBe('full')
  })

  it('is accepted as it was named before', async () => {
    const [{ id } = { id: 0 }] = await deps().db.selectFrom('versions').select('id').execute()
    await read()
    const text = `${world.retailer.id} ${id} ${toViewKey(WHOLE_FILE)}`
    const { hmac } = deps().secrets.sign(text, 'feed versions')
    const former = Buffer.from(hmac, 'hex').toString('base64url').slice(0, 22)
    await publish('1,Boot,Shoes,9\r\n2,Cap,Hats,0\r\n')
    const delta = await read(`?since=${former}`)
    expect(delta.text).toBe('sku,name,category,quantity,_change\r\n1,Boot,Shoes,9,changed\r\n')
  })

  it('never says that a file is unchanged that was another one in between', async () => {
    const a = '1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
    const first = await readLater()
    await publish(a.replace('Boot', 'Sandal'))
    const second = await readLater()
    await publish(a)
    const third = await readLater()
    expect([third.etag, third.version]).toEqual([first.etag, first.version])
    expect((await read('', { 'if-modified-since': second.time })).status).toBe(200)
    await see('Hats')
    await readLater()
    await see()
    const back = await readLater()
    expect((await read('', { 'if-modified-since': third.time })).status).toBe(200)
    expect((await read('', { 'if-modified-since': back.time })).status).toBe(304)
  })
})

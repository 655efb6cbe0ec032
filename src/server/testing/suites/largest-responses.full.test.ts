import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { procedurePaths } from '../../api/procedures'
import { fillDatabase, longCategories, multiplyBackups } from '../fixtures/full-database'
import type { Sample } from '../fixtures/sampler'
import { makeSample } from '../fixtures/samples'
import { startSourceServer, type SourceServer } from '../servers/source-server'
import { apiCalls, callOver, isRead, successOf, type ApiCall } from '../stages/transports'
import { openSavedWorld, openWorld, saveWorld, type World } from '../stages/world'
import { ACTORS, type ActorKind } from './access-matrix/actors'

const MAX_BYTES = 1_000_000

/** Responses that are streamed, so that their size does not matter: files, and lists. */
const STREAMED = new Set([
  'GET /api/suppliers',
  'GET /api/retailers',
  'GET /api/connections',
  'GET /api/retailers/:id/files/:fileName',
  'GET /api/connections/:id/files/:fileName',
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName',
  'GET /api/admin/backup-files/:fileName',
  'GET /api/admin/audit.csv',
  'GET /api/activity.csv',
  'GET /api/account/data.json',
  'GET /api/account/data.csv',
  'GET /api/suppliers.csv',
  'GET /api/retailers.csv',
])

/** A retailer that cannot be added, with as many complaints as fit into a request of 200. */
const longNewRetailer = (place: number) => ({
  username: 'newcomer',
  contactEmail: 'new@example.com',
  storeName: 'New Shop',
  categories: [`${place}`.padEnd(300, '漢')],
})

/** Samples for calls whose responses grow with their input. */
const largestSamples: Record<string, (world: World, sample: Sample) => Sample> = {
  'PATCH /api/retailers/:id': (_world, { params }) => ({
    ...(params && { params }),
    body: { visibilitySettings: { allProducts: false, categories: longCategories } },
  }),
  'suppliers.page': () => ({ body: { size: 100 } }),
  'retailers.page': () => ({ body: { size: 100 } }),
  'suppliers.checkRetailers': () => ({
    body: { retailers: Array.from({ length: 200 }, (_, place) => longNewRetailer(place)) },
  }),
  'categories.search': (_world, { body }) => ({ body: { ...body, q: '' } }),
  'categories.choice': (_world, { body }) => ({
    body: { ...body, categories: Array.from({ length: 10_000 }, (_, place) => `${place}`) },
  }),
  'POST /api/connections/preview': ({ sourceUrl }) => ({ body: { url: sourceUrl } }),
}

/** A file of the maximum width, with as much text as a preview reads. */
const WIDE_CSV = (() => {
  const line = Array.from({ length: 2_000 }, (_, column) => `${column}`.padEnd(100, '漢')).join(',')
  return `${line}\n${`${line}\n`.repeat(4)}`
})()

/** Retailers with the longest categories see no item, whose history is measured as its supplier sees it. */
const ITEM_OF_RETAILER = 'GET /api/retailers/:id/items/:key/history'

let sourceServer: SourceServer

beforeAll(async () => {
  sourceServer = await startSourceServer()
})
afterAll(() => sourceServer.close())

async function saveFullWorld() {
  const world = await openWorld(sourceServer)
  try {
    await fillDatabase(world)
    return await saveWorld(world)
  } finally {
    await world.testApp.close()
  }
}

let fullWorld: ReturnType<typeof saveFullWorld> | undefined

async function openFullWorld(): Promise<World> {
  fullWorld ??= saveFullWorld()
  const world = await openSavedWorld(await fullWorld)
  await multiplyBackups(world)
  sourceServer.set('/inventory.csv', { body: WIDE_CSV })
  return world
}

async function measure(world: World, { transport, row, name }: ApiCall, actor: ActorKind) {
  const sample = await makeSample(row, world, actor)
  const largest = largestSamples[name]?.(world, sample) ?? sample
  const response = await callOver(world.testApp.app, transport, row, world.clients[actor], largest)
  const text = response.text || JSON.stringify(response.body ?? '')
  return { status: response.status, bytes: Buffer.byteLength(text), text }
}

const calls = apiCalls.filter(({ name }) => !STREAMED.has(name))
const allowed = ({ row }: ApiCall) => ACTORS.filter((actor) => row.expect[actor] < 300)
const reads = calls
  .filter(isRead)
  .flatMap((call) => allowed(call).map((actor) => ({ ...call, actor })))

describe('the measured calls', () => {
  it('include every procedure except those of Google', () => {
    const measured = new Set(calls.map(({ row }) => row.procedure))
    // Their response is that of `session.login`, but they need a sign-in at an identity provider.
    expect(procedurePaths.filter((procedure) => !measured.has(procedure))).toEqual([
      'session.google',
      'invitations.acceptWithGoogle',
    ])
  })
})

describe('with a full database, a response is at most 1 MB', () => {
  let world: World

  beforeAll(async () => {
    world = await openFullWorld()
  })
  afterAll(() => world.testApp.close())

  it.each(reads)('$name over $transport for $actor', async (call) => {
    const { status, bytes, text } = await measure(world, call, call.actor)
    const expected = call.row.route === ITEM_OF_RETAILER ? 404 : successOf(call, call.actor)
    expect(status, text.slice(0, 200)).toBe(expected)
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
  })

  it('and some are large, which shows that the database is full', async () => {
    const sizes = new Map<string, number>()
    for (const call of reads.filter(({ transport }) => transport === 'tRPC')) {
      const { bytes } = await measure(world, call, call.actor)
      sizes.set(call.name, Math.max(bytes, sizes.get(call.name) ?? 0))
    }
    for (const name of [
      'suppliers.page',
      'suppliers.retailers',
      'retailers.page',
      'connections.inventory',
      'categories.level',
    ]) {
      expect([name, sizes.get(name)! > 150_000]).toEqual([name, true])
    }
  })
})

describe('with a full database, the response to a change is at most 1 MB', () => {
  it.each(calls.filter((call) => !isRead(call) && call.transport === 'tRPC'))(
    '$name',
    async (call) => {
      const world = await openFullWorld()
      try {
        const { status, bytes, text } = await measure(world, call, call.actor)
        expect(status, text.slice(0, 200)).toBe(200)
        expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
      } finally {
        await world.testApp.close()
      }
    },
  )
})

import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { updateGroupInput, type RetailerGroup } from '../../../../shared/schemas/group'
import { readChanges } from '../../../db/change-topics'
import { putDestination, putFileLink } from '../../../testing/fixtures/destinations'
import { createLinkedRetailer } from '../../../testing/fixtures/factories'
import { seedStock } from '../../../testing/fixtures/stock'
import { openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { createFeedFiles } from '../downloads/feed-file'
import { countReadingStates } from '../downloads/reading-states.queries'
import { createRetailerFiles, getLatestFile, openRetailerFile } from '../downloads/retailer-files'
import { createFeedAddress } from '../feed-addresses/feed-addresses'
import { openMergedRead } from '../merged-files/merged-reads'
import { updateRetailer } from '../retailers/retailers'
import { createGroup, updateGroup } from './groups'
import { assignGroup } from './members'

let stage: SyncStage
let group: RetailerGroup
let shops: Awaited<ReturnType<typeof createLinkedRetailer>>[]

const HEADER = 'sku,qty,category'
const seeing = (...categories: string[]) => ({ allProducts: false, categories })

beforeEach(async () => {
  stage = await openSyncStage()
  const { deps, supplier, sourceServer } = stage
  sourceServer.set('/feed.csv', { body: `${HEADER}\r\n1,5,Shoes\r\n2,7,Hats\r\n` })
  await stage.connect()
  await deps.work()
  group = await createGroup(deps, supplier, {
    name: 'Boutiques',
    isForNewcomers: false,
    visibilitySettings: seeing('Shoes'),
    syncFrequency: 1440,
  })
  shops = []
  for (let count = 0; count < 3; count++) shops.push(await createLinkedRetailer(deps, supplier))
  await assignGroup(deps, supplier, { ids: shops.map(({ id }) => id), groupId: group.id })
  // The last one sees all, whatever the group sees.
  const { id } = shops[2]!
  await updateRetailer(deps, supplier, {
    id,
    visibilitySettings: { allProducts: true, categories: [] },
  })
  await deps.work()
})
afterEach(() => stage.close())

const change = async (input: object) => {
  await updateGroup(stage.deps, stage.supplier, updateGroupInput.parse({ id: group.id, ...input }))
  await stage.deps.work()
}

/** The SKUs that a retailer gets now. */
async function read({ id, user }: (typeof shops)[number]): Promise<string[]> {
  const latest = await getLatestFile(stage.deps, user, id)
  if (!('fileName' in latest)) throw new Error('There is no file')
  const opened = await openRetailerFile(stage.deps, user, { id, fileName: latest.fileName })
  const lines = (await text(await stage.deps.files.read(opened.sha256))).trim().split('\r\n')
  return lines.slice(1).map((line) => line.split(',')[0] ?? '')
}
const readAll = () => Promise.all(shops.map(read))

describe('a change of a group', () => {
  it('is what members read next, besides those that have the setting of their own', async () => {
    expect(await readAll()).toEqual([['1'], ['1'], ['1', '2']])
    await change({ visibilitySettings: seeing('Hats') })
    expect(await readAll()).toEqual([['2'], ['2'], ['1', '2']])
  })

  it('is what members read at once, though what they read before is remembered', async () => {
    const { deps, supplier } = stage
    const [{ id, user }, , other] = shops as [
      (typeof shops)[number],
      (typeof shops)[number],
      (typeof shops)[number],
    ]
    // The file that they see next is there already, so that none is requested.
    await updateRetailer(deps, supplier, { id: other.id, visibilitySettings: seeing('Hats') })
    await deps.work()
    const { path } = await createFeedAddress(deps, user, id)
    const feedFiles = createFeedFiles(deps, openMergedRead)
    const retailerFiles = createRetailerFiles(deps)
    const latest = await getLatestFile(deps, user, id)
    const fileName = 'fileName' in latest ? latest.fileName : ''
    const reader = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
    const request = { asked: 'own' as const, since: null, reader }
    const readBoth = async () => {
      const fed = await feedFiles.open(path.split('/')[2] ?? '', request)
      const { sha256 } = await retailerFiles.open(user, { id, fileName })
      const hashes = ['sha256' in fed ? fed.sha256 : '', sha256]
      return Promise.all(hashes.map(async (hash) => text(await deps.files.read(hash))))
    }
    const shoes = `${HEADER}\r\n1,5,Shoes\r\n`
    for (let count = 0; count < 3; count++) expect(await readBoth()).toEqual([shoes, shoes])
    const visibilitySettings = seeing('Hats')
    const input = updateGroupInput.parse({ id: group.id, visibilitySettings })
    await updateGroup(deps, supplier, input)
    const hats = `${HEADER}\r\n2,7,Hats\r\n`
    expect(await readBoth()).toEqual([hats, hats])
  })

  it('is told to a member that asks for what has changed since, as a change of its own', async () => {
    const { deps } = stage
    const [{ id, user }] = shops as [(typeof shops)[number]]
    const { path } = await createFeedAddress(deps, user, id)
    const feedFiles = createFeedFiles(deps, openMergedRead)
    const reader = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
    const open = (since: string | null) =>
      feedFiles.open(path.split('/')[2] ?? '', { asked: 'own', since, reader })
    const readSince = async (since: string | null) => {
      // What has changed is written when it is first asked for.
      await open(since).catch(() => stage.deps.work())
      const file = await open(since)
      if (!('sha256' in file)) throw new Error('It was refused')
      const { version, isDelta, sha256 } = file
      const lines = (await text(await deps.files.read(sha256))).trim().split(/\r?\n/).slice(1)
      return { version, isDelta, lines: lines.toSorted() }
    }
    const { version } = await readSince(null)
    await change({ visibilitySettings: seeing('Hats') })
    const hats = await readSince(version)
    expect(hats).toMatchObject({
      isDelta: true,
      lines: ['1,5,Shoes,removed', '2,7,Hats,added'],
    })
    // Left as it was by the group, nothing has changed.
    await assignGroup(deps, stage.supplier, { ids: [id], groupId: null })
    await change({ visibilitySettings: seeing('Shoes') })
    expect(await readSince(hats.version)).toMatchObject({ isDelta: true, lines: [] })
    await assignGroup(deps, stage.supplier, { ids: [id], groupId: group.id })
    await change({ profile: { kind: 'stock' } })
    expect(await readSince(hats.version)).toMatchObject({
      isDelta: false,
      lines: expect.arrayContaining(['1,5']),
    })
  })

  it('lets members move to the newest version, as a change of each would', async () => {
    await readAll()
    stage.sourceServer.set('/feed.csv', { body: `${HEADER}\r\n3,1,Shoes\r\n2,7,Hats\r\n` })
    stage.deps.clock.advance(3_600_000)
    await stage.deps.work()
    expect(await readAll()).toEqual([['1'], ['1'], ['1', '2']])
    await change({ syncFrequency: 60 })
    expect(await readAll()).toEqual([['3'], ['3'], ['3', '2']])
  })

  it('writes one file for all of them, and drops the request for what nobody sees any more', async () => {
    const { deps } = stage
    const idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    const input = (category: string) =>
      updateGroupInput.parse({ id: group.id, visibilitySettings: seeing(category) })
    const before = await deps.db.selectFrom('variants').select('id').execute()
    await updateGroup(idle, stage.supplier, input('Nowhere'))
    await updateGroup(idle, stage.supplier, input('Hats'))
    const waiting = await deps.db
      .selectFrom('variants')
      .select(['view', 'status'])
      .where(
        'id',
        'not in',
        before.map(({ id }) => id),
      )
      .execute()
    expect(waiting).toMatchObject([{ status: 'processing', view: { categories: ['hats'] } }])
  })

  it('ends links to files that members would not see any more, and sends their destinations the new one', async () => {
    const { deps } = stage
    const [follower, , own] = shops
    const destinationId = await putDestination(deps, follower!.id)
    await deps.db.updateTable('destinations').set({ checkAt: null }).execute()
    await putFileLink(deps, follower!, destinationId)
    await putFileLink(deps, own!)
    await updateGroup(
      { ...deps, queue: { ...deps.queue, add: async () => undefined } },
      stage.supplier,
      updateGroupInput.parse({ id: group.id, visibilitySettings: seeing('Hats') }),
    )
    const links = await deps.db.selectFrom('fileLinks').select('retailerId').execute()
    expect(links).toEqual([{ retailerId: own!.id }])
    const due = deps.db.selectFrom('destinations').select('checkAt').where('id', '=', destinationId)
    expect(await due.executeTakeFirst()).toEqual({ checkAt: deps.clock.now() })
  })

  it('counts for whether members are silent', async () => {
    const { deps, supplier } = stage
    for (const { id } of shops) {
      const pull = { lastDay: 0, lastPulledAt: 1, versionId: 1, client: 'curl', dayCounts: [1] }
      await deps.db
        .insertInto('retailerPulls')
        .values({ retailerId: id, ...pull })
        .execute()
    }
    const silent = async (now: number) =>
      (await countReadingStates(deps.db, supplier.id, now)).silent
    const days = (count: number) => 1 + count * 86_400_000
    const before = await silent(days(20))
    await change({ syncFrequency: 43_200 })
    expect([before, await silent(days(20))]).toEqual([3, 0])
  })
})

describe('ten thousand members', () => {
  it('have a change of their group without a row for each', async () => {
    const { deps } = stage
    const { supplier } = await seedStock(deps, {
      files: ['sku,category\n1,Shoes\n'],
      retailers: 10_000,
    })
    const many = await createGroup(deps, supplier, {
      name: 'Many',
      isForNewcomers: false,
      visibilitySettings: seeing('Shoes'),
      syncFrequency: 60,
    })
    await deps.db
      .updateTable('retailers')
      .set({
        groupId: many.id,
        hasOwnVisibility: false,
        hasOwnFrequency: false,
        hasOwnFormat: false,
      })
      .where('supplierId', '=', supplier.id)
      .execute()
    const count = async (table: 'auditEntries' | 'variants' | 'events') =>
      (await deps.db.selectFrom(table).select('id').execute()).length
    const counts = () => Promise.all([count('auditEntries'), count('variants'), count('events')])
    const [audited, variants, events] = await counts()
    const { mark } = await readChanges(deps.db, undefined)
    const changed = await updateGroup(
      { ...deps, queue: { ...deps.queue, add: async () => undefined } },
      supplier,
      updateGroupInput.parse({ id: many.id, visibilitySettings: seeing('Hats'), syncFrequency: 5 }),
    )
    expect(changed.memberCount).toBe(10_000)
    expect((await readChanges(deps.db, mark)).topics).not.toContainEqual(
      expect.stringMatching(/^(?:user|retailer) /),
    )
    const after = await counts()
    expect(after[0]).toBe(audited + 1)
    expect(after[1] - variants).toBeLessThanOrEqual(1)
    expect(after[2]).toBe(events)
  })
})

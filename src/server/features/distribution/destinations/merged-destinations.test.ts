import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { createDestinationInput } from '../../../../shared/schemas/destination'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { inTransaction } from '../../../db/open'
import { FileError } from '../../../files/file-error'
import { createRetailerUser } from '../../../testing/fixtures/factories'
import { createMemorySender } from '../../../testing/fixtures/memory-sender'
import {
  openMergedFileStage,
  type MergedFileStage,
} from '../../../testing/stages/merged-file-stage'
import { fanOutEvents } from '../../alerting/alerts/fan-out'
import { removeMergedFile } from '../merged-files/merged-file'
import { deleteRetailer, updateRetailer } from '../retailers/retailers'
import {
  changeTimeZone,
  createDestination,
  deleteDestination,
  listDestinations,
  updateDestination,
} from './destinations'
import { forgetRecipients } from './destinations.queries'
import { listDispatches } from './dispatch-list'
import { hasDueDispatch } from './dispatches.queries'
import { createFileLink, openFileLink } from './file-links'
import { sendNow } from './send-now'
import { findSentFile, loadSentFile, MERGED } from './sent-file'
import { testDestination } from './try-destination'

const EAN = '4006381333931'
const STOCK = shopFormatSchema.parse({ kind: 'stock' })

const sender = createMemorySender()
let stage: MergedFileStage
let north: Awaited<ReturnType<MergedFileStage['addSupplier']>>
let south: typeof north
beforeEach(async () => {
  sender.received.length = 0
  sender.answer = async () => undefined
  stage = await openMergedFileStage({}, { sender })
  north = await stage.addSupplier(`sku,ean,qty,category\r\nN1,${EAN},2,Shoes\r\nN2,,5,Hats\r\n`)
  south = await stage.addSupplier(`code,barcode,stock\r\nS1,${EAN},3\r\nS2,,7\r\n`)
  const parts = [
    { retailerId: north.retailerId, prefix: 'N-' },
    { retailerId: south.retailerId, prefix: 'S-' },
  ]
  await stage.save({ rules: { quantity: 'sum' }, profile: { kind: 'stock' }, parts })
})
afterEach(() => stage.close())

type Settings = Partial<Omit<z.input<typeof createDestinationInput>, 'id'>>

async function add(settings: Settings = {}): Promise<number> {
  const { id: _id, ...input } = createDestinationInput.parse({
    id: 1,
    name: 'Warehouse',
    config: { url: 'https://warehouse.example/in/' },
    ...settings,
  })
  const created = await createDestination(stage.deps, stage.retailer, { ...input, id: MERGED })
  await stage.deps.work()
  return created.destinations.at(-1)!.id
}
const later = async (ms: number) => {
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}
const confirmAddress = () =>
  stage.deps.db
    .insertInto('mailAddresses')
    .values({ userId: stage.retailer.id, address: 'me@shop.example' })
    .execute()
const contents = () => sender.received.map(({ content }) => content)
const rowsOf = (content = '') => content.trim().split(/\r?\n/).slice(1).toSorted()
const list = async () => (await listDestinations(stage.deps, stage.retailer, MERGED)).destinations
const history = async () => {
  const view = { id: MERGED, q: '', page: 1, size: 25 } as const
  return (await listDispatches(stage.deps, stage.retailer, view)).rows.toReversed()
}
const refuse = () => {
  sender.answer = async () => {
    throw new FileError('http-status', 'The server answered 503.')
  }
}

describe('a destination of a merged file', () => {
  it('gets the file when it is added, and each new one, in the form that it has chosen', async () => {
    await add()
    expect(rowsOf(contents()[0])).toEqual([`0${EAN},5`, 'N-N2,5', 'S-S2,7'])
    await add({ name: 'Archive', profile: shopFormatSchema.parse({}), fileName: '{supplier}-all' })
    await later(6_000)
    const [, archived] = sender.received
    expect(archived).toMatchObject({ fileName: 'merged-all.csv' })
    expect(archived?.content.split('\n')[0]).toContain('supplier_sku')
    await stage.publish(north.supplier, `sku,ean,qty,category\r\nN1,${EAN},4,Shoes\r\n`)
    await stage.settle()
    await later(6_000)
    expect(
      sender.received
        .map(({ fileName }) => fileName)
        .slice(2)
        .toSorted(),
    ).toEqual(['inventory.csv', 'merged-all.csv'])
    expect(contents().slice(2).flatMap(rowsOf)).toContain(`0${EAN},7`)
    expect(await history()).toMatchObject(
      Array.from({ length: 4 }, () => ({ status: 'sent', versionName: 'Merged inventory' })),
    )
    expect(await list()).toMatchObject([{ state: 'ok' }, { state: 'ok' }])
    const { readCount } = await stage.deps.db
      .selectFrom('mergedFiles')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(readCount).toBe(4)
  })

  it('gets the same file again only where it is asked for', async () => {
    const destinationId = await add()
    await stage.publish(
      north.supplier,
      `sku,ean,qty,category\r\nN1,${EAN},2,Shoes\r\nN2,,5,Hats\r\n`,
    )
    await stage.settle()
    expect(contents()).toHaveLength(1)
    await sendNow(stage.deps, stage.retailer, { id: MERGED, destinationId })
    await stage.deps.work()
    expect(contents()).toHaveLength(2)
    expect(sender.received[0]!.idempotencyKey).toBe(sender.received[1]!.idempotencyKey)
    const trial = await testDestination(stage.deps, stage.retailer, { id: MERGED, destinationId })
    expect(trial.isOk).toBe(true)
  })

  it('gets it at its times, by the clock of the merged file', async () => {
    const midnight = (Math.floor(stage.deps.clock.now() / DAY_MS) + 1) * DAY_MS
    await later(midnight - stage.deps.clock.now())
    const at = (hours: number) => new Date(midnight + hours * HOUR_MS).toISOString()
    await changeTimeZone(stage.deps, stage.retailer, { id: MERGED, timeZone: 'Asia/Tokyo' })
    await add({ times: ['10:00'] })
    expect(await list()).toMatchObject([{ nextAt: at(1) }])
    await later(59 * MINUTE_MS)
    expect(contents()).toEqual([])
    await later(MINUTE_MS)
    expect(contents()).toHaveLength(1)
    await changeTimeZone(stage.deps, stage.retailer, { id: MERGED, timeZone: 'UTC' })
    expect(await list()).toMatchObject([{ nextAt: at(10) }])
  })

  it('gets no row of a supplier whose relation has ended, also if the file waited', async () => {
    refuse()
    await add()
    expect(contents()).toHaveLength(1)
    await deleteRetailer(stage.deps, south.supplier, south.retailerId)
    sender.answer = async () => undefined
    sender.received.length = 0
    await later(DAY_MS)
    await later(MINUTE_MS)
    expect(contents().map(rowsOf)).toEqual([[`0${EAN},2`, 'N-N2,5']])
    expect(await history()).toMatchObject([{ status: 'skipped' }, { status: 'sent' }])
  })

  it('gets the file without the rows of a relation as soon as that has ended', async () => {
    await add()
    await deleteRetailer(stage.deps, south.supplier, south.retailerId)
    await later(1_000)
    await later(6_000)
    expect(contents().map(rowsOf)).toEqual([
      [`0${EAN},5`, 'N-N2,5', 'S-S2,7'],
      [`0${EAN},2`, 'N-N2,5'],
    ])
  })

  it('gets no row that its company may not see any more', async () => {
    refuse()
    await add()
    sender.received.length = 0
    await updateRetailer(stage.deps, north.supplier, {
      id: north.retailerId,
      visibilitySettings: { allProducts: false, categories: ['Shoes'] },
    })
    sender.answer = async () => undefined
    await later(DAY_MS)
    await later(MINUTE_MS)
    expect(contents().flatMap(rowsOf)).not.toContain('N-N2,5')
    expect(contents().flatMap(rowsOf)).toContain(`0${EAN},5`)
  })

  it('is paused after seven tries, and only its company is told, once', async () => {
    refuse()
    await add()
    for (let day = 0; day < 8; day += 1) await later(DAY_MS)
    expect(await list()).toMatchObject([{ state: 'paused', reason: 'The server answered 503.' }])
    const { db } = stage.deps
    const events = db.selectFrom('events').selectAll().where('kind', '=', 'delivery.stopped')
    expect(await events.execute()).toMatchObject([
      { supplierId: null, retailerId: null, details: { onlyUserId: stage.retailer.id } },
    ])
    await fanOutEvents(stage.deps, new AbortController().signal)
    const told = await db
      .selectFrom('notifications')
      .innerJoin('events', 'events.id', 'notifications.eventId')
      .select('notifications.userId')
      .where('events.kind', '=', 'delivery.stopped')
      .execute()
    expect(told).toEqual([{ userId: stage.retailer.id }])
    const audited = await db
      .selectFrom('auditEntries')
      .select(['action', 'supplierId'])
      .where('action', 'in', ['destination.create', 'destination.pause'])
      .orderBy('id')
      .execute()
    expect(audited).toEqual([
      { action: 'destination.create', supplierId: null },
      { action: 'destination.pause', supplierId: null },
    ])
  })

  it('that gets it at a time of day is tried again with the same file, however many have been made since', async () => {
    refuse()
    await add({ times: ['09:00'] })
    await later(HOUR_MS)
    for (let count = 0; count < 11; count += 1) {
      await stage.publish(north.supplier, `sku,ean,qty,category\r\nN1,${EAN},${count},Shoes\r\n`)
      await stage.settle(2 * MINUTE_MS)
    }
    await later(2 * HOUR_MS)
    const [first, ...others] = await history()
    expect([first, others]).toMatchObject([{ status: 'waiting' }, []])
    expect(first?.attempts).toBeGreaterThan(2)
  })

  it('ends with the merged file', async () => {
    await add()
    await removeMergedFile(stage.deps, stage.retailer)
    await later(DAY_MS)
    expect(contents()).toHaveLength(1)
    const { db } = stage.deps
    expect(await db.selectFrom('destinations').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('dispatches').selectAll().execute()).toEqual([])
  })
})

describe('destinations of a merged file', () => {
  it('are nobody else’s', async () => {
    const destinationId = await add()
    const { deps } = stage
    const other = await createRetailerUser(deps)
    for (const actor of [other, north.supplier, south.supplier]) {
      await expect(listDestinations(deps, actor, MERGED)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    }
    // Nor are they those of a relation, for whoever sees that.
    for (const actor of [stage.retailer, north.supplier]) {
      const place = { id: north.retailerId, destinationId }
      const { destinations } = await listDestinations(deps, actor, north.retailerId)
      expect(destinations).toEqual([])
      for (const call of [
        () => updateDestination(deps, actor, { ...place, name: 'Mine' }),
        () => deleteDestination(deps, actor, place),
        () => sendNow(deps, actor, place),
        () => testDestination(deps, actor, place),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
    }
    expect(await listDestinations(deps, north.supplier, north.retailerId)).toMatchObject({
      hasDispatches: false,
    })
  })

  it('do not wait for those of other companies, however many of them are busy', async () => {
    const { db, clock } = stage.deps
    refuse()
    await add()
    const [mine] = await db.selectFrom('dispatches').selectAll().execute()
    const { destinationId, mergedFileId, id, ...dispatch } = mine!
    const [{ id: _id, ...destination } = { id: 0 }] = await db
      .selectFrom('destinations')
      .selectAll()
      .execute()
    const [{ id: _file, ...mergedFile } = { id: 0 }] = await db
      .selectFrom('mergedFiles')
      .selectAll()
      .execute()
    for (let count = 0; count < 8; count += 1) {
      const { id: userId } = await createRetailerUser(stage.deps)
      const other = await db
        .insertInto('mergedFiles')
        .values({ ...mergedFile, userId } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      const place = await db
        .insertInto('destinations')
        .values({ ...destination, mergedFileId: other.id } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      const busy = { leaseToken: 'busy', leaseUntil: clock.now() + HOUR_MS }
      await db
        .insertInto('dispatches')
        .values({
          ...dispatch,
          ...busy,
          mergedFileId: other.id,
          destinationId: place.id,
          mergedVersionId: null,
        } as never)
        .execute()
    }
    await db
      .updateTable('dispatches')
      .set({ nextAttemptAt: clock.now() })
      .where('id', '=', id)
      .execute()
    expect(await hasDueDispatch(db, 'quick', clock.now())).toBe(true)
    // Its own are sent one after the other.
    await db
      .updateTable('dispatches')
      .set({ mergedFileId, destinationId })
      .where('leaseToken', '=', 'busy')
      .execute()
    expect(await hasDueDispatch(db, 'quick', clock.now())).toBe(false)
  })

  it('are kept apart from those of relations', async () => {
    await add({ name: 'Merged' })
    const input = createDestinationInput.parse({
      id: north.retailerId,
      name: 'North',
      config: { url: 'https://warehouse.example/north/' },
      profile: STOCK,
    })
    await createDestination(stage.deps, stage.retailer, input)
    await later(MINUTE_MS)
    expect(await list()).toMatchObject([{ name: 'Merged' }])
    expect((await history()).map(({ destinationName }) => destinationName)).toEqual(['Merged'])
    expect(sender.received.map(({ address }) => address)).toEqual([
      'https://warehouse.example/in/',
      'https://warehouse.example/north/',
    ])
  })

  it('send no mail to people who have left', async () => {
    await confirmAddress()
    const { id: _id, ...input } = createDestinationInput.parse({
      id: 1,
      name: 'Buyers',
      recipients: [stage.retailer.id],
    })
    await createDestination(stage.deps, stage.retailer, { ...input, id: MERGED })
    await inTransaction(stage.deps.db, (trx) => forgetRecipients(trx, [stage.retailer.id]))
    expect(await list()).toMatchObject([{ recipients: [] }])
  })
})

describe('the link to a merged file in a mail', () => {
  it('ends when one of its suppliers shows less', async () => {
    const { deps } = stage
    const userId = stage.retailer.id
    await confirmAddress()
    const destinationId = await add()
    await deps.db
      .updateTable('destinations')
      .set({ kind: 'mail', recipients: [userId] })
      .execute()
    const of = await loadSentFile(deps.db, stage.retailer, MERGED)
    const version = await deps.db.selectFrom('mergedVersions').selectAll().executeTakeFirstOrThrow()
    const { url } = await createFileLink(deps, {
      mail: { dispatchId: 1, createdAt: 0, userId, address: 'me@shop.example' },
      of: (await findSentFile(deps.db, of))!,
      file: {
        retailerId: null,
        mergedFileId: of.mergedFileId,
        mergedFrom: version.mergedFrom,
        destinationId,
        versionId: version.id,
        versionName: 'Merged inventory',
        fileName: 'inventory.csv',
        mediaType: 'text/csv',
        sha256: version.sha256,
        sizeBytes: version.sizeBytes,
        rowCount: version.rowCount,
        dataAsOf: 0,
      },
    })
    const token = url.split('/').at(-1) ?? ''
    const file = await openFileLink(deps, token)
    await file.onRead?.({ userAgent: 'curl/8', isSent: true })
    expect(file.sha256).toBe(version.sha256)
    await updateRetailer(deps, south.supplier, {
      id: south.retailerId,
      visibilitySettings: { allProducts: false, categories: [] },
    })
    await expect(openFileLink(deps, token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

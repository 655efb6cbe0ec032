import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { AlertKind } from '../../../../shared/alerts'
import { inTransaction } from '../../../db/open'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { linkRetailer } from '../../distribution/retailers/retailers'
import type { UserRecord } from '../../people/accounts/users.queries'
import { aboutConnection, aboutRetailer, recordEvent, THE_PRODUCT, type Subject } from './events'
import { fanOutEvents } from './fan-out'
import { listNotifications } from './notifications'

let deps: TestDeps
let supplier: UserRecord
let feed: Subject

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
  feed = aboutConnection(
    await createSupplierConnection(deps, supplier, 'http://127.0.0.1:9/feed.csv'),
  )
})
afterEach(() => deps.close())

const record = (about: Subject, kind: AlertKind, details = {}) =>
  inTransaction(deps.db, (trx) => recordEvent(trx, about, { kind, now: deps.clock.now(), details }))
const fanOut = (signal = new AbortController().signal) => fanOutEvents(deps, signal)

async function told(eventId: number) {
  const rows = await deps.db
    .selectFrom('notifications')
    .select('userId')
    .where('eventId', '=', eventId)
    .orderBy('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

async function choose(user: UserRecord, kind: AlertKind, isWanted: boolean) {
  const choice = { userId: user.id, kind, way: 'bell', isWanted } as const
  await deps.db.insertInto('alertChoices').values(choice).execute()
}

it('leads a retailer with several suppliers to the one that it is about', async () => {
  const first = await createLinkedRetailer(deps, await createSupplierUser(deps))
  const visibilitySettings = { allProducts: true, categories: [] }
  const link = { userId: first.user.id, storeName: 'Second', visibilitySettings }
  const own = await inTransaction(deps.db, (trx) => linkRetailer(trx, deps, supplier, link))
  await choose(first.user, 'feed.late', true)
  await record(feed, 'feed.late')
  await fanOut()
  const { notifications } = await listNotifications(deps, first.user)
  expect(notifications.map(({ path }) => path)).toEqual([`/retailer?relation=${own}`])
})

describe('an event', () => {
  it('is told to those whom it concerns, as they have chosen', async () => {
    const [loud, quiet] = [await createAdmin(deps), await createAdmin(deps)]
    await choose(loud, 'feed.failed', true)
    const stranger = await createSupplierUser(deps)
    const retailer = await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, stranger)
    const failed = await record(feed, 'feed.failed')
    const late = await record(feed, 'feed.late')
    const backup = await record(THE_PRODUCT, 'backup.failed')
    await choose(supplier, 'feed.late', false)
    await fanOut()
    expect(await told(failed)).toEqual([supplier.id, loud.id])
    expect(await told(late)).toEqual([retailer.user.id])
    expect(await told(backup)).toEqual([loud.id, quiet.id])
  })

  it('about one retailer is told to no other', async () => {
    const retailer = await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, supplier)
    const about = aboutRetailer({ ...retailer, supplierId: supplier.id, storeName: 'Shop' })
    const rotated = await record(about, 'retailer.token-rotated')
    await fanOut()
    expect(await told(rotated)).toEqual([supplier.id, retailer.user.id])
  })

  it('is told to retailers only when the others know the cause, and back when they were told', async () => {
    const { user } = await createLinkedRetailer(deps, supplier)
    const late = await record(feed, 'feed.late', { isForRetailersOnly: true })
    const recovered = await record(feed, 'feed.recovered')
    const recoveredLate = await record(feed, 'feed.recovered', { wasLate: true })
    await fanOut()
    expect(await told(late)).toEqual([user.id])
    expect(await told(recovered)).toEqual([supplier.id])
    expect(await told(recoveredLate)).toEqual([supplier.id, user.id])
  })

  it('is not told to users who are not active', async () => {
    await deps.db.updateTable('users').set({ isActive: false }).execute()
    const failed = await record(feed, 'feed.failed')
    await fanOut()
    expect(await told(failed)).toEqual([])
  })

  it('with more recipients than a batch reaches each once, however often it is interrupted', async () => {
    const { id } = await createLinkedRetailer(deps, supplier)
    const {
      id: _,
      userId: __,
      ...retailer
    } = await deps.db
      .selectFrom('retailers')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (let count = 0; count < 1_100; count++) {
      const username = `shop-${count}`
      const user = await deps.db
        .insertInto('users')
        .values({ username, usernameKey: username, role: 'RETAILER', createdAt: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await deps.db
        .insertInto('retailers')
        .values({ ...retailer, userId: user.id })
        .execute()
    }
    const late = await record(feed, 'feed.late')
    // Each abort is after one batch, as a crash between two batches would be.
    const begin = deps.db.transaction.bind(deps.db)
    let isDone = false
    for (let runs = 0; !isDone; runs++) {
      expect(runs).toBeLessThan(10)
      const stop = new AbortController()
      deps.db.transaction = () => {
        stop.abort()
        return begin()
      }
      await fanOut(stop.signal)
      const event = await deps.db.selectFrom('events').select('fannedOutAt').executeTakeFirst()
      isDone = event?.fannedOutAt !== null
      const count = (await told(late)).length
      expect(isDone || count % 500 === 0).toBe(true)
    }
    deps.db.transaction = begin
    expect(await told(late)).toHaveLength(1_102)
  })
})

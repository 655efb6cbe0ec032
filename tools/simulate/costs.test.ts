import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { countRunHours } from '../../src/server/features/operations/run-hours/run-hours'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../src/server/testing/fixtures/factories'
import { HOUR_MS } from '../../src/shared/durations'
import { OPERATION_COSTS, type OperationCost } from './costs'
import { countBucketRequests } from './counting-bucket'
import { openRealSupplier } from './real-supplier'

let opened: Awaited<ReturnType<typeof openCounted>> | undefined
// On a slow machine, work renews its leases meanwhile, which is not counted.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

/** Opens a supplier with some versions, whose database and bucket are counted. */
async function openCounted(habits: Parameters<typeof openRealSupplier>[0], versions = 3) {
  const supplier = await openRealSupplier(habits)
  const { deps, offer, cleanUp } = supplier
  const countRequests = countBucketRequests(deps.files)
  let transactions = 0
  const begin = deps.db.transaction.bind(deps.db)
  deps.db.transaction = () => {
    transactions += 1
    return begin()
  }
  let version = 0

  async function readCounters(): Promise<OperationCost> {
    const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(deps.db)
    return { transactions, rows: rows[0]?.n ?? NaN, bucket: countRequests() }
  }
  /** Makes the next sync due, with all other work of this hour done. */
  async function becomeDue() {
    deps.clock.advance(HOUR_MS / 2)
    await deps.work()
    await cleanUp()
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
  }
  async function publish() {
    version += 1
    offer(version)
    await deps.work()
  }
  for (let count = 0; count < versions; count += 1) {
    await becomeDue()
    await publish()
    for (const address of supplier.addresses) await supplier.read(address)
  }
  return {
    ...supplier,
    becomeDue,
    publish,
    async count(operation: () => Promise<unknown>): Promise<OperationCost> {
      const before = await readCounters()
      await operation()
      return subtract(await readCounters(), before)
    },
  }
}

function subtract(one: OperationCost, other: OperationCost): OperationCost {
  const { head, put, copy, get, delete: deleted } = other.bucket
  return {
    transactions: one.transactions - other.transactions,
    rows: one.rows - other.rows,
    bucket: {
      head: one.bucket.head - head,
      put: one.bucket.put - put,
      copy: one.bucket.copy - copy,
      get: one.bucket.get - get,
      delete: one.bucket.delete - deleted,
    },
  }
}

/** What it takes to build the filtered files of a new version, and to remove those of the one before. */
async function countViews(habits: Parameters<typeof openRealSupplier>[0]) {
  opened = await openCounted(habits)
  const { deps, addresses, becomeDue, publish, read, cleanUp, count, close } = opened
  deps.clock.advance(HOUR_MS)
  await becomeDue()
  const built = await count(publish)
  for (const address of addresses) await read(address)
  deps.clock.advance(HOUR_MS)
  // The runs of an hour are counted once, whatever is removed.
  await countRunHours(deps, deps.clock.now() - HOUR_MS, new AbortController().signal)
  const removed = subtract(await count(cleanUp), await count(cleanUp))
  await close()
  opened = undefined
  return { built, removed }
}

describe('the product writes as much as the simulation counts', () => {
  it('when a source says that nothing has changed', async () => {
    opened = await openCounted({})
    await opened.becomeDue()
    expect(await opened.count(opened.deps.work)).toEqual(OPERATION_COSTS.unchangedAnswer)
  })

  it('when a version takes the place of the oldest one', async () => {
    opened = await openCounted({}, 31)
    await opened.becomeDue()
    expect(await opened.count(opened.publish)).toEqual(OPERATION_COSTS.published)
  })

  it('when filtered files are built, and removed', async () => {
    const built = []
    const removed = []
    for (const views of [2, 4]) {
      const costs = await countViews({ filtered: views })
      built.push(costs.built)
      removed.push(costs.removed)
    }
    const { view } = OPERATION_COSTS
    expect(halveComparison(built)).toEqual(view)
    const without = (await countViews({})).built
    expect(subtract(subtract(subtract(built[0]!, without), view), view)).toEqual(
      OPERATION_COSTS.viewsTogether,
    )
    expect(halveComparison(removed)).toEqual(OPERATION_COSTS.viewRemoval)
    const ofTwo = subtract(removed[0]!, OPERATION_COSTS.viewRemoval)
    expect(subtract(ofTwo, OPERATION_COSTS.viewRemoval)).toEqual(OPERATION_COSTS.viewsRemoval)
  })

  it('when filtered files are removed that shops have read compressed', async () => {
    const removed = []
    for (const views of [2, 4]) {
      removed.push((await countViews({ filtered: views, acceptsCopies: true })).removed)
    }
    const withCopies = halveComparison(removed)
    expect(subtract(withCopies, OPERATION_COSTS.viewRemoval)).toEqual(OPERATION_COSTS.copyRemoval)
  })

  it('when a connection is cleaned up', async () => {
    opened = await openCounted({})
    const one = await opened.count(opened.cleanUp)
    for (const url of ['https://one.example/feed.csv', 'https://two.example/feed.csv']) {
      await createSupplierConnection(opened.deps, await createSupplierUser(opened.deps), url)
    }
    const three = await opened.count(opened.cleanUp)
    expect(halveComparison([one, three])).toEqual(OPERATION_COSTS.cleanUp)
  })

  it('when a file is compressed', async () => {
    opened = await openCounted({ whole: 2, acceptsCopies: true })
    await opened.becomeDue()
    await opened.publish()
    const [first, second] = opened.addresses
    const { count, read } = opened
    const compressed = await count(() => read(first!))
    expect(subtract(compressed, await count(() => read(second!)))).toEqual(
      OPERATION_COSTS.compression,
    )
  })

  it('when retailers read their files', async () => {
    opened = await openCounted({ whole: 1 })
    await opened.becomeDue()
    await opened.publish()
    const { read, count } = opened
    const [address] = opened.addresses
    const moved = await count(() => read(address!))
    const sent = await count(() => read(address!))
    expect(subtract(moved, sent)).toEqual(OPERATION_COSTS.move)
    expect(sent).toEqual(OPERATION_COSTS.sent)
    const etag = await read(address!)
    expect(await count(() => read(address!, etag))).toEqual(OPERATION_COSTS.notModified)
  })
})

/** What one of two more costs. */
function halveComparison(costs: OperationCost[]): OperationCost {
  const { transactions, rows, bucket } = subtract(costs[1]!, costs[0]!)
  const halves = Object.entries(bucket).map(([kind, requests]) => [kind, requests / 2])
  return { transactions: transactions / 2, rows: rows / 2, bucket: Object.fromEntries(halves) }
}

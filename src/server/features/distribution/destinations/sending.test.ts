import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { DispatchStatus } from '../../../../shared/destinations'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { createDestinationInput } from '../../../../shared/schemas/destination'
import { updateRetailerInput } from '../../../../shared/schemas/retailer'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { inTransaction } from '../../../db/open'
import { cancelUnfinishedWork } from '../../../db/restored.queries'
import { LEASE_MS } from '../../../domain/lease'
import { FileError } from '../../../files/file-error'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { seedStock } from '../../../testing/fixtures/stock'
import { openDispatchStage, type DispatchStage } from '../../../testing/stages/dispatch-stage'
import type { UserRecord } from '../../people/accounts/users.queries'
import { saveColumnPolicy } from '../column-policy/column-policy'
import { linkRetailer, updateRetailer } from '../retailers/retailers'
import { cleanStorage } from '../stored-files/storage-cleaning'
import {
  createDestination,
  deleteDestination,
  listDestinations,
  updateDestination,
} from './destinations'
import { listDispatches } from './dispatch-list'
import { sendFiles } from './send-files'
import { sendNow } from './send-now'

const FIRST = 'sku,qty\r\n1,5\r\n'
const SECOND = 'sku,qty\r\n1,4\r\n2,7\r\n'
const STOCK = shopFormatSchema.parse({ kind: 'stock' })
const THIRD = 'sku,qty\r\n3,1\r\n'
const refused = () => new FileError('http-status', 'The server answered 503.')

let stage: DispatchStage
beforeEach(async () => {
  stage = await openDispatchStage()
})
afterEach(() => stage.close())

const contents = () => stage.sender.received.map(({ content }) => content)
const history = async () => {
  const view = { id: stage.retailer.id, q: '', page: 1, size: 25 as const }
  return (await listDispatches(stage.deps, stage.retailer.user, view)).rows.toReversed()
}
const destinations = async () =>
  (await listDestinations(stage.deps, stage.retailer.user, stage.retailer.id)).destinations
const later = async (ms: number) => {
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}
const allow = () =>
  stage.deps.db.updateTable('retailers').set({ syncFrequencyMinutes: 0 }).execute()
const failing = () => {
  stage.sender.answer = async () => {
    throw refused()
  }
}
const working = () => {
  stage.sender.answer = async () => undefined
}
const told = () =>
  stage.deps.db.selectFrom('events').selectAll().where('kind', '=', 'delivery.stopped').execute()

describe('the deliveries of a retailer', () => {
  it('are listed when the last destination is gone, and by what became of them', async () => {
    const isAny = async () =>
      (await listDestinations(stage.deps, stage.retailer.user, stage.retailer.id)).hasDispatches
    expect(await isAny()).toBe(false)
    await stage.publish(FIRST)
    const destinationId = await stage.add()
    const place = { id: stage.retailer.id, destinationId }
    await deleteDestination(stage.deps, stage.retailer.user, place)
    expect(await isAny()).toBe(true)
    const countOf = async (status: DispatchStatus) => {
      const view = { id: stage.retailer.id, q: '', page: 1, size: 25 as const, status }
      return (await listDispatches(stage.deps, stage.retailer.user, view)).matchCount
    }
    expect([await countOf('sent'), await countOf('failed')]).toEqual([1, 0])
  })
})

describe('a destination', () => {
  it('gets the file when it is added, and each new one', async () => {
    await allow()
    await stage.publish(FIRST)
    await stage.add()
    expect(contents()).toEqual([FIRST])
    await later(MINUTE_MS)
    await stage.publish(SECOND)
    expect(contents()).toEqual([FIRST, SECOND])
    const [first, second] = stage.sender.received
    expect(first).toMatchObject({
      address: 'https://warehouse.example/in/',
      fileName: 'inventory.csv',
      mediaType: 'text/csv',
      sizeBytes: FIRST.length,
      method: 'PUT',
      isRepeat: false,
      isTrial: false,
    })
    expect(second!.idempotencyKey).not.toBe(first!.idempotencyKey)
    expect(await history()).toMatchObject([
      { status: 'sent', attempts: 1, answer: 'Answered 201', rowCount: 1 },
      { status: 'sent', attempts: 1, answer: 'Answered 201', rowCount: 2 },
    ])
    expect(await destinations()).toMatchObject([{ state: 'ok', reason: null }])
  })

  it('that is added before there is a file gets the first one', async () => {
    await stage.add()
    expect(contents()).toEqual([])
    await stage.publish(FIRST)
    expect(contents()).toEqual([FIRST])
  })

  it('gets the next file as soon as the frequency of its retailer allows', async () => {
    await stage.deps.db.updateTable('retailers').set({ syncFrequencyMinutes: 60 }).execute()
    await stage.publish(FIRST)
    await stage.add()
    await stage.publish(SECOND)
    expect(contents()).toEqual([FIRST])
    await later(HOUR_MS)
    expect(contents()).toEqual([FIRST, SECOND])
  })

  it('gets the file in its own format, and again when that is changed', async () => {
    await stage.publish('sku,name,qty\r\n1,Hat,5\r\n')
    const destinationId = await stage.add({ profile: STOCK })
    // As soon as it is built, and not some seconds later.
    expect(contents()).toHaveLength(1)
    expect(contents()[0]).not.toContain('Hat')
    const change = { id: stage.retailer.id, destinationId, profile: null }
    await updateDestination(stage.deps, stage.retailer.user, change)
    await stage.deps.work()
    expect(contents()[1]).toContain('Hat')
  })

  it('gets a file that has not changed only if it wants to', async () => {
    await allow()
    await stage.publish(FIRST)
    await stage.add()
    await stage.add({ onlyIfChanged: false, name: 'All' })
    expect(contents()).toEqual([FIRST, FIRST])
    await later(MINUTE_MS)
    await stage.publish(SECOND)
    await later(MINUTE_MS)
    await stage.publish(SECOND)
    expect(contents().filter((content) => content === SECOND)).toHaveLength(2)
  })

  it('with times gets the newest file at these, and nothing between them', async () => {
    await allow()
    await stage.publish(FIRST)
    await stage.add({ times: ['09:00', '10:00'] })
    expect(contents()).toEqual([])
    await later(10 * MINUTE_MS)
    await stage.publish(SECOND)
    expect(contents()).toEqual([])
    // At 09:00.
    await later(20 * MINUTE_MS)
    expect(contents()).toEqual([SECOND])
    await stage.publish(THIRD)
    expect(contents()).toEqual([SECOND])
    await later(HOUR_MS)
    expect(contents()).toEqual([SECOND, THIRD])
  })

  it('counts as a read of its retailer', async () => {
    await stage.publish(FIRST)
    await stage.add()
    await stage.deps.pulls.flush()
    const pulls = await stage.deps.db.selectFrom('retailerPulls').selectAll().execute()
    expect(pulls).toMatchObject([{ retailerId: stage.retailer.id }])
  })
})

describe('a file that could not be sent', () => {
  it('is tried again after the pauses of messages, with the same name and key, marked as a repeat', async () => {
    await stage.publish(FIRST)
    failing()
    await stage.add({ fileName: '{time}.csv' })
    expect(await destinations()).toMatchObject([
      { state: 'retrying', reason: 'The server answered 503.' },
    ])
    working()
    await later(5_000)
    const [first, again] = stage.sender.received
    expect(again).toEqual({ ...first, isRepeat: true })
    expect(await history()).toMatchObject([{ status: 'sent', attempts: 2, isRepeat: true }])
  })

  it('is not marked as a repeat if nothing of it was sent', async () => {
    await stage.publish(FIRST)
    stage.sender.greet = async () => {
      throw new FileError('connect-failed', 'The server cannot be reached.')
    }
    await stage.add()
    stage.sender.greet = async () => undefined
    await later(5_000)
    expect(stage.sender.received).toMatchObject([{ isRepeat: false }])
  })

  it('gives way to a newer one, which does not begin the tries anew', async () => {
    await allow()
    await stage.publish(FIRST)
    failing()
    await stage.add()
    await later(5_000)
    await stage.publish(SECOND)
    expect(await history()).toMatchObject([
      { status: 'skipped', attempts: 2, answer: 'A newer file took its place' },
      { status: 'waiting', attempts: 2 },
    ])
    working()
    await later(MINUTE_MS)
    expect(contents().at(-1)).toBe(SECOND)
    expect(await history()).toMatchObject([{ status: 'skipped' }, { status: 'sent' }])
  })

  it('pauses its destination after seven tries, with one alert, until it is asked for', async () => {
    await allow()
    await stage.publish(FIRST)
    failing()
    const destinationId = await stage.add()
    for (let tries = 0; tries < 8; tries++) await later(DAY_MS)
    expect(stage.sender.received).toHaveLength(7)
    expect(await destinations()).toMatchObject([
      { state: 'paused', reason: 'The server answered 503.' },
    ])
    await stage.publish(SECOND)
    await later(DAY_MS)
    expect(stage.sender.received).toHaveLength(7)
    expect(await told()).toMatchObject([
      {
        retailerId: stage.retailer.id,
        details: { destinationName: 'Warehouse', reason: 'The server answered 503.' },
      },
    ])
    working()
    await sendNow(stage.deps, stage.retailer.user, { id: stage.retailer.id, destinationId })
    await stage.deps.work()
    expect(contents().at(-1)).toBe(SECOND)
    expect(await destinations()).toMatchObject([{ state: 'ok', pausedAt: null }])
    expect(await told()).toHaveLength(1)
  })

  it('pauses its destination at once where only people can help', async () => {
    await stage.publish(FIRST)
    stage.sender.greet = async () => {
      throw new FileError('host-key-changed', 'The server has another key.')
    }
    await stage.add()
    expect(await destinations()).toMatchObject([{ state: 'paused' }])
    expect(await told()).toHaveLength(1)
  })
})

describe('a file that cannot be sent while our own network is down', () => {
  const unreachable = async () => {
    throw new FileError('connect-failed', 'The server cannot be reached.')
  }

  /** Records that the sources of other suppliers were not reached either. */
  async function failSources(count: number) {
    const { deps } = stage
    const now = deps.clock.now()
    for (let index = 0; index < count; index++) {
      const supplier = await createSupplierUser(deps)
      const url = `https://source-${index}.example/stock.csv`
      const { id: connectionId } = await createSupplierConnection(deps, supplier, url)
      const times = { startedAt: now, finishedAt: now, leaseToken: 'lease' }
      const run = {
        ...times,
        connectionId,
        outcome: 'failed',
        errorCode: 'connect-failed',
      } as const
      await deps.db.insertInto('syncRuns').values(run).execute()
    }
    await deps.db.updateTable('connections').set({ nextSyncAt: null }).execute()
  }

  it('is tried again each minute, which is none of its seven tries', async () => {
    await stage.publish(FIRST)
    await stage.deps.db.deleteFrom('syncRuns').execute()
    stage.sender.greet = unreachable
    await failSources(2)
    await stage.add()
    for (let minute = 0; minute < 8; minute++) {
      await stage.deps.db
        .updateTable('syncRuns')
        .set({ finishedAt: stage.deps.clock.now() })
        .execute()
      await later(MINUTE_MS)
    }
    expect(await history()).toMatchObject([{ status: 'waiting', attempts: 0 }])
    expect(await told()).toEqual([])
    stage.sender.greet = async () => undefined
    await later(MINUTE_MS)
    expect(await history()).toMatchObject([{ status: 'sent', attempts: 1, isRepeat: false }])
  })

  it('counts its tries as soon as other servers are reached', async () => {
    await stage.publish(FIRST)
    await stage.deps.db.deleteFrom('syncRuns').execute()
    stage.sender.greet = unreachable
    await failSources(1)
    await stage.add()
    expect(await history()).toMatchObject([{ status: 'waiting', attempts: 1 }])
  })
})

describe('a process that dies while it sends', () => {
  it('leaves the file to another one, with the same name, bytes and key, marked as a repeat', async () => {
    await stage.publish(FIRST)
    const [begun, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    stage.sender.answer = async () => {
      begun.resolve()
      await dead.promise
    }
    const adding = stage.add({ fileName: '{time}_{version}.csv' })
    await begun.promise
    stage.deps.clock.advance(LEASE_MS)
    working()
    await sendFiles(stage.deps, 'quick', new AbortController().signal)
    dead.resolve()
    await adding
    const [first, again] = stage.sender.received
    expect(again).toEqual({ ...first, isRepeat: true })
    expect(stage.sender.received).toHaveLength(2)
    expect(await history()).toMatchObject([{ status: 'sent', isRepeat: true, attempts: 2 }])
  })
})

describe('a file that its retailer does not see any more', () => {
  const BOTH = 'sku,category,cost,qty\r\n1,Hats,3,5\r\n2,Shoes,4,7\r\n'
  const see = (categories: string[]) =>
    updateRetailer(
      stage.deps,
      stage.supplier,
      updateRetailerInput.parse({
        id: stage.retailer.id,
        visibilitySettings: { allProducts: false, categories },
      }),
    )
  const hide = async (hidden: string[]) => {
    const { id } = await stage.deps.db
      .selectFrom('connections')
      .select('id')
      .executeTakeFirstOrThrow()
    const policy = columnPolicySchema.parse({ hidden })
    await saveColumnPolicy(stage.deps, stage.supplier, { id, policy })
  }
  const SETTINGS = { 'each new file': {}, 'its times': { times: ['09:00'] } }

  it.each(Object.entries(SETTINGS))(
    'is not sent with a later try to one that gets %s',
    async (_name, settings) => {
      await allow()
      await stage.publish(BOTH)
      failing()
      await stage.add(settings)
      await later(HOUR_MS)
      const before = stage.sender.received.length
      expect(contents().at(-1)).toBe(BOTH)
      await see(['Hats'])
      working()
      for (let time = 0; time < 5; time++) await later(MINUTE_MS)
      const after = contents().slice(before)
      expect(after).toEqual(['sku,category,cost,qty\r\n1,Hats,3,5\r\n'])
    },
  )

  it('is not sent with a column that was hidden while it was on its way, which failed', async () => {
    await allow()
    await stage.publish(BOTH)
    stage.sender.answer = async () => {
      await hide(['cost'])
      throw refused()
    }
    await stage.add({ times: ['09:00'] })
    await later(HOUR_MS)
    working()
    for (let time = 0; time < 5; time++) await later(MINUTE_MS)
    expect(contents()).toEqual([
      BOTH,
      BOTH.replace(',cost', '').replace('3,5', '5').replace('4,7', '7'),
    ])
  })
})

describe('a file on its way', () => {
  it('is not deleted, even if nobody needs it any more', async () => {
    await stage.publish('sku,name,qty\r\n1,Hat,5\r\n')
    failing()
    await stage.add({ profile: STOCK })
    const { db } = stage.deps
    const [variant] = await db.deleteFrom('variants').returningAll().execute()
    stage.deps.clock.advance(LEASE_MS * 2)
    await cleanStorage(stage.deps, new AbortController().signal)
    await db.insertInto('variants').values(variant!).execute()
    working()
    await later(MINUTE_MS)
    expect(await history()).toMatchObject([{ status: 'sent' }])
  })
})

describe('destinations of one company that hang', () => {
  it('take two at most at once, and hold up nobody else', async () => {
    await stage.publish(FIRST)
    const other = await createLinkedRetailer(stage.deps, stage.supplier)
    const end = Promise.withResolvers<void>()
    const begun: string[] = []
    stage.sender.greet = async ({ address }) => {
      begun.push(new URL(address).hostname)
      if (address.includes('hang')) await end.promise
    }
    const put = (owner: typeof other, host: string) =>
      createDestination(
        stage.deps,
        owner.user,
        createDestinationInput.parse({
          id: owner.id,
          name: host,
          config: { url: `https://${host}/` },
        }),
      )
    for (let place = 0; place < 5; place++) await put(stage.retailer, `hang-${place}.example`)
    await put(other, 'other.example')
    const tick = async () => {
      await stage.deps.queue.add({ job: 'claim-due-work', payload: {} })
      return begun
    }
    await expect.poll(tick, { timeout: 10_000 }).toContain('other.example')
    expect(begun.filter((host) => host.startsWith('hang'))).toHaveLength(2)
    end.resolve()
    await stage.deps.work()
    expect(stage.sender.received).toHaveLength(6)
  })
})

/** Publishes a file of another supplier. */
async function publishOther(content: string): Promise<UserRecord> {
  const { deps } = stage
  const { supplier, connectionId } = await seedStock(deps, { files: [content] })
  const { id: publishedVersionId } = await deps.db
    .selectFrom('versions')
    .select('id')
    .where('connectionId', '=', connectionId)
    .executeTakeFirstOrThrow()
  await deps.db
    .updateTable('connections')
    .set({ publishedVersionId })
    .where('id', '=', connectionId)
    .execute()
  return supplier
}
const hang = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.sender.greet = async ({ address }) => {
    if (address.includes('hang')) await promise
  }
  return resolve
}
const put = (by: UserRecord, id: number, host: string) =>
  createDestination(
    stage.deps,
    by,
    createDestinationInput.parse({ id, name: host, config: { url: `https://${host}/` } }),
  )
const untilSent = (content: string) => {
  const tick = async () => {
    await stage.deps.queue.add({ job: 'claim-due-work', payload: {} })
    return contents()
  }
  return expect.poll(tick, { timeout: 10_000 }).toContain(content)
}

describe('a retailer with two suppliers', () => {
  it('gets the files of one while destinations of the other hang, and is not limited by what the other does', async () => {
    await stage.publish(FIRST)
    const { deps } = stage
    const { user } = stage.retailer
    const supplier = await publishOther(THIRD)
    const id = await inTransaction(deps.db, (trx) =>
      linkRetailer(trx, deps, supplier, {
        userId: user.id,
        storeName: 'Corner at Summit',
        visibilitySettings: { allProducts: true, categories: [] },
      }),
    )
    const end = hang()
    for (let place = 0; place < 5; place++) {
      await put(stage.supplier, stage.retailer.id, `hang-${place}.example`)
    }
    const list = await put(supplier, id, 'other.example')
    await untilSent(THIRD)
    end()
    await deps.work()
    deps.limits.tryDestination = { max: 2, windowMs: MINUTE_MS }
    const [first] = await destinations()
    const ask = () =>
      sendNow(deps, stage.supplier, { id: stage.retailer.id, destinationId: first!.id })
    for (let time = 0; time < 2; time++) await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'THROTTLED' })
    await sendNow(deps, supplier, { id, destinationId: list.destinations[0]!.id })
  })
})

describe('destinations of many retailers of one supplier that hang', () => {
  it('leave room for those of others', async () => {
    await stage.publish(FIRST)
    const end = hang()
    for (let shop = 0; shop < 5; shop++) {
      const { id } = await createLinkedRetailer(stage.deps, stage.supplier)
      for (const place of [1, 2]) await put(stage.supplier, id, `hang-${shop}-${place}.example`)
    }
    const supplier = await publishOther(THIRD)
    const { id } = await createLinkedRetailer(stage.deps, supplier)
    const begun = () =>
      stage.deps.db
        .selectFrom('dispatches')
        .select('id')
        .where('leaseToken', 'is not', null)
        .execute()
    const tick = async () => {
      await stage.deps.queue.add({ job: 'claim-due-work', payload: {} })
      return (await begun()).length
    }
    await expect.poll(tick, { timeout: 10_000 }).toBeGreaterThanOrEqual(6)
    await put(supplier, id, 'other.example')
    await untilSent(THIRD).finally(end)
    await stage.deps.work()
    expect(stage.sender.received).toHaveLength(11)
  })
})

describe('a restored installation', () => {
  it('sends nothing that was on its way when the backup was made, but what is published next', async () => {
    await allow()
    await stage.publish(FIRST)
    failing()
    await stage.add()
    await inTransaction(stage.deps.db, (trx) => cancelUnfinishedWork(trx, stage.deps.clock.now()))
    working()
    await later(HOUR_MS)
    expect(contents()).toEqual([FIRST])
    expect(await history()).toMatchObject([
      { status: 'skipped', answer: 'It was on its way when the backup was made' },
    ])
    await stage.publish(SECOND)
    expect(contents()).toEqual([FIRST, SECOND])
  })
})

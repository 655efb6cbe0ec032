import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { DispatchStatus } from '../../../../shared/destinations'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { createDestinationInput } from '../../../../shared/schemas/destination'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { inTransaction } from '../../../db/open'
import { cancelUnfinishedWork } from '../../../db/restored.queries'
import { LEASE_MS } from '../../../domain/lease'
import { FileError } from '../../../files/file-error'
import { createLinkedRetailer } from '../../../testing/fixtures/factories'
import { openDispatchStage, type DispatchStage } from '../../../testing/stages/dispatch-stage'
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
    // Until it is built.
    await later(5 * SECOND_MS)
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

describe('a file on its way', () => {
  it('is not deleted, even if nobody needs it any more', async () => {
    await stage.publish('sku,name,qty\r\n1,Hat,5\r\n')
    failing()
    await stage.add({ profile: STOCK })
    await later(5 * SECOND_MS)
    await stage.deps.db.deleteFrom('variants').execute()
    stage.deps.clock.advance(LEASE_MS * 2)
    await cleanStorage(stage.deps, new AbortController().signal)
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

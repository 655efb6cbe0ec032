import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { cancelUnfinishedWork } from '../../../db/restored.queries'
import { createMember } from '../../../testing/fixtures/factories'
import { openDigestStage, type DigestStage } from '../../../testing/stages/digest-stage'
import { unsubscribe } from '../../alerting/alerts/unsubscribing'
import { readDigestChoice } from '../../alerting/digests/digest-choice'
import { createUnsubscribeToken } from '../../alerting/outbox/unsubscribe-token'
import type { UserRecord } from '../../people/accounts/users.queries'
import { makeDigests } from './make-digests'

const FIRST =
  'sku,name,category,price,qty\r\nA,Boot,Shoes,10.00,5\r\nB,Cap,Hats,20.00,0\r\nC,Tote,Bags,30.00,1\r\n'
/** A is gone, B is back, C costs half and is out, D is new. */
const SECOND =
  'sku,name,category,price,qty\r\nB,Cap,Hats,20.00,4\r\nC,Tote,Bags,15.00,0\r\nD,Sock,Shoes,5.00,9\r\n'
const ALL = { added: 1, removed: 1, back: 1, out: 1, price: 1 }
const NONE = { added: 0, removed: 0, back: 0, out: 0, price: 0 }
const { signal } = new AbortController()

let stage: DigestStage
let supplier: UserRecord

beforeEach(async () => {
  stage = await openDigestStage()
  supplier = await stage.createSupplier(FIRST)
})
afterEach(() => stage.close())

const countsOf = async (user: UserRecord) =>
  (await stage.told(user)).map(({ sources }) => sources.map(({ counts }) => counts))

const seeing = (...categories: string[]) => ({ allProducts: false, categories })

describe('a digest', () => {
  it('arrives as one mail with counts, examples and a link to the comparison', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    const [{ source: mail } = { source: '' }, ...others] = stage.mails.received
    expect(others).toEqual([])
    const text = mail.replaceAll('=\r\n', '')
    expect(text).toContain('1 new, 1 gone, 1 back in stock')
    expect(text).toContain('D =C2=B7 Sock')
    expect(text).toContain('B =C2=B7 Cap: 0 =E2=86=92 4')
    expect(text).toContain('C =C2=B7 Tote: 30.00 =E2=86=92 15.00')
    expect(text).toContain('/comparison?from=3D')
    expect(text).toContain('List-Unsubscribe:\r\n <https://stock.example.com/unsubscribe/')
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })

  it('is not sent when nothing that counts has changed, and small steps add up', async () => {
    await stage.choose(supplier, { pricePercent: 10 })
    await stage.put(supplier, FIRST.replace('10.00', '10.60'))
    await stage.passMorning()
    expect(await stage.told(supplier)).toEqual([])
    await stage.put(supplier, FIRST.replace('10.00', '11.20'))
    await stage.passMorning()
    expect(await countsOf(supplier)).toEqual([[{ ...NONE, price: 1 }]])
  })

  it('comes once a day at most, also for what was missed while nothing ran', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    stage.deps.clock.advance(3 * DAY_MS + 2 * HOUR_MS)
    await stage.deps.work()
    await stage.put(supplier, FIRST)
    for (let hour = 0; hour < 10; hour++) {
      stage.deps.clock.advance(HOUR_MS)
      await stage.deps.work()
    }
    expect(await countsOf(supplier)).toEqual([[ALL]])
    // Neither does another time zone bring it forward.
    for (const timeZone of ['Pacific/Pago_Pago', 'America/New_York', 'UTC']) {
      await stage.choose(supplier, { timeZone })
      stage.deps.clock.advance(HOUR_MS)
      await stage.deps.work()
    }
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })

  it('comes weekly on its day, in the morning of its time zone', async () => {
    await stage.choose(supplier, { period: 'weekly', weekday: 3, timeZone: 'Asia/Tokyo' })
    const row = await stage.deps.db.selectFrom('digests').select('dueAt').executeTakeFirstOrThrow()
    const shown = new Date(row.dueAt!).toLocaleString('en', {
      timeZone: 'Asia/Tokyo',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
    })
    expect(shown).toBe('Wednesday 07:00')
  })

  it('is made once by processes that make digests at the same time', async () => {
    await stage.choose(supplier)
    const readers: UserRecord[] = []
    for (let index = 0; index < 4; index++) readers.push(await stage.createRetailer(supplier))
    for (const reader of readers) await stage.choose(reader)
    await stage.put(supplier, SECOND)
    stage.deps.clock.advance(2 * HOUR_MS)
    await Promise.all([1, 2, 3].map(() => makeDigests(stage.deps, signal)))
    for (const user of [supplier, ...readers]) expect(await countsOf(user)).toEqual([[ALL]])
  })

  it('is compared once for all who see the same', async () => {
    const readers: UserRecord[] = []
    for (let index = 0; index < 4; index++) {
      const reader = await stage.createRetailer(supplier, seeing('Shoes'))
      await stage.choose(reader)
      readers.push(reader)
    }
    await stage.put(supplier, SECOND)
    const kinds: string[] = []
    const { run } = stage.deps.readers
    stage.deps.readers.run = (...args) => {
      kinds.push(args[0])
      return run(...args)
    }
    await stage.passMorning()
    expect(kinds.filter((kind) => kind === 'digest')).toHaveLength(1)
    for (const reader of readers) {
      expect(await countsOf(reader)).toEqual([[{ ...NONE, added: 1, removed: 1 }]])
    }
  })

  it('is made by another process when the first one died', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    stage.deps.clock.advance(2 * HOUR_MS)
    const leaseUntil = stage.deps.clock.now() + 30_000
    await stage.deps.db.updateTable('digests').set({ leaseToken: 'dead', leaseUntil }).execute()
    await makeDigests(stage.deps, signal)
    expect(await stage.told(supplier)).toEqual([])
    stage.deps.clock.advance(31_000)
    await makeDigests(stage.deps, signal)
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })

  it('waits an hour when a file could not be read', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    stage.deps.clock.advance(2 * HOUR_MS)
    const { run } = stage.deps.readers
    stage.deps.readers.run = async () => {
      throw new Error('The disk is broken')
    }
    await makeDigests(stage.deps, signal)
    stage.deps.readers.run = run
    await makeDigests(stage.deps, signal)
    expect(await stage.told(supplier)).toEqual([])
    stage.deps.clock.advance(HOUR_MS)
    await makeDigests(stage.deps, signal)
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })

  it('is not told again after a backup was restored', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    await inTransaction(stage.deps.db, (trx) =>
      cancelUnfinishedWork(trx, stage.deps.clock.now() + HOUR_MS),
    )
    await stage.passMorning()
    expect(await stage.told(supplier)).toEqual([])
    await stage.put(supplier, FIRST)
    await stage.passMorning()
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })

  it('that waited when a backup was made is not sent after it is restored', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    stage.deps.clock.advance(2 * HOUR_MS)
    await makeDigests({ ...stage.deps, mail: null }, signal)
    await inTransaction(stage.deps.db, (trx) => cancelUnfinishedWork(trx, stage.deps.clock.now()))
    await stage.deps.work()
    expect(stage.mails.received).toEqual([])
  })

  it('is compared with the oldest file that is kept when the last one is not, and says so', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, FIRST.replace('Boot', 'Boots'))
    await stage.put(supplier, SECOND)
    const { db } = stage.deps
    const first = await db.selectFrom('versions').select('id').orderBy('id').executeTakeFirst()
    await db.deleteFrom('versions').where('id', '=', first!.id).execute()
    await stage.passMorning()
    const [told] = await stage.told(supplier)
    expect(told?.sources).toMatchObject([{ isCut: true, counts: ALL }])
  })

  it('is put right when the clock was far ahead', async () => {
    await stage.choose(supplier)
    const dueAt = stage.deps.clock.now() + 400 * DAY_MS
    await stage.deps.db.updateTable('digests').set({ dueAt }).execute()
    await stage.deps.work()
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })
})

describe('a retailer', () => {
  it('is told of its categories only: what leaves them is gone, what comes into them is new', async () => {
    const reader = await stage.createRetailer(supplier, seeing('Hats'))
    await stage.choose(reader)
    await stage.put(
      supplier,
      FIRST.replace('Cap,Hats', 'Cap,Bags').replace('Tote,Bags', 'Tote,Hats'),
    )
    await stage.passMorning()
    const [told] = await stage.told(reader)
    expect(told?.sources[0]?.counts).toEqual({ ...NONE, added: 1, removed: 1 })
    expect(told?.sources[0]?.examples.map(({ key }) => key)).toEqual(['C', 'B'])
  })

  it('learns nothing of hidden columns', async () => {
    const reader = await stage.createRetailer(supplier)
    await stage.choose(reader)
    await stage.hide(supplier, ['name', 'price', 'qty'])
    await stage.put(supplier, FIRST.replace('5\r\n', '0\r\n').replace('10.00', '99.00'))
    await stage.passMorning()
    expect(await stage.told(reader)).toEqual([])
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    const told = await stage.told(reader)
    expect(told[0]?.sources[0]?.counts).toEqual({ ...NONE, added: 1, removed: 1 })
    for (const secret of ['Sock', 'Boot', '99.00', '5.00']) {
      expect(JSON.stringify(told)).not.toContain(secret)
    }
  })

  it('is told nothing when the column of SKUs is hidden', async () => {
    const reader = await stage.createRetailer(supplier)
    await stage.choose(reader)
    await stage.hide(supplier, ['sku'])
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    expect(await stage.told(reader)).toEqual([])
  })

  it('cannot find out hidden categories by choosing them', async () => {
    const reader = await stage.createRetailer(supplier)
    await stage.choose(reader, { categories: ['Hats'] })
    await stage.hide(supplier, ['category'])
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    expect(await countsOf(reader)).toEqual([[ALL]])
  })

  it('cannot choose categories that it does not see', async () => {
    const reader = await stage.createRetailer(supplier, seeing('Hats'))
    await stage.choose(reader, { categories: ['Shoes', 'Bags'] })
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    expect(await stage.told(reader)).toEqual([])
  })
})

describe('nobody gets a digest', () => {
  it('without having chosen it, or without a confirmed address', async () => {
    const member = await createMember(stage.deps, supplier, 'EDITOR')
    const actor = {
      ...supplier,
      person: { ...member, memberOf: supplier.id, memberRole: 'EDITOR' as const },
    }
    await expect(stage.choose(actor)).rejects.toThrow('Add an e-mail address and confirm it first')
    expect(await readDigestChoice(stage.deps.db, actor)).toMatchObject({ period: null })
    await stage.put(supplier, SECOND)
    await stage.passMorning()
    expect(stage.mails.received).toEqual([])
  })

  it('who is deactivated; it comes once when that ends', async () => {
    await stage.choose(supplier)
    const setActive = (isActive: boolean) =>
      stage.deps.db.updateTable('users').set({ isActive }).where('id', '=', supplier.id).execute()
    await stage.put(supplier, SECOND)
    await setActive(false)
    await stage.passMorning()
    await stage.passMorning()
    expect(await stage.told(supplier)).toEqual([])
    await setActive(true)
    await stage.passMorning()
    await stage.passMorning()
    expect(await countsOf(supplier)).toEqual([[ALL]])
  })

  it('who has ended mails by the link of one, also of one that waits', async () => {
    await stage.choose(supplier)
    await stage.put(supplier, SECOND)
    stage.deps.clock.advance(2 * HOUR_MS)
    await makeDigests({ ...stage.deps, mail: null }, signal)
    const address = `person${supplier.id}@example.com`
    await unsubscribe(
      stage.deps,
      createUnsubscribeToken(stage.deps, { userId: supplier.id, address }),
    )
    await stage.deps.work()
    await stage.put(supplier, FIRST)
    await stage.passMorning()
    expect(stage.mails.received).toEqual([])
    expect(await readDigestChoice(stage.deps.db, supplier)).toMatchObject({ period: null })
  })
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { listNamedFiles } from '../../../db/database-content'
import { inTransaction } from '../../../db/open'
import { storeContent } from '../../../testing/fixtures/stored-files'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { updateUser } from '../../people/accounts/users.queries'

const CSV = 'sku,qty\r\n1,5\r\n'

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage({}, { maxFileBytes: 100 })
})
afterEach(() => {
  vi.useRealTimers()
  return stage.close()
})

const clean = () => cleanStorage(stage.deps, new AbortController().signal)

/** A body of which the first half has arrived. */
function openBody() {
  const rest = Promise.withResolvers<string>()
  async function* body() {
    yield Buffer.from(CSV.slice(0, 4))
    yield Buffer.from(await rest.promise)
  }
  return { body: body(), ...rest }
}

/** Whether a transfer has its place and its scratch file. */
async function untilBegun(count: number) {
  const uploads = () => stage.deps.db.selectFrom('uploads').select('id').execute()
  await expect.poll(uploads).toHaveLength(count)
}

it('a transfer keeps its scratch file from the clean-up', async () => {
  const { body, resolve } = openBody()
  const sending = stage.sendBody('stock.csv', body)
  await untilBegun(1)
  expect(await clean()).toMatchObject({ scratchFiles: 0 })
  resolve(CSV.slice(4))
  await sending
  expect(await clean()).toMatchObject({ storedFiles: 0 })
  await stage.deps.work()
  expect(await stage.publishedText()).toBe(CSV)
})

it('a transfer that takes hours delays the removal of unneeded files by half an hour', async () => {
  const { deps } = stage
  const { body, resolve } = openBody()
  const sending = stage.sendBody('stock.csv', body)
  await untilBegun(1)
  const unneeded = await storeContent(deps.files, 'unneeded')
  const cleanAfter = async (ms: number) => {
    deps.clock.advance(ms)
    const leaseUntil = deps.clock.now() + 1
    await deps.db.updateTable('uploads').set({ leaseUntil }).execute()
    return clean()
  }
  for await (const { storedAt } of deps.files.list())
    deps.clock.advance(Math.ceil(storedAt) - deps.clock.now())
  expect(await cleanAfter(29 * MINUTE_MS)).toMatchObject({ storedFiles: 0 })
  expect(await cleanAfter(2 * MINUTE_MS)).toMatchObject({ storedFiles: 1, scratchFiles: 0 })
  expect(await deps.files.has(unneeded.sha256)).toBe(false)
  resolve(CSV.slice(4))
  await sending
  await deps.work()
  expect(await stage.publishedText()).toBe(CSV)
})

it('a file that takes longer than two hours to arrive is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  async function* drip() {
    for (let half = 0; half < 5 * 60; half++) {
      vi.advanceTimersByTime(29_000)
      yield Buffer.alloc(0)
    }
    yield Buffer.from(CSV)
  }
  const sending = stage.sendBody('stock.csv', drip())
  await expect(sending).rejects.toThrow('The file did not arrive within 2 hours.')
  await untilBegun(0)
})

it('a transfer whose process has died leaves nothing behind', async () => {
  const { deps } = stage
  const draft = deps.files.createDraft('dead')
  await draft.fill(
    (async function* () {
      yield Buffer.from(CSV)
    })(),
  )
  const lease = { leaseToken: 'dead', leaseUntil: deps.clock.now() + 1 }
  const upload = { connectionId: stage.id, startedAt: deps.clock.now(), ...lease }
  await deps.db.insertInto('uploads').values(upload).execute()
  expect(await clean()).toMatchObject({ scratchFiles: 0 })
  deps.clock.advance(1)
  expect(await clean()).toMatchObject({ scratchFiles: 1 })
  await stage.send('stock.csv', CSV)
  await untilBegun(0)
})

it('a transfer that breaks off leaves nothing behind', async () => {
  const { body, reject } = openBody()
  const sending = stage.sendBody('stock.csv', body)
  await untilBegun(1)
  reject(new Error('The line is dead'))
  await expect(sending).rejects.toThrow('The line is dead')
  await untilBegun(0)
  expect(await clean()).toMatchObject({ scratchFiles: 0 })
  expect(await stage.received()).toEqual([])
})

it.each([{ isActive: false }, { sessionEpoch: 99 }])(
  'a transfer of somebody who has meanwhile lost access leaves nothing: %j',
  async (changes) => {
    const { body, resolve } = openBody()
    const sending = stage.sendBody('stock.csv', body)
    await untilBegun(1)
    await inTransaction(stage.deps.db, (trx) => updateUser(trx, stage.supplier.id, changes))
    resolve(CSV.slice(4))
    await expect(sending).rejects.toThrow('You were signed out while the file was sent')
    expect(await stage.received()).toEqual([])
  },
)

it('three files can be sent at a time, to all processes together', async () => {
  const bodies = [openBody(), openBody(), openBody()]
  const sending = bodies.map(({ body }, index) => stage.sendBody(`${index}.csv`, body))
  await untilBegun(3)
  await expect(stage.send('fourth.csv', CSV)).rejects.toThrow('3 files are being sent already')
  bodies.forEach(({ resolve }) => resolve(CSV.slice(4)))
  await Promise.all(sending)
  await stage.send('fourth.csv', CSV)
})

it('a file that had no place is none of the sixty of an hour', async () => {
  stage.deps.limits.receiveFile = { max: 4, windowMs: HOUR_MS }
  const bodies = [openBody(), openBody(), openBody()]
  const sending = bodies.map(({ body }, index) => stage.sendBody(`${index}.csv`, body))
  await untilBegun(3)
  for (let time = 0; time < 4; time++) {
    await expect(stage.send('fourth.csv', CSV)).rejects.toThrow('3 files are being sent already')
  }
  bodies.forEach(({ resolve }) => resolve(CSV.slice(4)))
  await Promise.all(sending)
  await stage.send('fourth.csv', CSV)
  await expect(stage.send('fifth.csv', CSV)).rejects.toThrow('Too many attempts')
})

it('sixty files can be sent in an hour', async () => {
  stage.deps.limits.receiveFile = { max: 1, windowMs: HOUR_MS }
  await stage.send('a.csv', CSV)
  await expect(stage.send('b.csv', CSV)).rejects.toThrow('Too many attempts')
  stage.deps.clock.advance(HOUR_MS)
  await stage.send('b.csv', CSV)
})

it('a file of more bytes than are allowed is refused', async () => {
  await expect(stage.send('large.csv', 'x'.repeat(101))).rejects.toThrow('larger than 100 B')
  expect(await stage.received()).toEqual([])
})

it('a backup has what waits to be read', async () => {
  await stage.send('stock.csv', 'sku;qty\n1;5\n')
  const sizes = async () => (await listNamedFiles(stage.deps.db)).map(({ sizeBytes }) => sizeBytes)
  expect(await sizes()).toEqual([12])
})

it('is recorded, as what its sender has done', async () => {
  await stage.send('stock.csv', CSV)
  const entry = await stage.deps.db
    .selectFrom('auditEntries')
    .selectAll()
    .where('action', '=', 'connection.receive-file')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ subjectName: 'Stock', supplierId: stage.supplier.id })
  expect(entry.changes).toEqual([{ field: 'file', before: null, after: 'stock.csv' }])
})

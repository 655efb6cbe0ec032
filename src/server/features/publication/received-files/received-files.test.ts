import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { checkAlerts } from '../../../testing/stages/check-alerts'
import { updateConnection } from '../../catalogue/connections/connections'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { readOverview } from '../../operations/overview/overview'
import { discardVersion, publishVersion } from '../publishing/publications'
import { listVersionHistory } from '../publishing/version-list'
import { cancelSync, listRuns, syncNow } from '../syncs/sync-control'
import { startRun } from '../syncs/sync-lease'

const fileOf = (rows: number) =>
  `sku,qty\r\n${Array.from({ length: rows }, (_, row) => `A-${row},${row + 1}\r\n`).join('')}`
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex')

/** What a spreadsheet has saved, which is stored in another form. */
const FOREIGN = 'sku;qty\n1;5\n2;7\n'
const NO_TABLE = '<!doctype html><html><body>Sign in</body></html>'

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage()
})
afterEach(() => stage.close())

async function storedFiles() {
  const hashes: string[] = []
  for await (const { sha256 } of stage.deps.files.list()) hashes.push(sha256)
  return hashes
}

describe('a file that was sent', () => {
  it('is published, and only its canonical form is kept', async () => {
    await stage.send('stock.csv', FOREIGN)
    expect(await stage.states()).toEqual({ 'stock.csv': 'waiting' })
    expect(await stage.current()).toMatchObject({ status: 'queued', config: { url: '' } })
    await stage.deps.work()
    expect(await stage.received()).toMatchObject([
      { state: 'published', rows: 2, message: null, receivedBy: stage.supplier.username },
    ])
    expect(await stage.publishedText()).toBe('sku,qty\r\n1,5\r\n2,7\r\n')
    expect(await storedFiles()).not.toContain(hashOf(FOREIGN))
    expect(await listRuns(stage.deps, stage.supplier, stage.id)).toMatchObject([
      { outcome: 'published', rows: 2 },
    ])
  })

  it('stays stored when it is canonical already', async () => {
    await stage.send('stock.csv', fileOf(3))
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(fileOf(3))
  })

  it('is unchanged when it has what is published', async () => {
    for (const name of ['monday.csv', 'tuesday.csv']) {
      await stage.send(name, fileOf(3))
      await stage.deps.work()
    }
    expect(await stage.states()).toEqual({ 'monday.csv': 'published', 'tuesday.csv': 'unchanged' })
  })

  it('is skipped when a newer one arrives before it is read', async () => {
    await stage.send('a.csv', 'sku;qty\n1;1\n')
    await stage.send('b.csv', 'sku;qty\n1;2\n')
    await stage.send('c.csv', 'sku;qty\n1;3\n')
    expect(await stage.states()).toEqual({
      'a.csv': 'skipped',
      'b.csv': 'skipped',
      'c.csv': 'waiting',
    })
    expect(await storedFiles()).toEqual([hashOf('sku;qty\n1;3\n')])
    await stage.deps.work()
    expect(await stage.publishedText()).toContain('1,3')
  })

  it('waits while another one is read, and is read next', async () => {
    const { deps, id } = stage
    await stage.send('a.csv', fileOf(1))
    const lease = { leaseToken: 'claim', leaseUntil: deps.clock.now() + MINUTE_MS }
    await deps.db.updateTable('connections').set(lease).execute()
    await startRun(deps, { connectionId: id, ...lease })
    await stage.send('b.csv', fileOf(2))
    await stage.send('c.csv', fileOf(3))
    expect(await stage.states()).toEqual({
      'a.csv': 'reading',
      'b.csv': 'skipped',
      'c.csv': 'waiting',
    })
    // The run dies.
    deps.clock.advance(MINUTE_MS)
    expect(await stage.states()).toMatchObject({ 'a.csv': 'waiting', 'c.csv': 'waiting' })
    await deps.work()
    expect(await stage.states()).toEqual({
      'a.csv': 'skipped',
      'b.csv': 'skipped',
      'c.csv': 'published',
    })
  })

  it('is read again when the run that read it has died', async () => {
    const { deps, id } = stage
    await stage.send('a.csv', fileOf(1))
    const lease = { leaseToken: 'claim', leaseUntil: deps.clock.now() + MINUTE_MS }
    await deps.db.updateTable('connections').set(lease).execute()
    await startRun(deps, { connectionId: id, ...lease })
    deps.clock.advance(MINUTE_MS)
    await cleanStorage(deps, new AbortController().signal)
    await deps.work()
    expect(await stage.states()).toEqual({ 'a.csv': 'published' })
  })

  it('is remembered with the nine before it', async () => {
    for (let number = 1; number <= 12; number++) await stage.send(`${number}.csv`, fileOf(number))
    const names = (await stage.received()).map(({ fileName }) => fileName)
    expect(names).toEqual(Array.from({ length: 10 }, (_, index) => `${12 - index}.csv`))
    expect(await stage.deps.db.selectFrom('receivedFiles').select('id').execute()).toHaveLength(10)
  })

  it('is skipped with the sync that reads it', async () => {
    await stage.send('a.csv', fileOf(1))
    await cancelSync(stage.deps, stage.supplier, stage.id)
    expect(await stage.received()).toMatchObject([
      { state: 'skipped', message: `Cancelled by ${stage.supplier.username}` },
    ])
    expect((await stage.current()).nextSyncAt).toBeNull()
    expect(await storedFiles()).toEqual([])
  })
})

describe('a file that cannot be used', () => {
  it('is refused and not tried again, and its supplier is told at once', async () => {
    await stage.send('stock.html', NO_TABLE)
    await stage.deps.work()
    const [refused] = await stage.received()
    expect(refused).toMatchObject({ state: 'refused', rows: null })
    expect(refused?.message).toContain('web page')
    expect(await stage.current()).toMatchObject({ status: 'failed', nextSyncAt: null })
    const told = () => stage.deps.db.selectFrom('events').select('kind').orderBy('id').execute()
    expect(await told()).toEqual([{ kind: 'feed.failed' }])
    expect(await storedFiles()).toEqual([])
    await stage.send('stock.csv', fileOf(2))
    await stage.deps.work()
    expect(await told()).toContainEqual({ kind: 'feed.recovered' })
    expect(await stage.current()).toMatchObject({ status: 'synced', consecutiveFailures: 0 })
  })

  it('is refused when it is gone from the server', async () => {
    await stage.send('stock.csv', FOREIGN)
    const hash = hashOf(FOREIGN)
    await stage.deps.files.delete([hash], Infinity)
    await stage.deps.work()
    expect(await stage.received()).toMatchObject([
      { state: 'refused', message: 'The file is gone from the server. Send it again.' },
    ])
  })
})

describe('a file that is held', () => {
  beforeEach(async () => {
    await stage.send('first.csv', fileOf(40))
    await stage.deps.work()
    await stage.send('small.csv', fileOf(2))
    await stage.deps.work()
  })

  const heldId = async () => {
    const { versions } = await listVersionHistory(stage.deps, stage.supplier, stage.id)
    return versions.find(({ state }) => state === 'held')!.id
  }
  const small = async () =>
    (await stage.received()).find(({ fileName }) => fileName === 'small.csv')

  it('says why', async () => {
    const { state, message, rows } = (await small())!
    expect({ state, rows }).toEqual({ state: 'held', rows: 2 })
    expect(message).toContain('The new file is held')
    expect(await stage.publishedText()).toBe(fileOf(40))
    expect((await stage.current()).status).toBe('held')
  })

  it('makes room for a newer one, and says so', async () => {
    await stage.send('next.csv', fileOf(39))
    await stage.deps.work()
    expect(await small()).toMatchObject({
      state: 'skipped',
      message: 'A newer file took its place while it was held.',
    })
    expect(await stage.publishedText()).toBe(fileOf(39))
  })

  it('is published by hand', async () => {
    const versionId = await heldId()
    await publishVersion(stage.deps, stage.supplier, { id: stage.id, versionId })
    expect(await small()).toMatchObject({ state: 'published', message: null })
  })

  it('is refused when it is discarded, and when it is sent again', async () => {
    const versionId = await heldId()
    await discardVersion(stage.deps, stage.supplier, { id: stage.id, versionId })
    expect(await small()).toMatchObject({ state: 'refused' })
    await stage.send('again.csv', fileOf(2))
    await stage.deps.work()
    expect((await stage.received())[0]).toMatchObject({
      state: 'refused',
      message: 'This is the file that was held and discarded before.',
    })
  })
})

describe('a connection without an address', () => {
  it('is never due, and never late', async () => {
    await stage.send('stock.csv', fileOf(2))
    await stage.deps.work()
    const before = await stage.current()
    stage.deps.clock.advance(40 * DAY_MS)
    await stage.deps.work()
    expect(await stage.current()).toEqual(before)
    expect(before).toMatchObject({ status: 'synced', freshness: 'on-time', nextSyncAt: null })
    expect(await checkAlerts(stage.deps)).toContain('0 feeds found late')
  })

  it('is late when none has come for as long as its supplier says, which is told once', async () => {
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, expectedEveryHours: 24 })
    await stage.send('stock.csv', fileOf(2))
    await deps.work()
    deps.clock.advance(DAY_MS + 15 * MINUTE_MS)
    expect(await checkAlerts(stage.deps)).toContain('0 feeds found late')
    deps.clock.advance(1)
    expect(await stage.current()).toMatchObject({ freshness: 'late' })
    expect(await readOverview(deps)).toMatchObject({ lateCount: 1 })
    expect(await checkAlerts(stage.deps)).toContain('1 feed found late')
    expect(await checkAlerts(stage.deps)).toContain('0 feeds found late')
    await stage.send('stock.csv', fileOf(2))
    await deps.work()
    expect(await stage.current()).toMatchObject({ freshness: 'on-time' })
  })

  it('is late when nobody sends the first file, but not while one waits', async () => {
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, expectedEveryHours: 24 })
    deps.clock.advance(2 * DAY_MS)
    await stage.send('stock.csv', fileOf(2))
    expect(await checkAlerts(stage.deps)).toContain('0 feeds found late')
    await cancelSync(deps, supplier, id)
    expect(await checkAlerts(stage.deps)).toContain('1 feed found late')
  })

  it('has nothing to sync until a file is sent', async () => {
    const sync = () => syncNow(stage.deps, stage.supplier, stage.id)
    await expect(sync()).rejects.toThrow('This connection has no address. Send a file instead.')
    await stage.send('stock.csv', fileOf(2))
    expect(await sync()).toEqual({ message: 'Sync started' })
  })

  it('reads a file that waits once it is active again', async () => {
    const { deps, supplier, id } = stage
    await stage.send('stock.csv', fileOf(2))
    await updateConnection(deps, supplier, { id, isActive: false })
    await deps.work()
    expect(await stage.states()).toEqual({ 'stock.csv': 'waiting' })
    await expect(stage.send('next.csv', fileOf(3))).rejects.toThrow('This connection is paused')
    await updateConnection(deps, supplier, { id, isActive: true })
    await deps.work()
    expect(await stage.states()).toEqual({ 'stock.csv': 'published' })
  })

  it('takes no credentials, and no other settings make it due', async () => {
    const { deps, supplier, id } = stage
    const auth = { type: 'bearer', token: 'secret' } as const
    await expect(updateConnection(deps, supplier, { id, config: { auth } })).rejects.toThrow(
      'Enter the address that these credentials are for',
    )
    await updateConnection(deps, supplier, { id, syncFrequency: 5, config: {} })
    expect(await stage.current()).toMatchObject({ nextSyncAt: null, status: 'never-run' })
  })

  it('that becomes due all the same waits again', async () => {
    await stage.deps.db.updateTable('connections').set({ nextSyncAt: 1 }).execute()
    await stage.deps.work()
    expect(await stage.current()).toMatchObject({ nextSyncAt: null, status: 'never-run' })
  })
})

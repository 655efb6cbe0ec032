import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { NO_GUARD } from '../../../testing/fixtures/factories'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { saveGuard } from '../publishing/guard'
import { discardVersion, publishVersion } from '../publishing/publications'
import { listVersionHistory } from '../publishing/version-list'
import { cancelSync } from '../syncs/sync-control'
import { pageTimeline } from '../timeline/timeline'

const REMOVAL = { column: 'action', value: 'delete' }
const UPDATES = { removal: REMOVAL, fullName: 'full-*', nextIsFull: false }
const fileOf = (items: number) =>
  `sku,qty\r\n${Array.from({ length: items }, (_, item) => `S${item},1\r\n`).join('')}`

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage({}, undefined, { updates: UPDATES })
})
afterEach(() => stage.close())

async function sendAndWork(fileName: string, content: string, isFull?: boolean) {
  await stage.send(fileName, content, isFull)
  await stage.deps.work()
}
const updateOf = (rows: string) => `sku,qty,action\n${rows}`
const newest = async () => (await stage.received())[0]!
const versions = async () =>
  (await listVersionHistory(stage.deps, stage.supplier, stage.id)).versions
const gap = async () => (await stage.current()).updates?.gap ?? null
/** An update that removes most of forty items. */
const suspicious = () =>
  updateOf(Array.from({ length: 30 }, (_, item) => `S${item},,delete\n`).join(''))

describe('an update that is sent', () => {
  beforeEach(() => sendAndWork('full-1.csv', fileOf(3)))

  it('is merged onto the published file', async () => {
    await sendAndWork('u1.csv', updateOf('S1,7,\nS9,2,\nS0,,delete\n'))
    expect(await stage.publishedText()).toBe('sku,qty\r\nS1,7\r\nS2,1\r\nS9,2\r\n')
    expect(await newest()).toMatchObject({ state: 'published', rows: 3 })
    const update = { items: 3, changed: 1, added: 1, removed: 1 }
    expect((await versions())[0]).toMatchObject({ update, rowCount: 3 })
    const { items } = await pageTimeline(stage.deps, stage.supplier, { id: stage.id })
    expect(items.find(({ kind }) => kind === 'sync')).toMatchObject({ update, rows: 3 })
  })

  it('changes nothing the second time', async () => {
    for (const expected of ['published', 'unchanged']) {
      await sendAndWork('u1.csv', updateOf('S1,7,\nS0,,delete\n'))
      expect(await newest()).toMatchObject({ state: expected })
      expect(await stage.publishedText()).toBe('sku,qty\r\nS1,7\r\nS2,1\r\n')
    }
  })

  it('that has no rows is fine, and changes nothing', async () => {
    await sendAndWork('u1.csv', updateOf(''))
    expect(await newest()).toMatchObject({ state: 'unchanged', rows: 0, message: null })
  })

  it('waits its turn: each of those that wait is merged, in their order', async () => {
    for (const quantity of [5, 6, 7]) {
      await stage.send(`u${quantity}.csv`, updateOf(`S1,${quantity},\nN${quantity},1,\n`))
    }
    expect(await stage.states()).toMatchObject({ 'u5.csv': 'waiting', 'u7.csv': 'waiting' })
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(
      'sku,qty\r\nS0,1\r\nS1,7\r\nS2,1\r\nN5,1\r\nN6,1\r\nN7,1\r\n',
    )
    expect(await stage.states()).toMatchObject({ 'u5.csv': 'published', 'u6.csv': 'published' })
  })

  it('does not hold up those after it when it is refused, which is told until a full file comes', async () => {
    await stage.send('bad.csv', 'sku,qty\nS1,5\n')
    await stage.send('u1.csv', updateOf('S2,9,\n'))
    const at = new Date(stage.deps.clock.now()).toISOString()
    await stage.deps.work()
    expect(await stage.states()).toMatchObject({ 'bad.csv': 'refused', 'u1.csv': 'published' })
    expect(await gap()).toEqual({ at, cause: 'refused' })
    await sendAndWork('full-2.csv', fileOf(4))
    expect(await gap()).toBeNull()
    expect(await stage.publishedText()).toBe(fileOf(4))
  })

  it('is lost when it is cancelled, which is told', async () => {
    await stage.send('u1.csv', updateOf('S2,9,\n'))
    await cancelSync(stage.deps, stage.supplier, stage.id)
    expect(await gap()).toMatchObject({ cause: 'cancelled' })
  })

  it('is not taken while too many wait', async () => {
    const { deps } = stage
    const row = { connectionId: stage.id, fileName: 'a', sizeBytes: 1, state: 'waiting' } as const
    const rows = Array.from({ length: 100 }, () => ({ ...row, receivedAt: 0 }))
    await deps.db.insertInto('receivedFiles').values(rows).execute()
    const sending = stage.send('u1.csv', updateOf('S2,9,\n'))
    await expect(sending).rejects.toThrow('Too many files wait to be read')
  })
})

describe('a full file', () => {
  it('must come first', async () => {
    await sendAndWork('u1.csv', updateOf('S1,7,\n'))
    expect(await newest()).toMatchObject({
      state: 'refused',
      message:
        'Nothing is published yet, so the first file must have all items. Send a full file: one whose name fits “full-*”, or of which you say that it is full.',
    })
    expect(await gap()).toBeNull()
  })

  it('is one of which its sender says so, or that is said to come next', async () => {
    await sendAndWork('a.csv', fileOf(3), true)
    expect(await stage.publishedText()).toBe(fileOf(3))
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, updates: { ...UPDATES, nextIsFull: true } })
    await stage.send('b.csv', fileOf(2))
    expect(await stage.current()).toMatchObject({ updates: { nextIsFull: false } })
    await stage.send('c.csv', updateOf('S0,5,\n'))
    await deps.work()
    expect(await stage.publishedText()).toBe('sku,qty\r\nS0,5\r\nS1,1\r\n')
  })

  it('is none if its sender says that, whatever its name', async () => {
    await sendAndWork('full-1.csv', fileOf(3))
    await sendAndWork('full-2.csv', updateOf('S0,5,\n'), false)
    expect(await stage.publishedText()).toBe('sku,qty\r\nS0,5\r\nS1,1\r\nS2,1\r\n')
  })

  it('that cannot be updated is refused with the count', async () => {
    await sendAndWork('full-1.csv', 'sku,qty\nA,1\nA,2\nB,1\n')
    expect((await newest()).message).toContain('1 row in it has a “sku” that another row has, too')
    expect(await gap()).toBeNull()
  })
})

describe('a held update', () => {
  beforeEach(async () => {
    await sendAndWork('full-1.csv', fileOf(40))
    await sendAndWork('u1.csv', suspicious())
  })
  const heldId = async () => (await versions()).find(({ state }) => state === 'held')!.id

  it('keeps what it said when the next one comes: the two are judged as a whole', async () => {
    expect(await newest()).toMatchObject({ state: 'held' })
    await sendAndWork('u2.csv', updateOf('S39,8,\n'))
    expect(await stage.states()).toMatchObject({ 'u1.csv': 'held', 'u2.csv': 'held' })
    expect(await stage.publishedText()).toBe(fileOf(40))
    const versionId = await heldId()
    await publishVersion(stage.deps, stage.supplier, { id: stage.id, versionId })
    const rows = Array.from({ length: 9 }, (_, item) => `S${30 + item},1\r\n`).join('')
    expect(await stage.publishedText()).toBe(`sku,qty\r\n${rows}S39,8\r\n`)
    expect(await stage.states()).toMatchObject({ 'u1.csv': 'published', 'u2.csv': 'published' })
    expect(await gap()).toBeNull()
  })

  it('is published with one that mends it', async () => {
    const restored = Array.from({ length: 30 }, (_, item) => `S${item},2,\n`).join('')
    await sendAndWork('u2.csv', updateOf(restored))
    expect(await stage.states()).toMatchObject({ 'u1.csv': 'published', 'u2.csv': 'published' })
    expect((await versions())[0]).toMatchObject({
      state: 'current',
      update: { items: 30, added: 30 },
      difference: { added: 0, removed: 0, changed: 30 },
    })
  })

  it('is gone with what it said when it is discarded, which is told until a full file comes', async () => {
    const { deps, supplier, id } = stage
    await discardVersion(deps, supplier, { id, versionId: await heldId() })
    expect(await gap()).toMatchObject({ cause: 'discarded' })
    await sendAndWork('u2.csv', updateOf('S39,8,\n'))
    expect(await stage.publishedText()).toBe(fileOf(40).replace('S39,1', 'S39,8'))
    expect(await gap()).toMatchObject({ cause: 'discarded' })
    await sendAndWork('full-2.csv', fileOf(40))
    expect(await gap()).toBeNull()
  })

  it('is refused when it is sent again after it was discarded', async () => {
    const { deps, supplier, id } = stage
    await discardVersion(deps, supplier, { id, versionId: await heldId() })
    await sendAndWork('u1.csv', suspicious())
    expect(await newest()).toMatchObject({
      state: 'refused',
      message: 'This is the file that was held and discarded before.',
    })
  })

  it('gives way to a full file', async () => {
    await sendAndWork('full-2.csv', fileOf(39))
    expect(await stage.publishedText()).toBe(fileOf(39))
    expect(await stage.states()).toMatchObject({ 'u1.csv': 'skipped', 'full-2.csv': 'published' })
  })
})

describe('going back to an older file', () => {
  it('lets later updates go onto it, which is told until a full file comes', async () => {
    const { deps, supplier, id } = stage
    await sendAndWork('full-1.csv', fileOf(3))
    await sendAndWork('u1.csv', updateOf('S0,5,\n'))
    deps.clock.advance(HOUR_MS)
    const [, older] = await versions()
    await publishVersion(deps, supplier, { id, versionId: older!.id })
    const at = new Date(deps.clock.now()).toISOString()
    expect(await gap()).toEqual({ at, cause: 'rolled-back' })
    await sendAndWork('u2.csv', updateOf('S1,6,\n'))
    expect(await stage.publishedText()).toBe('sku,qty\r\nS0,1\r\nS1,6\r\nS2,1\r\n')
    expect(await gap()).toEqual({ at, cause: 'rolled-back' })
  })
})

describe('the settings of a connection', () => {
  it('do not let a file be updated whose items cannot be found', async () => {
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, updates: null })
    await saveGuard(deps, supplier, { id, guard: NO_GUARD })
    await sendAndWork('a.csv', 'sku,qty\nA,1\nA,2\n,1\n')
    const change = (nextIsFull: boolean) =>
      updateConnection(deps, supplier, { id, updates: { ...UPDATES, nextIsFull } })
    await expect(change(false)).rejects.toThrow(
      'The published file cannot be updated: 1 row in it has no “sku”',
    )
    expect(await change(true)).toMatchObject({ updates: { nextIsFull: true, gap: null } })
  })

  it('keep what was said of the next file as long as nothing else is said', async () => {
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, updates: { ...UPDATES, nextIsFull: true } })
    const { removal, fullName } = UPDATES
    const changed = await updateConnection(deps, supplier, { id, updates: { removal, fullName } })
    expect(changed.updates).toMatchObject({ nextIsFull: true })
  })

  it('ask for a full file when the SKUs are in another column', async () => {
    await sendAndWork('full-1.csv', 'sku,ean,qty\nA,1,1\nB,2,2\n')
    const { deps, id } = stage
    const connection = await deps.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
    const columnPolicy = { ...connection.columnPolicy }
    columnPolicy.roles = { ...columnPolicy.roles, sku: 'ean' }
    await deps.db.updateTable('connections').set({ columnPolicy }).where('id', '=', id).execute()
    await sendAndWork('u1.csv', 'sku,ean,qty,action\nA,1,5,\n')
    expect((await newest()).message).toContain('The SKUs are in the column “ean” now')
  })
})

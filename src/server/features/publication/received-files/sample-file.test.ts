import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SAMPLE_CSV, SAMPLE_FILE_NAME } from '../../../../shared/sample-file'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { tryGuard, readGuard } from '../publishing/guard'
import { listVersionHistory } from '../publishing/version-list'

/** A file of another shop, with another category column and far fewer items. */
const OWN = 'article,product_type,stock\r\nX-1,Hats,3\r\nX-2,Boots,5\r\n'

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage()
  await stage.send(SAMPLE_FILE_NAME, SAMPLE_CSV)
  await stage.deps.work()
})
afterEach(() => stage.close())

const states = async () =>
  (await listVersionHistory(stage.deps, stage.supplier, stage.id)).versions.map(
    ({ state }) => state,
  )

describe('the sample that comes with the product', () => {
  it('is read and published like any other file, byte for byte', async () => {
    expect(await stage.states()).toEqual({ [SAMPLE_FILE_NAME]: 'published' })
    expect(await stage.publishedText()).toBe(SAMPLE_CSV)
  })

  it('gives way to the first own file, which is not compared with it', async () => {
    await stage.send('stock.csv', OWN)
    await stage.deps.work()
    expect(await states()).toEqual(['current', 'replaced'])
    const [row] = await stage.deps.db.selectFrom('connections').selectAll().execute()
    expect(row).toMatchObject({ categoryReading: { column: 'product_type' }, heldVersionId: null })
    const [version] = await stage.deps.db
      .selectFrom('versions')
      .select(['goneCount', 'difference'])
      .where('id', '=', row!.publishedVersionId)
      .execute()
    expect(version).toEqual({ goneCount: null, difference: null })
    const guard = await readGuard(stage.deps, stage.supplier, stage.id)
    expect(await tryGuard(stage.deps, stage.supplier, { id: stage.id, guard })).toMatchObject({
      held: [],
    })
  })

  it('is nothing that an update could be merged onto', async () => {
    await updateConnection(stage.deps, stage.supplier, {
      id: stage.id,
      updates: { removal: null, fullName: null, nextIsFull: false },
    })
    await stage.send('changes.csv', 'sku,quantity\r\nX-1,3\r\n')
    await stage.deps.work()
    expect((await stage.received())[0]).toMatchObject({
      state: 'refused',
      message: expect.stringContaining('the first file must have all items'),
    })
  })
})

import { afterEach, beforeEach, expect, it } from 'vitest'

import { previewSourceInput } from '../../../../shared/schemas/connection'
import { openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { previewSource } from '../../catalogue/connections/source-preview'
import { syncNow } from './sync-control'

let stage: SyncStage
beforeEach(async () => {
  stage = await openSyncStage()
})
afterEach(() => stage.close())

async function sync(body: string): Promise<void> {
  stage.sourceServer.set('/feed.csv', { body })
  const { id } = await stage.current()
  await syncNow(stage.deps, stage.supplier, id)
  await stage.deps.work()
}

async function preview(connectionId?: number) {
  const url = stage.sourceServer.url('/feed.csv')
  const input = previewSourceInput.parse({ url, ...(connectionId && { connectionId }) })
  return previewSource(stage.deps, stage.supplier, input)
}

it('publishes a file of keys and quantities without a header, and keeps its columns', async () => {
  stage.sourceServer.set('/feed.csv', { body: 'AB-1,5\nAB-2,0\nAB-3,1\n' })
  const { id } = await stage.connect()
  await stage.deps.work()
  expect(await stage.publishedText()).toBe('column_1,column_2\r\nAB-1,5\r\nAB-2,0\r\nAB-3,1\r\n')
  // Neither says by itself that there is no header.
  for (const body of ['AB-1,4\n', 'SET,5\n1001,0\n1002,3\n']) {
    await sync(body)
    const expected = `column_1,column_2\n${body}`.replaceAll('\n', '\r\n')
    expect(await stage.publishedText()).toBe(expected)
    expect(await preview(id)).toMatchObject({
      dialect: { hasHeader: false },
      problems: expect.arrayContaining([
        expect.objectContaining({ line: 1, setting: 'hasHeader' }),
      ]) as unknown,
    })
    expect(await preview()).toMatchObject({
      dialect: { hasHeader: true },
      problems: [{ line: 1, setting: 'hasHeader' }],
    })
  }
})

it('keeps the names of a header that now looks like a product', async () => {
  stage.sourceServer.set('/feed.csv', { body: 'Nike,Shoes,5\nAsics,Boots,6\nPuma,Hats,7\n' })
  await stage.connect()
  await stage.deps.work()
  expect(await stage.publishedText()).toMatch(/^Nike,Shoes,5\n/)
  const text = 'Nike,Shoes,5\nNike,Shoes,6\nPuma,Hats,7\n'
  await sync(text)
  expect(await stage.publishedText()).toBe(text)
})

it('keeps a header of a known name and a date when the date changes', async () => {
  const withDate = (date: string) => `sku,${date}\nAB-1,5\nAB-2,0\nAB-3,1\n`
  stage.sourceServer.set('/feed.csv', { body: withDate('20261124') })
  const { id } = await stage.connect()
  await stage.deps.work()
  await sync(withDate('20261125'))
  expect(await stage.publishedText()).toBe(withDate('20261125'))
  expect(await preview(id)).toMatchObject({
    dialect: { hasHeader: true },
    problems: [{ line: 1, setting: 'hasHeader' }],
  })
})

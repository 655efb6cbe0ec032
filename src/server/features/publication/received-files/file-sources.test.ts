import { Readable } from 'node:stream'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { sheetOf, xlsx } from '../../../testing/fixtures/workbooks'
import { zip } from '../../../testing/fixtures/zip'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { readFindings } from '../../catalogue/versions/connection-files'
import { publishVersion } from '../publishing/publications'
import { listVersionHistory } from '../publishing/version-list'
import { listRuns } from '../syncs/sync-control'
import { pageTimeline } from '../timeline/timeline'

const SHEET = sheetOf(['sku', 'qty'], ['A-1', 5])

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage()
})
afterEach(() => stage.close())

async function read(fileName: string, content: Buffer | string) {
  await stage.sendBody(fileName, Readable.from([Buffer.from(content)]))
  await stage.deps.work()
}

/** Where the newest file came from, as the versions, the runs and the timeline tell. */
async function sources() {
  const { deps, supplier, id } = stage
  const [version] = (await listVersionHistory(deps, supplier, id)).versions
  const [run] = await listRuns(deps, supplier, id)
  const { items } = await pageTimeline(deps, supplier, { id })
  const sync = items.find((item) => item.kind === 'sync')
  return [version?.source, run?.source, sync?.source]
}

it('a version tells by which file it was sent', async () => {
  await read('stock.csv', 'sku;qty\n1;5\n')
  const received = { fileName: 'stock.csv', isByLink: false }
  const source = { origin: null, received }
  expect(await sources()).toEqual([source, source, source])
})

it('a version tells by which sheet of which file in an archive it was sent', async () => {
  await read('stock.zip', zip({ 'a.xlsx': xlsx({ sheets: { Stock: SHEET } }) }))
  const received = { fileName: 'stock.zip', isByLink: false }
  const source = {
    origin: { form: 'xlsx', sheets: ['Stock'], member: 'a.xlsx', records: null },
    received,
  }
  expect(await sources()).toEqual([source, source, source])
})

it('a version tells that it was sent by an upload link', async () => {
  await stage.send('stock.csv', 'sku;qty\n1;5\n')
  await stage.deps.db.updateTable('receivedFiles').set({ linkEnd: 'x1y2' }).execute()
  await stage.deps.work()
  expect((await sources())[0]).toMatchObject({ received: { isByLink: true } })
})

it('a version keeps its name when the same file comes again, or it is published again', async () => {
  await read('monday.csv', 'sku;qty\n1;5\n')
  await read('tuesday.csv', 'sku;qty\n1;5\n')
  expect((await sources())[0]).toMatchObject({ received: { fileName: 'monday.csv' } })
  await read('wednesday.csv', 'sku;qty\n1;6\n')
  const { deps, supplier, id } = stage
  const [, older] = (await listVersionHistory(deps, supplier, id)).versions
  await publishVersion(deps, supplier, { id, versionId: older!.id })
  expect((await sources())[0]).toMatchObject({ received: { fileName: 'monday.csv' } })
})

it('a run that brought no new file tells of none', async () => {
  await read('stock.csv', 'sku;qty\n1;5\n')
  await read('stock.csv', 'sku;qty\n1;5\n')
  expect((await listRuns(stage.deps, stage.supplier, stage.id))[0]).toMatchObject({
    outcome: 'unchanged',
    source: null,
  })
})

it('a version and its run tell that another sheet was read than before', async () => {
  const told = 'The sheet “Stock” was read before and is gone: “Bestand” was read instead.'
  await read('stock.xlsx', xlsx({ sheets: { Stock: SHEET } }))
  await read('stock.xlsx', xlsx({ sheets: { Bestand: sheetOf(['sku', 'qty'], ['A-2', 6]) } }))
  const { deps, supplier, id } = stage
  expect(await readFindings(deps, supplier, id)).toMatchObject({
    problems: [{ message: told, setting: 'sheets' }],
  })
  // The sheet that is published by now is the one that was read before.
  await read('stock.xlsx', xlsx({ sheets: { Prices: sheetOf(['sku', 'price'], ['A-2', 9]) } }))
  const [held] = (await listVersionHistory(deps, supplier, id)).versions
  const reasons = [
    'The quantity column “qty” is gone.',
    'The sheet “Bestand” was read before and is gone: “Prices” was read instead.',
  ]
  expect(held).toMatchObject({ state: 'held', holdReasons: reasons })
  const [run] = await listRuns(deps, supplier, id)
  expect(run?.reason).toContain(reasons.join(' '))
})

import { afterEach, beforeEach, expect, it } from 'vitest'

import { describeAlert } from '../../../../shared/alert-text'
import { DAY_MS } from '../../../../shared/durations'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { checkAlerts } from '../../../testing/stages/check-alerts'
import { updateConnection } from '../../catalogue/connections/connections'
import { listRuns } from '../syncs/sync-control'

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage()
})
afterEach(() => stage.close())

async function send(fileName: string, content: string) {
  await stage.send(fileName, content)
  await stage.deps.work()
}

/** What the supplier was told last, for example by mail. */
async function lastTold() {
  const events = await stage.deps.db.selectFrom('events').selectAll().orderBy('id').execute()
  return describeAlert(events.at(-1)!, 'SUPPLIER')
}

it('a file that cannot be used is named, by its run too', async () => {
  await send('stock.html', '<!doctype html><html><body>Sign in</body></html>')
  const [refused] = await stage.received()
  const [run] = await listRuns(stage.deps, stage.supplier, stage.id)
  expect(run?.reason).toBe(`stock.html: ${refused?.message}`)
  expect(refused?.message).toMatch(/^The file is a web page/)
  expect(await lastTold()).toEqual({
    title: 'Stock: the file that was sent cannot be used',
    text: run?.reason,
  })
  await send('stock.csv', 'sku,qty\r\n1,5\r\n')
  expect(await lastTold()).toEqual({ title: 'Stock: recovered', text: 'A new file is published.' })
})

it('a file that does not come in time is told as such, and that it has come', async () => {
  const { deps, supplier, id } = stage
  await updateConnection(deps, supplier, { id, expectedEveryHours: 24 })
  deps.clock.advance(2 * DAY_MS)
  await checkAlerts(stage.deps)
  expect(await lastTold()).toEqual({
    title: 'Stock: no new file has come',
    text: 'None has come yet. Your retailers see that the data are late.',
  })
  await send('stock.csv', 'sku,qty\r\n1,5\r\n')
  deps.clock.advance(2 * DAY_MS)
  await checkAlerts(stage.deps)
  expect(await lastTold()).toEqual({
    title: 'Stock: no new file has come',
    text: 'The last one came on 2026-01-17 08:30 UTC. Your retailers see that the data are late.',
  })
  await send('stock.csv', 'sku,qty\r\n1,5\r\n')
  expect(await lastTold()).toEqual({
    title: 'Stock: recovered',
    text: 'The file has what is published.',
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { addShops } from '../support/add-shops'
import type { Page } from '../support/page'
import { startStage, type Stage } from '../support/stage'

const RETAILERS = 120
const FAILED_SYNCS = 120

let stage: Stage
let connectionId: number

beforeAll(async () => {
  stage = await startStage()
  const acme = await stage.addSupplier('acme')
  stage.sourceServer.set('/inventory.csv', { body: 'sku,name\nA1,Boot\n' })
  const url = stage.sourceServer.url('/inventory.csv')
  ;({ id: connectionId } = await stage.addConnection(acme, { name: 'Feed', url }))
  await addShops(stage, acme, RETAILERS)
  await stage.write(async (trx) => {
    const startedAt = Date.now()
    const failed = {
      connectionId,
      leaseToken: 'lease',
      outcome: 'failed',
      error: 'The address has moved.',
    } as const
    await trx
      .insertInto('syncRuns')
      .values(
        Array.from({ length: FAILED_SYNCS }, (_, number) => {
          const at = startedAt - number * 1_000
          return { ...failed, startedAt: at, finishedAt: at }
        }),
      )
      .execute()
  })
})
// A page that has thrown has complained.
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** Crosses all widths at which something is shown in another way, and returns to the first one. */
async function changeWidth(page: Page): Promise<void> {
  for (const width of [1280, 780, 700, 500, 400, 320, 500, 780, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
}

describe('a page with more than a hundred rows, while the window gets narrow and wide again', () => {
  it('shows a list', async () => {
    const { page } = await stage.openAs('acme', '/supplier/retailers?size=100')
    const rows = page.getByRole('button', { name: /^Edit shop-/ })
    await expect.poll(() => rows.count()).toBe(100)
    await changeWidth(page)
    await expect.poll(() => rows.count()).toBe(100)
    await page.setViewportSize({ width: 700, height: 800 })
    await expect.poll(() => page.getByRole('button', { name: /^Actions for/ }).count()).toBe(100)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  it('shows a timeline', async () => {
    const { page } = await stage.openAs('acme', `/supplier/connections/${connectionId}/history`)
    await page.getByRole('button', { name: 'Failures' }).click()
    const failures = page.getByRole('list', { name: 'Timeline' }).getByText('Failed')
    for (const count of [40, 80, 120]) {
      await expect.poll(() => failures.count()).toBe(count)
      if (count < 120) await page.getByRole('button', { name: 'Show older' }).click()
    }
    await changeWidth(page)
    await expect.poll(() => failures.count()).toBe(FAILED_SYNCS)
  })
})

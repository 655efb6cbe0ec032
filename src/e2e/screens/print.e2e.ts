import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { holdFile } from '../support/held-file'
import { until } from '../support/rest-client'
import { readConnection, startStage, type Stage } from '../support/stage'

const PATH = '/inventory.csv'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const rows = Array.from({ length: 30 }, (_, row) => `SKU-${row},Boots,${row}\n`)
  stage.sourceServer.set(PATH, { body: `sku,category,stock\n${rows.join('')}` })
  const acme = await stage.addSupplier('acme')
  const { id } = await stage.addConnection(acme, {
    name: 'Feed',
    url: stage.sourceServer.url(PATH),
  })
  await holdFile(stage, acme, { id, path: PATH, body: 'sku,category,stock\nSKU-1,Boots,1\n' })
  stage.sourceServer.set(PATH, { status: 503 })
  await acme.rest.send('POST', `/api/connections/${id}/sync`)
  await until(
    () => readConnection(acme),
    ({ status }) => status === 'failed',
  )
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('the bars of runs on paper', () => {
  it('have a pattern for each kind of run, which the legend names', async () => {
    const { page } = await stage.openAs('admin', '/dashboard/super-admin/operations')
    const legend = page.getByRole('list', { name: /^Runs of the last/ })
    await legend.waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect
      .poll(() => legend.getByRole('listitem').allInnerTexts())
      .toEqual(['Unchanged 0', 'Published 1', 'Postponed or cancelled 0', 'Held 1', 'Failed 1'])
    const looks = await legend.locator('[data-tone]').evaluateAll((marks) =>
      marks.map((mark) => {
        const { backgroundColor, backgroundImage, printColorAdjust } = getComputedStyle(mark)
        return { look: `${backgroundColor} ${backgroundImage}`, printColorAdjust }
      }),
    )
    expect(new Set(looks.map(({ look }) => look)).size).toBe(5)
    expect(looks.map(({ printColorAdjust }) => printColorAdjust)).toEqual(Array(5).fill('exact'))
    await page.emulateMedia({ media: 'screen', colorScheme: null })
  })
})

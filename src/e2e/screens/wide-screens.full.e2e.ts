import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { readNow, type Locator, type Page } from '../support/page'
import { startRetailerStage } from '../support/retailer-stage'
import { listRetailers, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let northbeck: Supplier

beforeAll(async () => {
  ;({ stage, northbeck } = await startRetailerStage())
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function placeOf(locator: Locator) {
  await locator.waitFor()
  return (await readNow(locator.boundingBox()))!
}

describe('the page of a retailer', () => {
  it('has what is set beside what comes of it, and Save in view wherever it is scrolled', async () => {
    const [retailer] = await listRetailers(northbeck)
    const { page } = await stage.openAs('northbeck', `/supplier/retailers/${retailer!.id}`)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const settings = await placeOf(panel(page, 'Visibility'))
    const reads = await placeOf(panel(page, 'Reads of the file'))
    expect(reads.x).toBeGreaterThan(settings.x + settings.width)
    await page.setViewportSize({ width: 1280, height: 420 })
    const isInView = async () => {
      const { y, height } = await placeOf(save)
      return y >= 56 && y + height <= 420
    }
    await expect.poll(isInView).toBe(true)
    await page.mouse.wheel(0, 5_000)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
    await expect.poll(isInView).toBe(true)
  })

  it('has one column on narrower screens', async () => {
    const [retailer] = await listRetailers(northbeck)
    const { page } = await stage.openAs('northbeck', `/supplier/retailers/${retailer!.id}`)
    await page.setViewportSize({ width: 1100, height: 800 })
    const settings = await placeOf(panel(page, 'Visibility'))
    const reads = await placeOf(panel(page, 'Reads of the file'))
    expect(reads.x).toBe(settings.x)
    expect(reads.y).toBeGreaterThan(settings.y + settings.height)
  })
})

describe('the page of a supplier, for administrators', () => {
  it('has its retailers above the timeline', async () => {
    const { page } = await stage.openAs('admin', `/dashboard/super-admin/suppliers/${northbeck.id}`)
    const retailers = await placeOf(page.getByRole('region', { name: 'Retailers', exact: true }))
    const timeline = await placeOf(panel(page, 'Timeline'))
    expect(retailers.y + retailers.height).toBeLessThan(timeline.y)
  })
})

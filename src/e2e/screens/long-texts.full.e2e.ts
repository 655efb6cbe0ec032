import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Locator, Reading } from '../support/page'
import { signIn, startStage, type Stage } from '../support/stage'

const EMAIL = 'stock@northbeck.example'
const SHOP = `${'climbing-and-mountain-sports-'.repeat(4)}shop.example`

let stage: Stage
let supplierPage: string

beforeAll(async () => {
  stage = await startStage()
  const acme = await stage.addSupplier('acme', { contactEmail: EMAIL })
  await stage.addRetailer(acme, 'cragside', { storeName: 'Cragside Climbing', storeUrl: SHOP })
  supplierPage = `/dashboard/super-admin/suppliers/${acme.id}`
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The lines in which a text is shown. */
const linesOf = (text: Locator): Reading<string[]> =>
  text.evaluate((element) => {
    const lines = new Map<number, string>()
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { top } = range.getBoundingClientRect()
        lines.set(top, `${lines.get(top) ?? ''}${range.toString()}`)
      }
    }
    return [...lines.values()]
  })

describe('a text that does not fit', () => {
  it('ends in an ellipsis inside its card on a phone, and is shown whole by a tap', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const tab = await stage.openWindow('/healthz', phone)
    await signIn(tab, 'admin')
    await tab.page.goto(supplierPage)
    const address = tab.page.getByText(SHOP)
    await expect
      .poll(() => address.evaluate((node) => node.scrollHeight > node.clientHeight + 1))
      .toBe(true)
    // An ellipsis past the edge counts as content that overflows.
    await expect.poll(() => address.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
    await address.tap()
    await tab.page.getByRole('tooltip', { name: SHOP }).waitFor()
  })

  it('of a store is not cut while its column can have more room', async () => {
    const { page } = await stage.openAs('acme', '/supplier/retailers')
    const name = page.getByRole('link', { name: 'Cragside Climbing' })
    await expect.poll(() => name.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  })

  it('is divided behind a separator if it is an address', async () => {
    const { page } = await stage.openAs('admin', supplierPage)
    const address = page.getByRole('definition').filter({ hasText: EMAIL })
    await expect.poll(() => linesOf(address)).toEqual(['stock@northbeck.', 'example'])
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { listRetailers, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const lines = (header: string, count: number, line: (number: number) => string) =>
  `${[header, ...Array.from({ length: count }, (_, number) => line(number))].join('\n')}\n`

describe('a file with 2,000 columns', () => {
  it('is previewed with its first columns and the number of omitted ones', async () => {
    const cells = (prefix: string) => Array.from({ length: 1_999 }, (_, place) => prefix + place)
    const wide = lines(`sku,${cells('column ').join(',')}`, 20, (number) =>
      [number, ...cells('cell ')].join(','),
    )
    stage.sourceServer.set('/wide.csv', { body: wide })
    const supplier = await stage.addSupplier('wide')
    await stage.addConnection(supplier, { name: 'Wide', url: stage.sourceServer.url('/wide.csv') })
    const { page } = await stage.openAs('wide', '/supplier/connections')
    await page.getByRole('button', { name: /^Edit/ }).click()
    await page.getByRole('button', { name: /preview/i }).click()
    await page.getByText('and 1,800 more columns').waitFor()
    await page.getByRole('columnheader', { name: 'column 198', exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'column 199', exact: true }).count())
      .toBe(0)
  })
})

describe('a file with 20,000 categories', () => {
  it('can be searched, and each choice shows the number of visible rows', async () => {
    const many = lines(
      'sku,category',
      20_000,
      (number) => `${number},G${number % 300} > C${number}`,
    )
    stage.sourceServer.set('/many.csv', { body: many })
    const supplier = await stage.addSupplier('many')
    await stage.addConnection(supplier, { name: 'Many', url: stage.sourceServer.url('/many.csv') })
    const { id } = await stage.addRetailer(supplier, 'many-shop', {
      visibilitySettings: { allProducts: false, categories: ['G7 > C7', 'Gone'] },
    })
    const { page } = await stage.openAs('many', `/supplier/retailers/${id}`)
    await page.getByText('1 of 20,000 rows visible').waitFor()
    await page.getByText('not in the file').waitFor()
    const search = page.getByRole('searchbox', { name: 'Search categories' })
    await expect.poll(() => search.getAttribute('placeholder')).toBe('Search 20,300 categories')
    await search.fill('c19999')
    await page.getByRole('treeitem', { name: /^C19999/ }).click()
    await page.getByText('2 of 20,000 rows visible').waitFor()
    await search.fill('')
    // The rest of the top level is loaded on reaching its end.
    await page.getByRole('tree').focus()
    const last = page.getByRole('treeitem', { name: /^G299/ })
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return last.count()
      })
      .toBe(1)
    await last.click()
    await page.getByText('68 of 20,000 rows visible').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings updated successfully').first().waitFor()
    const [retailer] = await listRetailers(supplier)
    expect(retailer?.visibilitySettings.categories).toEqual([
      'G7 > C7',
      'Gone',
      'G199 > C19999',
      'G299',
    ])
  })
})

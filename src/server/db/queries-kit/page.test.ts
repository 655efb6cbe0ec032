import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DEFAULT_PAGE_SIZE as PAGE_SIZE } from '../../../shared/constants'
import { pageSuppliers } from '../../features/operations/suppliers/supplier-observation'
import { createSupplierUser } from '../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'

describe('a page of a list', () => {
  let deps: TestDeps

  beforeEach(async () => {
    deps = await openTestDeps()
  })
  afterEach(() => deps.close())

  async function create(...companyNames: (string | null)[]) {
    for (const companyName of companyNames) await createSupplierUser(deps, { companyName })
  }

  async function names(view: { q?: string; sort?: string; page?: number }) {
    const { rows } = await pageSuppliers(deps, { q: '', page: 1, ...view })
    return rows.map(({ companyName }) => companyName)
  }

  it('is sorted regardless of case, with empty cells last in both directions', async () => {
    await create('beta', null, 'Alpha', 'gamma')
    expect(await names({ sort: 'companyName' })).toEqual(['Alpha', 'beta', 'gamma', null])
    expect(await names({ sort: '-companyName' })).toEqual(['gamma', 'beta', 'Alpha', null])
  })

  it('has the rows in which every search word occurs in some column', async () => {
    await create('North Tools', 'South Tools', 'North Toys')
    expect(await names({ q: 'tools north' })).toEqual(['North Tools'])
    expect(await names({ q: 'NORTH example.com' })).toEqual(['North Tools', 'North Toys'])
  })

  it('searches for %, _ and \\ literally', async () => {
    await create('100 % Wool', '100 Wool', String.raw`back\slash`, 'snake_case')
    expect(await names({ q: '%' })).toEqual(['100 % Wool'])
    expect(await names({ q: '_' })).toEqual(['snake_case'])
    expect(await names({ q: '\\' })).toEqual([String.raw`back\slash`])
  })

  it('is the last one when a later one is requested', async () => {
    await create(...Array.from({ length: PAGE_SIZE + 3 }, (_, index) => `Company ${index}`))
    const beyond = await pageSuppliers(deps, { q: '', page: 9 })
    expect(beyond).toMatchObject({ page: 2, pageCount: 2, matchCount: PAGE_SIZE + 3 })
    expect(beyond.rows.map(({ companyName }) => companyName)).toEqual([
      `Company ${PAGE_SIZE}`,
      `Company ${PAGE_SIZE + 1}`,
      `Company ${PAGE_SIZE + 2}`,
    ])
    const none = await pageSuppliers(deps, { q: 'nothing like it', page: 1 })
    expect(none).toMatchObject({ rows: [], matchCount: 0, totalCount: PAGE_SIZE + 3, pageCount: 1 })
  })

  it('has as many rows as requested', async () => {
    await create(...Array.from({ length: 27 }, (_, index) => `Company ${index}`))
    const second = await pageSuppliers(deps, { q: '', page: 2, size: 25 })
    expect(second).toMatchObject({ page: 2, pageCount: 2, matchCount: 27 })
    expect(second.rows.map(({ companyName }) => companyName)).toEqual(['Company 25', 'Company 26'])
  })
})

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import type { User } from '../../shared/schemas/user'
import { adminUser, Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { ownRetailer, sampleConnection, sampleRetailer } from '../testing/sample-records'

const retailerUser: User = { ...supplierUser, id: 3, username: 'summit', role: 'RETAILER' }

const NO_PAGE = { rows: [], matchCount: 0, totalCount: 0, page: 1, pageCount: 1 }

const rowsPage = (cells: string[][], more = {}) => ({
  columns: ['sku', 'name', 'stock'],
  columnCount: 3,
  rows: cells.map((row, index) => ({ number: index + 1, cells: row })),
  rowsRead: 1_000,
  rowCount: 1_000,
  nextCursor: null,
  ...more,
})

/** Opens the palette from the header of a page that every role has. */
async function openPalette(user: User, answers: Answers) {
  const app = renderApp('/alerts', user, {
    'retailers.page': () => NO_PAGE,
    'connections.list': () => [{ ...sampleConnection, id: 7 }],
    'connections.inventory': () => ({ fileName: 'published.csv' }),
    'retailers.own': () => ({ ...ownRetailer, id: 9 }),
    'retailers.latestFile': () => ({ fileName: 'own.csv' }),
    ...answers,
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Find anything/ }))
  await screen.findByPlaceholderText('Go to …')
  return app
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const seeFirst = (...expected: string[]) =>
  waitFor(() => expect(options().slice(0, expected.length)).toEqual(expected))

describe('the command palette', () => {
  it('finds an administrator the suppliers, and opens the one that is chosen', async () => {
    const { router } = await openPalette(adminUser, {
      'suppliers.page': () => ({
        ...NO_PAGE,
        rows: [{ id: 4, companyName: 'Northbeck Outdoor', username: 'northbeck' }],
      }),
    })
    await userEvent.keyboard('north')
    await seeFirst('Northbeck Outdoor')
    await userEvent.keyboard('{Enter}')
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/dashboard/super-admin/suppliers/4'),
    )
  })

  it('finds an administrator the retailers of all suppliers, and opens them at their supplier', async () => {
    const { router } = await openPalette(adminUser, {
      'suppliers.page': () => NO_PAGE,
      'suppliers.get': () => null,
      'retailers.page': () => ({
        ...NO_PAGE,
        rows: [{ ...sampleRetailer, supplierId: 4, storeName: 'Summit', username: 'summit' }],
      }),
    })
    await userEvent.keyboard('summit')
    await seeFirst('Summitof Northbeck Outdoor')
    await userEvent.keyboard('{Enter}')
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/dashboard/super-admin/suppliers/4'),
    )
    expect(router.state.location.search).toEqual({ q: 'summit' })
  })

  it("finds a supplier the items of its published file, and opens the rows that have one's number", async () => {
    const read = vi.fn<() => unknown>(() =>
      rowsPage([
        ['TRAIL-1', 'Boots', '4'],
        ['X-2', 'Trail socks', '0'],
      ]),
    )
    const { router } = await openPalette(supplierUser, { 'connections.rows': read })
    await userEvent.keyboard('trail')
    await seeFirst('TRAIL-1Boots · 4', 'X-2Trail socks · 0', 'All rows with “trail”')
    expect(read).toHaveBeenLastCalledWith({ id: 7, fileName: 'published.csv', q: 'trail' })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/supplier/inventory'))
    expect(router.state.location.search).toEqual({ connection: 7, rows: 'all', q: 'X-2' })
  })

  it('finds a retailer the items that it may see', async () => {
    const read = vi.fn<() => unknown>(() => rowsPage([['TRAIL-1', 'Boots', '4']]))
    const { router } = await openPalette(retailerUser, { 'retailers.rows': read })
    await userEvent.keyboard('trail')
    await seeFirst('TRAIL-1Boots · 4', 'All rows with “trail”')
    expect(read).toHaveBeenLastCalledWith({ id: 9, fileName: 'own.csv', q: 'trail' })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/retailer/inventory'))
    expect(router.state.location.search).toEqual({ rows: 'all', q: 'trail' })
  })

  it('offers to search on where a large file has been read in part', async () => {
    await openPalette(supplierUser, {
      'connections.rows': () => rowsPage([], { nextCursor: 'further' }),
    })
    await userEvent.keyboard('zzz')
    await screen.findByRole('option', { name: 'All rows with “zzz”' })
    expect(options()).toEqual(['All rows with “zzz”'])
  })

  it('searches nothing for a single letter', async () => {
    const never = () => new Promise(() => {})
    await openPalette(supplierUser, { 'connections.rows': never, 'retailers.page': never })
    await userEvent.keyboard('x')
    expect(await screen.findByText(/Nothing matches/)).toBeDefined()
    await userEvent.keyboard('x')
    expect(await screen.findByText('Searching …')).toBeDefined()
  })

  it('says that the items could not be searched, beside what was found', async () => {
    await openPalette(supplierUser, {
      'connections.rows': () => {
        throw new Refusal(500, 'The file is gone')
      },
      'retailers.page': () => ({ ...NO_PAGE, rows: [{ ...sampleRetailer, storeName: 'Seaside' }] }),
    })
    await userEvent.keyboard('seas')
    await screen.findByText('The items could not be searched')
    expect(options()).toEqual(['Seaside'])
  })

  it('starts a sync, and opens the page that shows how it goes', async () => {
    const sync = vi.fn<() => unknown>(() => ({ message: 'Sync started' }))
    const { router } = await openPalette(supplierUser, {
      'connections.sync': sync,
      'connections.rows': () => rowsPage([]),
    })
    await userEvent.keyboard('sync')
    await seeFirst('Sync now' + sampleConnection.name)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(sync).toHaveBeenCalledWith({ id: 7 }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/supplier/connections'))
  })

  it.each([
    [adminUser, 'Add Supplier', '/dashboard/super-admin'],
    [supplierUser, 'Add Retailer', '/supplier/retailers'],
  ])('opens the form of what %o adds', async (user, action, path) => {
    const { router } = await openPalette(user, { 'suppliers.page': () => NO_PAGE })
    await userEvent.click(await screen.findByRole('option', { name: action }))
    await waitFor(() => expect(router.state.location.pathname).toBe(path))
    expect(router.state.location.search).toEqual({ add: true })
  })
})

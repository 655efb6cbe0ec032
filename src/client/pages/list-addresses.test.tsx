import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { renderApp, supplierUser } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

interface View {
  q: string
  sort?: string
  page: number
  size: number
}

const stores = Array.from({ length: 120 }, (_, index) => ({
  ...sampleRetailer,
  id: index + 1,
  username: `store-${index + 1}`,
  storeName: `Store ${index + 1}`,
}))

/** The first two rows of a page as the server would return it; every sort reverses the order. */
function pageOf({ q, sort, page, size }: View) {
  const matches = stores.filter(({ storeName }) => storeName.includes(q))
  const ordered = sort ? matches.toReversed() : matches
  return {
    rows: ordered.slice((page - 1) * size, (page - 1) * size + 2),
    matchCount: matches.length,
    totalCount: stores.length,
    page,
    pageCount: Math.ceil(matches.length / size),
  }
}

function openList(search = '') {
  const { router } = renderApp(`/supplier/retailers${search}`, supplierUser, {
    'retailers.page': pageOf,
    'retailers.get': ({ id }: { id: number }) => stores[id - 1],
    'connections.list': () => [],
  })
  return {
    address: () => router.state.location.href.replace('/supplier/retailers', ''),
    back: () => act(() => router.history.back()),
  }
}

const sees = async (store: string) => void (await screen.findByRole('link', { name: store }))
const click = async (role: string, name: string) =>
  userEvent.click(await screen.findByRole(role, { name }))

describe('the address of a list', () => {
  it('has its sort, page and page size, and Back undoes each of them', async () => {
    const { address, back } = openList()
    await sees('Store 1')
    await click('button', 'Store Name')
    await sees('Store 120')
    await click('button', '2')
    await sees('Store 70')
    await userEvent.selectOptions(screen.getByLabelText('Rows per page'), '25')
    await sees('Store 120')
    expect(address()).toBe('?sort=storeName&size=25')
    back()
    await sees('Store 70')
    expect(address()).toBe('?sort=storeName&page=2')
    back()
    await sees('Store 120')
    back()
    await sees('Store 1')
    expect(address()).toBe('')
  })

  it('has the search, which Back leaves as a whole', async () => {
    const { address, back } = openList()
    await click('button', '2')
    await userEvent.type(screen.getByRole('searchbox'), 'Store 12')
    await waitFor(() => expect(address()).toBe('?q=Store+12'))
    await screen.findByText('2 of 120 retailers')
    back()
    await sees('Store 1')
    expect(address()).toBe('')
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe(''))
  })

  it('falls back to the defaults where it is not valid, and is corrected', async () => {
    const { address } = openList('?sort=password&page=-3&size=7&q=')
    await sees('Store 1')
    await waitFor(() => expect(address()).toBe(''))
  })

  it('is where a retailer’s Back link leads', async () => {
    const { address } = openList('?page=2&size=25')
    await click('link', 'Store 26')
    await click('link', 'Back')
    await sees('Store 26')
    expect(address()).toBe('?page=2&size=25')
  })
})

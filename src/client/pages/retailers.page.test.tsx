import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Retailer } from '../../shared/schemas/retailer'
import { answerCategories } from '../testing/category-answers'
import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const retailer = (id: number): Retailer => ({
  ...sampleRetailer,
  id,
  userId: id + 100,
  username: `store-${id}`,
  storeName: `Store ${id}`,
})

const stores = [retailer(1), retailer(2), retailer(3)]

/** A page as the server would return it, with two rows per page. */
function pageOf(all: Retailer[], { q, page }: { q: string; page: number }) {
  const matches = all.filter(({ storeName }) => storeName?.toLowerCase().includes(q))
  return {
    rows: matches.slice((page - 1) * 2, page * 2),
    matchCount: matches.length,
    totalCount: all.length,
    page,
    pageCount: Math.max(1, Math.ceil(matches.length / 2)),
  }
}

const renderList = (answers: Answers, path = '/supplier/retailers') =>
  renderApp(path, supplierUser, {
    'retailers.usage': () => [],
    'retailers.page': (input: { q: string; page: number }) => pageOf(stores, input),
    ...answers,
  })

const links = () => screen.getAllByRole('link', { name: /^Store \d$/ }).map((a) => a.textContent)

describe('the retailers page', () => {
  it('shows a busy table while the first page is loading', async () => {
    renderList({ 'retailers.page': () => new Promise(() => {}) })
    const table = await screen.findByRole('table', { name: 'Retailers' })
    expect(table.getAttribute('aria-busy')).toBe('true')
  })

  it('offers to add the first retailer when there is none', async () => {
    renderList({ 'retailers.page': (input: { q: string; page: number }) => pageOf([], input) })
    expect(await screen.findByText('No retailers yet')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Add your first retailer' })).toBeDefined()
  })

  it('shows the server’s error and retries on Try Again', async () => {
    let isDown = true
    renderList({
      'retailers.page': (input: { q: string; page: number }) => {
        if (isDown) throw new Refusal(503, 'The server is busy')
        return pageOf(stores, input)
      },
    })
    expect(await screen.findByText('The server is busy')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('link', { name: 'Store 1' })).toBeDefined()
  })

  it('searches on the server, and clears a search without results', async () => {
    renderList({}, '/supplier/retailers?q=zzz')
    expect(await screen.findByText('No matching retailers')).toBeDefined()
    expect(screen.getByText('0 of 3 retailers')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByRole('link', { name: 'Store 1' })).toBeDefined()
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search retailers' }), 'store 3')
    await waitFor(() => expect(links()).toEqual(['Store 3']))
  })

  it('keeps showing a page until the next one has loaded', async () => {
    let showSecond = () => {}
    const second = new Promise<void>((resolve) => {
      showSecond = resolve
    })
    renderList({
      'retailers.page': async (input: { q: string; page: number }) => {
        if (input.page === 2) await second
        return pageOf(stores, input)
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: '2' }))
    expect(links()).toEqual(['Store 1', 'Store 2'])
    showSecond()
    await waitFor(() => expect(links()).toEqual(['Store 3']))
  })

  it('removes a deleted retailer at once, and restores it when the server refuses', async () => {
    let refuse = () => {}
    renderList({
      'retailers.delete': () =>
        new Promise((_resolve, reject) => {
          refuse = () => reject(new Refusal(500, 'The disk is full'))
        }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Store 1' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Store 1' })).toBeNull())
    refuse()
    expect(await screen.findByText('The disk is full')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Store 1' })).not.toBeNull())
  })
})

describe('the retailer settings page', () => {
  it('says that an unknown retailer was not found', async () => {
    renderList(
      {
        'retailers.get': () => {
          throw new Refusal(404, 'Retailer not found')
        },
      },
      '/supplier/retailers/77',
    )
    expect(await screen.findByText('Retailer not found')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Back to Retailers' })).toBeDefined()
  })

  it('makes no call for an id that is not a number', async () => {
    renderList({}, '/supplier/retailers/abc')
    expect(await screen.findByText('Retailer not found')).toBeDefined()
  })

  it('shows the settings with the categories of the file', async () => {
    renderList(
      {
        'retailers.get': () => ({
          ...retailer(1),
          visibilitySettings: { allProducts: false, categories: ['Boots'] },
        }),
        'connections.list': () => [{ id: 5 }],
        ...answerCategories(
          [
            { label: 'Boots', rows: 1204 },
            { label: 'Tents', rows: 8676 },
          ],
          9880,
        ).answers,
      },
      '/supplier/retailers/1',
    )
    expect(await screen.findByText('1,204 of 9,880 rows visible')).toBeDefined()
  })
})

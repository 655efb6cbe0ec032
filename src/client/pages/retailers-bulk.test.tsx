import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { RetailerUsage, UpdateRetailersInput } from '../../shared/schemas/retailer'
import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const rows = [1, 2, 3].map((id) => ({ ...sampleRetailer, id, storeName: `Store ${id}` }))
const page = { rows, matchCount: 3, totalCount: 3, page: 1, pageCount: 1 }

function open(answers: Answers = {}) {
  renderApp('/supplier/retailers', supplierUser, {
    'retailers.page': () => page,
    'retailers.usage': () => [],
    'connections.list': () => [],
    ...answers,
  })
}

const rowOf = async (store: string) =>
  (await screen.findByRole('link', { name: store })).closest('tr') as HTMLElement
const select = async (name: string) =>
  userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the list of retailers', () => {
  it('shows how many rows each sees, and how it reads them', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const never = { lastPull: null, client: null, pullsIn7Days: 0, versionsBehind: null }
    const daily = { client: 'curl', pullsIn7Days: 672, versionsBehind: 0, isSilent: false }
    const isDeliveryPaused = false
    const usage: RetailerUsage[] = [
      { id: 1, visibleRows: 9880, lastPull: ago(2), ...daily, isDeliveryPaused },
      { id: 2, visibleRows: 0, lastPull: ago(24 * 9), ...daily, isSilent: true, isDeliveryPaused },
      { id: 3, visibleRows: null, ...never, isSilent: false, isDeliveryPaused: true },
    ]
    open({ 'retailers.usage': () => usage })
    const texts = async (store: string) => {
      const cells = within(await rowOf(store)).getAllByRole('cell')
      return cells.slice(-3, -1).map((cell) => cell.textContent)
    }
    await waitFor(async () =>
      expect(await texts('Store 1')).toEqual(['9,880', '2 hours agocurl, 672 in 7 days']),
    )
    expect(await texts('Store 2')).toEqual(['None', '9 days agoSilent'])
    expect(await texts('Store 3')).toEqual(['–', 'NeverDelivery paused'])
  })

  it('opens the preview as a retailer', async () => {
    open({
      'retailers.get': () => rows[1],
      'retailers.inventory': () => ({ message: 'No file is available yet' }),
    })
    await press('Preview as Store 2')
    expect(await screen.findByRole('heading', { name: 'Preview as Store 2' })).toBeDefined()
    expect(await screen.findByText('No file is available yet')).toBeDefined()
  })
})

describe('selected retailers', () => {
  function openForBulk(answers: Answers = {}) {
    const updates: UpdateRetailersInput[] = []
    open({
      'retailers.updateSeveral': (input: UpdateRetailersInput) => {
        updates.push(input)
        return { message: 'Retailers updated' }
      },
      ...answers,
    })
    return updates
  }

  it('get the same frequency with one call', async () => {
    const updates = openForBulk()
    await select('Store 1')
    await select('Store 3')
    expect(screen.getByText('2 retailers selected')).toBeDefined()
    await press('Change settings')
    await userEvent.click(await screen.findByLabelText('Change how often their files are updated'))
    await press('Save for 2 retailers')
    await waitFor(() => expect(updates).toEqual([{ ids: [1, 3], syncFrequency: 1440 }]))
    await waitFor(() => expect(screen.queryByText('2 retailers selected')).toBeNull())
  })

  it('stay as they are until something is chosen', async () => {
    const updates = openForBulk()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
    expect(screen.getByText('3 retailers selected')).toBeDefined()
    await press('Change settings')
    await press('Save for 3 retailers')
    expect(await screen.findByText('Choose what to change')).toBeDefined()
    expect(updates).toEqual([])
  })

  it('are not left without products unless that is confirmed', async () => {
    const updates = openForBulk()
    await select('Store 2')
    await press('Change settings')
    await userEvent.click(await screen.findByLabelText('Change which products they see'))
    await userEvent.click(await screen.findByRole('switch', { name: /^Show All Products/ }))
    await press('Save for 1 retailer')
    expect(
      await screen.findByText(/^No category is chosen\. These retailers will get/),
    ).toBeDefined()
    expect(updates).toEqual([])
    await press('Save anyway')
    const visibilitySettings = { allProducts: false, categories: [] }
    await waitFor(() => expect(updates).toEqual([{ ids: [2], visibilitySettings }]))
  })
})

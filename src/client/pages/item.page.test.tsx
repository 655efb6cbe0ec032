import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { ItemHistory, ItemHistoryInput } from '../../shared/schemas/item-history'
import { Refusal, renderApp, supplierUser } from '../testing/render-app'
import { ownRetailer, sampleConnection } from '../testing/sample-records'

const retailerUser = { ...supplierUser, role: 'RETAILER' } as const

const point = (day: number, quantity: number | null, price: number | null) => ({
  at: `2026-01-0${day}T06:00:00.000Z`,
  state: quantity === null && price === null ? ('out' as const) : ('in' as const),
  quantity,
  price,
})
const history: ItemHistory = {
  key: 'A-1',
  keyColumn: 'sku',
  quantityColumn: 'stock',
  priceColumn: 'price',
  beganAt: '2026-01-01T06:00:00.000Z',
  toldUntil: '2026-01-05T06:00:00.000Z',
  detailFrom: '2026-01-03T06:00:00.000Z',
  isInFile: true,
  quantity: 4,
  price: 12.5,
  firstSeenAt: '2026-01-01T06:00:00.000Z',
  wasThereBefore: true,
  leftAt: null,
  knownDays: 5,
  daysOutOfStock: 1,
  daysNotInFile: 2,
  points: [point(1, 1250, 10), point(2, null, null), point(4, 4, 12.5)],
}
const PATH = '/supplier/connections/1/items'

function renderItem(path: string, answer: (input: ItemHistoryInput) => ItemHistory) {
  const asked: ItemHistoryInput[] = []
  const app = renderApp(path, supplierUser, {
    'connections.list': () => [{ ...sampleConnection, name: 'Outdoor' }],
    'itemHistory.ofConnection': (input: ItemHistoryInput) => {
      asked.push(input)
      return answer(input)
    },
  })
  return { ...app, asked }
}

describe('the page of an item', () => {
  it('shows what it was as facts, charts and a table', async () => {
    renderItem(`${PATH}?sku=A-1`, () => history)
    expect(await screen.findByText(/^Before Jan 1, 2026/)).toBeTruthy()
    expect(screen.getByText('1 of 5 days')).toBeTruthy()
    expect(screen.getByText('2 of 5 days')).toBeTruthy()
    expect(screen.getByText('In the file now')).toBeTruthy()
    const stock = screen.getByRole('slider', { name: 'Quantity (stock) over time' })
    expect(stock.getAttribute('aria-valuetext')).toContain('4, from Jan 4, 2026')
    fireEvent.change(stock, { target: { value: '1' } })
    expect(stock.getAttribute('aria-valuetext')).toContain('Not in the file')
    expect(screen.getByRole('slider', { name: 'Price over time' })).toBeTruthy()
    for (const text of ['1,250', '12.50', 'Not in the file']) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0)
    }
  })

  it('looks up what is entered, and tells what was searched where there is no such item', async () => {
    const { asked } = renderItem(PATH, ({ key }) => {
      throw new Refusal(404, `There is no item “${key}” in the column “sku”.`)
    })
    expect(await screen.findByText('Which item?')).toBeTruthy()
    await userEvent.type(screen.getByRole('searchbox', { name: 'SKU' }), ' 007 ')
    expect(asked).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
    expect(await screen.findByText('There is no item “007” in the column “sku”.')).toBeTruthy()
    expect(asked).toEqual([{ id: 1, key: '007' }])
  })

  it('can be tried again while the history is prepared', async () => {
    let isReady = false
    renderItem(`${PATH}?sku=A-1`, () => {
      if (!isReady) throw new Refusal(503, 'The history of items is being prepared.')
      return history
    })
    expect(await screen.findByText('The history of items is being prepared.')).toBeTruthy()
    isReady = true
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('In the file now')).toBeTruthy()
  })

  it('has no charts and columns of what a retailer may not see', async () => {
    renderApp('/retailer/items?sku=A-1', retailerUser, {
      'retailers.own': () => ownRetailer,
      'itemHistory.ofRetailer': () => ({
        ...history,
        priceColumn: null,
        points: [point(1, 3, null), point(2, 4, null)],
        price: null,
      }),
    })
    expect(await screen.findByText('In the file now')).toBeTruthy()
    expect(screen.getByRole('slider', { name: 'Quantity (stock) over time' })).toBeTruthy()
    expect(screen.queryByRole('slider', { name: /Price/ })).toBeNull()
    expect(screen.queryByText('Price')).toBeNull()
  })
})

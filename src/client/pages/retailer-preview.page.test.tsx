import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { ownRetailer, sampleRetailer } from '../testing/sample-records'

const answers: Answers = {
  'retailers.own': () => ownRetailer,
  'retailers.get': () => sampleRetailer,
  'retailers.inventory': () => ({ message: 'No file is available yet' }),
  'suppliers.contact': () => null,
}

describe('the preview of a retailer without a file', () => {
  it('leads the supplier, whose file is missing, to its connection', async () => {
    renderApp('/supplier/retailers/1/preview', supplierUser, answers)
    const link = await screen.findByRole('link', { name: 'Open Connections' })
    expect(link.getAttribute('href')).toBe('/supplier/connections')
    expect(screen.queryByText(/your supplier/)).toBeNull()
  })

  it('lets the retailer wait for its supplier', async () => {
    renderApp('/retailer/inventory', { ...supplierUser, role: 'RETAILER' }, answers)
    expect(await screen.findByText(/once your supplier has published/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Open Connections' })).toBeNull()
  })
})

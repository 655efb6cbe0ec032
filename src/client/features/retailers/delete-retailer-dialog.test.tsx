import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderWithAnswers } from '../../testing/render-app'
import { sampleRetailer } from '../../testing/sample-records'
import { DeleteRetailerDialog } from './delete-retailer-dialog'

const address = {
  id: 1,
  tokenEnd: 'abcd',
  createdAt: '2026-01-15T08:30:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  lastClient: null,
}

function openDialog(addresses: unknown[]) {
  const nothing = () => undefined
  renderWithAnswers(
    <DeleteRetailerDialog isOpen retailer={sampleRetailer} onClose={nothing} onDeleted={nothing} />,
    { 'feedAddresses.list': () => addresses },
  )
  return screen.findByRole('dialog', { name: 'Delete Retailer' })
}

describe('deleting a retailer', () => {
  it('says that the address of its shop stops working, and when that was read last', async () => {
    const lastUsedAt = new Date(Date.now() - 9 * 60_000).toISOString()
    const dialog = await openDialog([
      { ...address, lastUsedAt },
      { ...address, id: 2 },
    ])
    await screen.findByText(/Its feed address stops working/)
    expect(dialog.textContent).toContain('its shop last read there 9 minutes ago.')
  })

  it('says so of an address at which nothing has read, and nothing without one', async () => {
    const dialog = await openDialog([address])
    await screen.findByText(/nothing has read there yet/)
    expect(dialog.textContent).toContain('This action cannot be undone.')
  })

  it('says nothing of addresses when there is none', async () => {
    const dialog = await openDialog([])
    expect(dialog.textContent).toContain('Are you sure you want to delete the retailer')
    expect(dialog.textContent).not.toContain('feed address')
  })
})

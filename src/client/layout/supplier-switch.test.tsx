import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

import type { User } from '../../shared/schemas/user'
import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { ownRetailer } from '../testing/sample-records'

const shop: User = { ...supplierUser, id: 3, username: 'corner', role: 'RETAILER' }

const relations = [
  { id: 1, supplierName: 'Northbeck', storeName: 'Corner' },
  { id: 2, supplierName: 'Summit', storeName: 'Corner at Summit' },
]
const retailerOf = (id = 1) => ({
  ...ownRetailer,
  id: id === 2 ? 2 : 1,
  supplierName: id === 2 ? 'Summit' : 'Northbeck',
  relations,
})

/** Answers as the server does, and keeps what was asked for. */
function render(path: string, answers: Answers = {}) {
  const asked: (number | undefined)[] = []
  const app = renderApp(path, shop, {
    'retailers.own': (input: { id?: number } | undefined) => {
      asked.push(input?.id)
      return retailerOf(input?.id)
    },
    'retailers.supplier': () => null,
    'retailers.inventory': () => ({ message: 'No file yet' }),
    ...answers,
  })
  return { ...app, asked }
}

beforeEach(() => localStorage.clear())

const findSwitch = (name: string) =>
  screen.findByRole('button', { name: `${name}, choose a supplier` })

describe('the switch of suppliers', () => {
  it('is not there with one supplier, whose address stays as it is', async () => {
    const { router } = render('/retailer/settings', { 'retailers.own': () => ownRetailer })
    await screen.findByRole('heading', { name: 'Settings' })
    await screen.findByText('Store 1')
    expect(screen.queryByRole('button', { name: /choose a supplier/ })).toBeNull()
    expect(router.state.location.href).toBe('/retailer/settings')
  })

  it('shows another supplier by the keyboard, on the same page, in its address and in its links', async () => {
    const { router, asked } = render('/retailer/settings')
    const button = await findSwitch('Northbeck')
    await waitFor(() => expect(router.state.location.href).toBe('/retailer/settings?relation=1'))
    expect(asked).toEqual([undefined])
    // The same one as before the address had it: the focus would be lost otherwise.
    act(() => button.focus())
    await userEvent.keyboard('{Enter}')
    await screen.findByRole('menuitemradio', { name: /Summit/, checked: false })
    await userEvent.click(screen.getByRole('menuitemradio', { name: /Summit/ }))
    await findSwitch('Summit')
    expect(document.activeElement).toBe(button)
    expect(router.state.location.href).toBe('/retailer/settings?relation=2')
    expect(asked.at(-1)).toBe(2)
    await userEvent.click(screen.getByRole('button', { name: 'Open the menu' }))
    const link = await screen.findByRole('link', { name: 'Dashboard' })
    expect(link.getAttribute('href')).toBe('/retailer?relation=2')
  })

  it('begins with the supplier of the address, and else with the one chosen last', async () => {
    render('/retailer/settings?relation=2')
    await findSwitch('Summit')
    const again = render('/retailer/settings')
    await waitFor(() => expect(again.asked).toEqual([2]))
    await waitFor(() =>
      expect(again.router.state.location.href).toBe('/retailer/settings?relation=2'),
    )
  })

  it('leads from an address of somebody else, or of before, to one of its own', async () => {
    const { router } = render('/retailer/settings?relation=77')
    await findSwitch('Northbeck')
    await waitFor(() => expect(router.state.location.href).toBe('/retailer/settings?relation=1'))
  })

  it('is in the command palette too', async () => {
    const { router } = render('/alerts')
    await findSwitch('Northbeck')
    await userEvent.click(screen.getByRole('button', { name: /^Find anything/ }))
    await screen.findByPlaceholderText('Go to …')
    await userEvent.keyboard('summit')
    await waitFor(() => expect(screen.queryAllByRole('option')[0]?.textContent).toContain('Summit'))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/retailer?relation=2'))
  })
})

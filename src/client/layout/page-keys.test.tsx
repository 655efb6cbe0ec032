import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'
import { NAV_ITEMS } from './nav-items'

const page = { matchCount: 1, totalCount: 1, page: 1, pageCount: 1 }
const answers: Answers = {
  'retailers.page': ({ q }: { q: string }) => ({
    ...page,
    rows: 'acme'.startsWith(q) ? [{ ...sampleRetailer, storeName: 'Acme Store' }] : [],
  }),
  'retailers.get': () => ({ ...sampleRetailer, storeName: 'Acme Store' }),
  'connections.list': () => [],
}

async function openRetailers() {
  renderApp('/supplier/retailers', supplierUser, answers)
  await screen.findByText('Acme Store')
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const openPalette = async () => {
  await userEvent.keyboard('{Control>}k{/Control}')
  return screen.findByPlaceholderText('Go to …')
}
const options = () =>
  screen
    .queryAllByRole('option')
    .filter((option) => option.tagName !== 'OPTION')
    .map(({ textContent }) => textContent)

describe('Ctrl+K', () => {
  it('lists what the role can do and its pages, and goes to a page by its name', async () => {
    await openRetailers()
    await openPalette()
    await waitFor(() =>
      expect(options()).toEqual([
        'Add Connection',
        'Add Retailer',
        'Change Password',
        'Switch to dark mode',
        'Use system colours',
        'Logout',
        ...NAV_ITEMS.SUPPLIER.map(({ label }) => label),
        'API',
        'Alerts',
        'API keys',
        'Sessions',
        'People',
        'Help',
        'Search the list of this page/',
        'Keyboard Shortcuts?',
      ]),
    )
    await userEvent.keyboard('conn{Enter}')
    expect(await heading('Data Connections')).toBeDefined()
    await waitFor(() => expect(screen.queryByPlaceholderText('Go to …')).toBeNull())
  })

  it('finds a retailer by the search of the list', async () => {
    await openRetailers()
    await openPalette()
    await userEvent.keyboard('acm')
    await waitFor(() => expect(options()).toEqual(['Acme Store']))
    await userEvent.keyboard('{Enter}')
    expect(await heading('Acme Store')).toBeDefined()
  })

  it('says so when nothing matches, and closes with Escape', async () => {
    await openRetailers()
    await openPalette()
    await userEvent.keyboard('zzz')
    const query = await screen.findByText('zzz')
    expect(query.parentElement?.textContent).toBe('Nothing matches “zzz”.')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByPlaceholderText('Go to …')).toBeNull())
  })

  it('opens the dialog of an action', async () => {
    await openRetailers()
    await openPalette()
    await userEvent.keyboard('password{Enter}')
    expect(await screen.findByText('Reset Admin Password')).toBeDefined()
  })
})

describe('the other keys', () => {
  it('focus the search of the page, and are typed into it', async () => {
    await openRetailers()
    await userEvent.keyboard('/')
    const search = screen.getByLabelText('Search retailers')
    expect(document.activeElement).toBe(search)
    await userEvent.keyboard('a/?')
    expect(search).toHaveProperty('value', 'a/?')
    expect(screen.queryByText('Keyboard Shortcuts')).toBeNull()
  })

  it('list themselves, and do nothing over a dialog', async () => {
    await openRetailers()
    await userEvent.keyboard('?')
    expect(await screen.findByText('Show these shortcuts')).toBeDefined()
    await userEvent.keyboard('/')
    expect(document.activeElement).not.toBe(screen.getByLabelText('Search retailers'))
  })
})

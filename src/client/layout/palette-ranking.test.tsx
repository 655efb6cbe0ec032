import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { renderApp, supplierUser } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

interface Store {
  storeName: string | null
  username?: string
}

/** Opens the palette of a supplier whose search finds these retailers, whatever is typed. */
async function openPalette(stores: Store[], search: () => Promise<void> = async () => {}) {
  const rows = stores.map((store, index) => ({
    ...sampleRetailer,
    username: `login-${index}`,
    ...store,
    id: index + 1,
  }))
  const page = { rows, matchCount: rows.length, totalCount: rows.length, page: 1, pageCount: 1 }
  renderApp('/supplier/settings', supplierUser, {
    'suppliers.profile': () => ({
      companyName: 'Northbeck Outdoor',
      publicEmail: null,
      publicPhone: null,
      publicWebsite: null,
    }),
    'retailers.page': async () => {
      await search()
      return page
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByPlaceholderText('Go to …')
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const seeOptions = (expected: string[]) => waitFor(() => expect(options()).toEqual(expected))
const selected = () => document.querySelector('[data-combobox-selected]')?.textContent

describe('the command palette', () => {
  it('lists a retailer before commands that merely contain what was typed', async () => {
    await openPalette([{ storeName: 'Shortcut Sports' }])
    await userEvent.keyboard('short')
    await seeOptions(['Shortcut Sports', 'Keyboard Shortcuts'])
    expect(selected()).toBe('Shortcut Sports')
  })

  it('lists a retailer before actions, and a page before retailers, that match as well', async () => {
    await openPalette([{ storeName: 'Keyboard Heaven' }, { storeName: 'Seaside' }])
    await userEvent.keyboard('key')
    await seeOptions(['Keyboard Heaven', 'Seaside', 'Keyboard Shortcuts'])
    await userEvent.keyboard('{Backspace>3/}se')
    await waitFor(() => expect(options().slice(0, 2)).toEqual(['Settings', 'Seaside']))
  })

  it('lists names that begin so before those that contain it, and other finds last', async () => {
    await openPalette([
      { storeName: 'By e-mail only' },
      { storeName: 'The Port' },
      { storeName: 'Carport' },
      { storeName: null, username: 'port-7' },
      { storeName: 'Portland' },
      { storeName: 'Port' },
    ])
    await userEvent.keyboard('port')
    const ranked = ['Port', 'port-7', 'Portland', 'The Port', 'Carport', 'By e-mail only']
    await waitFor(() => expect(options()).toEqual(ranked))
  })

  it('finds the best of many matches wherever the list has it', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ storeName: `No. ${index} Boots` }))
    await openPalette([...many, { storeName: 'Boots' }])
    await userEvent.keyboard('boots')
    await waitFor(() => expect(options()[0]).toBe('Boots'))
    expect(options()).toHaveLength(8)
  })

  it('leaves selected what the user has moved to while retailers arrive', async () => {
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await openPalette([{ storeName: 'Se' }], () => isReleased)
    await userEvent.keyboard('se')
    await seeOptions(['Settings', 'Use system colours'])
    await userEvent.keyboard('{ArrowDown}')
    expect(selected()).toBe('Use system colours')
    release()
    await waitFor(() => expect(options()[0]).toBe('Se'))
    expect(selected()).toBe('Use system colours')
  })

  it('does not say that nothing matches while it is searching', async () => {
    await openPalette([{ storeName: 'Found by its address' }], () => new Promise(() => {}))
    await userEvent.keyboard('zzz')
    expect(await screen.findByText('Searching …')).toBeDefined()
    expect(screen.queryByText(/Nothing matches/)).toBeNull()
  })
})

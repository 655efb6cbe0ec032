import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { Refusal, renderApp, supplierUser } from '../testing/render-app'
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
    'connections.list': () => [],
    'secondFactor.get': () => ({ since: null, recoveryCodesLeft: 0, hasPassword: true }),
    'passkeys.list': () => ({ passkeys: [], origin: null, program: null }),
    'retailers.page': async () => {
      await search()
      return page
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByPlaceholderText('Go to …')
}

/** What a supplier can do and open that has `se` in its name. */
const OWN = ['Settings', 'Sessions', 'Search the list of this page/', 'Use system colours']

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const seeOptions = (expected: string[]) => waitFor(() => expect(options()).toEqual(expected))
const selected = () => document.querySelector('[data-combobox-selected]')?.textContent

describe('the command palette', () => {
  it('lists a retailer before commands that merely contain what was typed', async () => {
    await openPalette([{ storeName: 'Shortcut Sports' }])
    await userEvent.keyboard('short')
    await waitFor(() => expect(options()).toEqual(['Shortcut Sports', 'Keyboard Shortcuts?']))
  })

  it('lists retailers before what can be done and opened, however well that matches', async () => {
    await openPalette([{ storeName: 'Keyboard Heaven' }, { storeName: 'Seaside' }])
    await userEvent.keyboard('key')
    await seeOptions(['Keyboard Heaven', 'Seaside', 'Keyboard Shortcuts?', 'API keys'])
    await userEvent.keyboard('{Backspace>3/}se')
    await waitFor(() => expect(options().slice(0, 2)).toEqual(['Seaside', 'Keyboard Heaven']))
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

  it('opens what was selected when a retailer that matches better has arrived', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await openPalette([{ storeName: 'Shortcut Sports' }], () => isReleased)
    await userEvent.keyboard('short')
    await seeOptions(['Keyboard Shortcuts?'])
    expect(selected()).toBe('Keyboard Shortcuts?')
    release()
    await seeOptions(['Shortcut Sports', 'Keyboard Shortcuts?'])
    expect(selected()).toBe('Keyboard Shortcuts?')
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeDefined()
  })

  it('selects the best match once what was selected no longer matches', async () => {
    await openPalette([{ storeName: 'Shortbread' }])
    await userEvent.keyboard('short')
    await seeOptions(['Shortbread', 'Keyboard Shortcuts?'])
    expect(selected()).toBe('Keyboard Shortcuts?')
    await userEvent.keyboard('b')
    await seeOptions(['Shortbread'])
    expect(selected()).toBe('Shortbread')
  })

  it('leaves selected what the user has moved to while retailers arrive', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await openPalette([{ storeName: 'Se' }], () => isReleased)
    await userEvent.keyboard('se')
    await seeOptions(OWN)
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(selected()).toBe('Search the list of this page/')
    release()
    await waitFor(() => expect(options()[0]).toBe('Se'))
    expect(selected()).toBe('Search the list of this page/')
  })

  it('says in a status that nothing matches, and lists nothing', async () => {
    await openPalette([])
    await userEvent.keyboard('zzz')
    const status = (await screen.findByText(/Nothing matches/)).closest('output')
    expect(status?.textContent).toBe('Nothing matches “zzz”.')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(screen.getByPlaceholderText('Go to …').getAttribute('aria-expanded')).toBe('false')
    await userEvent.keyboard('{Backspace>3/}short')
    await seeOptions(['Keyboard Shortcuts?'])
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeDefined()
  })

  it('does not say that nothing matches while it is searching', async () => {
    await openPalette([{ storeName: 'Found by its address' }], () => new Promise(() => {}))
    await userEvent.keyboard('zzz')
    expect(await screen.findByText('Searching …')).toBeDefined()
    expect(screen.queryByText(/Nothing matches/)).toBeNull()
  })

  it('says that the search has failed, also beside commands, and searches again', async () => {
    let isBroken = true
    await openPalette([{ storeName: 'Seaside' }], async () => {
      if (isBroken) throw new Refusal(500, 'Something broke')
    })
    await userEvent.keyboard('se')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Your retailers could not be searched')
    expect(alert.textContent).toContain('Something broke')
    expect(options()).toEqual(OWN)
    await userEvent.keyboard('zzz')
    await waitFor(() => expect(options()).toEqual([]))
    await screen.findByRole('alert')
    expect(screen.queryByText(/Nothing matches/)).toBeNull()
    isBroken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await seeOptions(['Seaside'])
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByPlaceholderText('Go to …')))
  })
})

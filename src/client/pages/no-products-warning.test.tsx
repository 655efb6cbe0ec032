import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { UpdateRetailerInput, VisibilitySettings } from '../../shared/schemas/retailer'
import { renderApp, supplierUser } from '../testing/render-app'
import { sampleConnection, sampleRetailer } from '../testing/sample-records'

const hats = { allProducts: false, categories: ['Hats'] }
const WITHOUT_COLUMN = {
  fileName: 'connection_1_a.csv',
  reading: null,
  rowCount: 3,
  categoryCount: 0,
  isCut: false,
  isLarge: false,
  nodes: [],
  topCount: 0,
}
const NOTHING_PUBLISHED = { message: 'Nothing has been published yet' }

/** Saves a retailer with these settings, on the page or in the dialog; returns what was saved. */
async function save(
  where: 'dialog' | 'page',
  visibilitySettings: VisibilitySettings,
  overview: object,
) {
  const saved: UpdateRetailerInput[] = []
  const retailer = { ...sampleRetailer, visibilitySettings }
  renderApp(where === 'page' ? '/supplier/retailers/1' : '/supplier/retailers', supplierUser, {
    'retailers.page': () => ({
      rows: [retailer],
      matchCount: 1,
      totalCount: 1,
      page: 1,
      pageCount: 1,
    }),
    'retailers.usage': () => [],
    'retailers.get': () => retailer,
    'connections.list': () => [sampleConnection],
    'categories.overview': () => overview,
    'retailers.update': (input: UpdateRetailerInput) => {
      saved.push(input)
      return retailer
    },
  })
  if (where === 'dialog') {
    await userEvent.click(await screen.findByRole('button', { name: 'Settings of Store 1' }))
  }
  await screen.findByText(/has no category column|can be chosen here|Allow access to all/)
  await waitFor(() => expect(screen.queryByLabelText('Loading the categories')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  return saved
}

describe.each(['dialog', 'page'] as const)('settings saved in the %s', (where) => {
  it.each([
    ['a file without a category column', hats, WITHOUT_COLUMN, /^Your file has no category column/],
    ['no category', { ...hats, categories: [] }, NOTHING_PUBLISHED, /^No category is chosen\./],
  ])('with %s are confirmed first', async (_what, settings, overview, text) => {
    const saved = await save(where, settings, overview)
    const dialog = await screen.findByRole('dialog', { name: 'No products will be visible' })
    expect(within(dialog).getByText(text)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() => expect(saved).toMatchObject([{ visibilitySettings: settings }]))
    await waitFor(() => expect(dialog.isConnected).toBe(false))
  })

  it.each([
    ['all products', { allProducts: true, categories: [] }, WITHOUT_COLUMN],
    ['a category', hats, NOTHING_PUBLISHED],
  ])('with %s need no confirmation', async (_what, settings, overview) => {
    const saved = await save(where, settings, overview)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(screen.queryByRole('dialog', { name: 'No products will be visible' })).toBeNull()
  })
})

it('nothing is saved when the supplier cancels', async () => {
  const saved = await save('page', { ...hats, categories: [] }, NOTHING_PUBLISHED)
  await screen.findByRole('dialog', { name: 'No products will be visible' })
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved).toEqual([])
})

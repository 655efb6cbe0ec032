import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { renderWithAnswers } from '../../testing/render-app'
import { ShopFormatPanel } from './shop-format-panel'

const problem = { line: null, message: 'Rows without a SKU were left out.', count: 3 }

/** Renders the card over a server that has this shop format; returns the inputs of its calls. */
function renderCard(stored: Partial<ShopFormat> = {}) {
  const previewed: ShopFormat[] = []
  const saved: ShopFormat[] = []
  renderWithAnswers(<ShopFormatPanel retailerId={3} description="Of the shop" />, {
    'profiles.get': () => ({
      profile: shopFormatSchema.parse(stored),
      columns: [
        { name: 'sku', role: 'sku' },
        { name: 'name', role: null },
      ],
      problems: [problem],
    }),
    'profiles.preview': (input) => {
      previewed.push((input as { profile: ShopFormat }).profile)
      return { columns: ['sku'], columnCount: 1, rows: [['A1']], problems: [], isPartial: false }
    },
    'profiles.save': (input) => {
      saved.push((input as { profile: ShopFormat }).profile)
      return { message: 'Saved' }
    },
  })
  return { previewed, saved }
}

const open = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Change format' }))
  return within(await screen.findByRole('dialog'))
}
const choose = async (dialog: Awaited<ReturnType<typeof open>>, format: string) => {
  await userEvent.click(await dialog.findByRole('combobox', { name: 'Format' }))
  await userEvent.click(await screen.findByRole('option', { name: format, hidden: true }))
}

describe('the shop format', () => {
  it('names the format, what is set, and what was found in the file', async () => {
    renderCard({ kind: 'adobe', buffer: 2, cap: 1_000, skuPrefix: 'x-' })
    expect(await screen.findByText('Adobe Commerce')).toBeDefined()
    const terms = screen.getAllByRole('term').map((term) => term.textContent)
    expect(terms).toEqual(['Format', 'Source', 'SKU prefix', 'Buffer', 'At most'])
    expect(screen.getByText('Rows without a SKU were left out. (3 times)')).toBeDefined()
  })

  it('is previewed as it is chosen, and saved with its options', async () => {
    const { previewed, saved } = renderCard()
    const dialog = await open()
    await dialog.findByText('A1')
    await choose(dialog, 'WooCommerce')
    await userEvent.type(dialog.getByLabelText('Buffer'), '2')
    await expect.poll(() => previewed.at(-1)).toMatchObject({ kind: 'wooCommerce', buffer: 2 })
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect.poll(() => saved).toMatchObject([{ kind: 'wooCommerce', buffer: 2, cap: null }])
  })

  it('guards formulas in Excel unless the choice is taken back', async () => {
    const { previewed, saved } = renderCard({ kind: 'excel' })
    const dialog = await open()
    const guards = dialog.getByRole('checkbox', { name: /^Guard formulas/ })
    expect(guards).toHaveProperty('checked', true)
    await userEvent.click(guards)
    await expect.poll(() => previewed.at(-1)).toMatchObject({ guardsFormulas: false })
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect.poll(() => saved).toMatchObject([{ kind: 'excel', guardsFormulas: false }])
  })

  it('is not previewed or saved before its options are complete', async () => {
    const { previewed, saved } = renderCard()
    const dialog = await open()
    await dialog.findByText('A1')
    await choose(dialog, 'Shopify app, by location')
    await dialog.findByText('Complete the options to see the first rows.')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Enter the location as it is called in the shop')).toBeDefined()
    expect([saved, previewed.every(({ kind }) => kind === 'asIs')]).toEqual([[], true])
  })

  it('leaves columns out again', async () => {
    const columns = [
      { column: 'sku', header: 'Code' },
      { column: 'name', header: 'Title' },
    ]
    const { saved } = renderCard({ kind: 'own', columns })
    const dialog = await open()
    await userEvent.click(await dialog.findByRole('button', { name: 'Leave out sku' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect.poll(() => saved[0]?.columns).toEqual([{ column: 'name', header: 'Title' }])
  })
})

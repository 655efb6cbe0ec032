import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'

import { columnPolicySchema, type ColumnPolicy } from '../../../shared/schemas/column-policy'
import { renderWithAnswers } from '../../testing/render-app'
import { ColumnsCard } from './columns-card'

const EXAMPLE = { text: '12,000', comma: 12, point: 12_000 }

function OpenableCard() {
  const [isOpen, setOpen] = useState(false)
  const dialog = { isOpen, onOpen: () => setOpen(true), onClose: () => setOpen(false) }
  return <ColumnsCard connectionId={3} {...dialog} />
}

/** Renders the card over a server that has this policy; returns what is saved. */
function renderCard(stored: object = {}, columns = ['sku', 'stock', 'Cost']) {
  const saved: ColumnPolicy[] = []
  renderWithAnswers(<OpenableCard />, {
    'columnPolicy.get': () => ({
      policy: columnPolicySchema.parse(stored),
      columns: columns.map((name) => ({ name, sample: `a ${name}` })),
      columnCount: columns.length,
      found: { sku: 'sku', quantity: 'stock', barcode: null, price: null },
      numbers: [{ column: 'stock', style: 'thousands', example: EXAMPLE }],
    }),
    'columnPolicy.stockTexts': () => ({ texts: [{ text: 'high', rows: 12 }], isWhole: true }),
    'columnPolicy.save': (input) => {
      saved.push((input as { policy: ColumnPolicy }).policy)
      return { message: 'Saved' }
    },
  })
  return saved
}

const open = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Change columns' }))
  return within(await screen.findByRole('dialog'))
}
const save = (dialog: Awaited<ReturnType<typeof open>>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Save' }))

describe('the columns of a connection', () => {
  it('are hidden and shown again, and texts get a quantity', async () => {
    const saved = renderCard({ hidden: ['stock'] })
    expect(await screen.findByText('Hidden from retailers')).toBeDefined()
    const dialog = await open()
    await userEvent.click(await dialog.findByRole('switch', { name: /Cost/ }))
    await userEvent.click(dialog.getByRole('switch', { name: /stock/ }))
    await userEvent.type(await dialog.findByLabelText('Quantity for high'), '25')
    await save(dialog)
    await expect
      .poll(() => saved)
      .toMatchObject([{ hidden: ['Cost'], stockTexts: [{ text: 'high', quantity: 25 }] }])
  })

  it('stay hidden, and keep their roles and quantities, when they are gone from the file', async () => {
    const stored = {
      hidden: ['margin'],
      roles: { sku: 'code' },
      stockTexts: [{ text: 'plenty', quantity: 50 }],
    }
    const saved = renderCard(stored)
    const dialog = await open()
    const margin = await dialog.findByRole('switch', { name: /margin/ })
    expect((margin as HTMLInputElement).checked).toBe(false)
    expect(dialog.getByText('This column is not in the file')).toBeDefined()
    const kept = await dialog.findByLabelText('Quantity for plenty')
    expect((kept as HTMLInputElement).value).toBe('50')
    await save(dialog)
    await expect.poll(() => saved).toMatchObject([stored])
  })

  it('are hidden by name before they are in the file', async () => {
    const saved = renderCard()
    const dialog = await open()
    await userEvent.type(
      await dialog.findByLabelText('Name of another column to hide'),
      ' Cost price {Enter}',
    )
    expect(dialog.getByText('Cost price')).toBeDefined()
    await save(dialog)
    await expect.poll(() => saved).toMatchObject([{ hidden: ['Cost price'] }])
  })

  it('have the decimal mark that is chosen for the quantities, which shows what it makes of them', async () => {
    const saved = renderCard()
    const dialog = await open()
    const field = await dialog.findByRole('combobox', { name: 'Decimal mark in “stock”' })
    expect((field as HTMLInputElement).value).toBe('Automatic (not certain)')
    expect(dialog.getByText(/“12,000” is read as 12000. Nothing in the file shows/)).toBeDefined()
    await userEvent.click(field)
    await userEvent.click(await screen.findByRole('option', { name: 'Comma, as in 1.234,50' }))
    expect(await dialog.findByText('“12,000” is read as 12.')).toBeDefined()
    await save(dialog)
    await expect.poll(() => saved).toMatchObject([{ decimalMark: 'comma' }])
  })

  it('cannot be changed before a file is published', async () => {
    renderCard({}, [])
    expect(await screen.findByText('No file is published yet')).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { Connection } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
import { fillIn } from '../../testing/fill-in'
import { renderInTheme } from '../../testing/render'
import { sampleConnection } from '../../testing/sample-records'
import { SentFileForm, type SentFileSettings } from './sent-file-form'

const byHand: Connection = {
  ...sampleConnection,
  config: { url: '', auth: { type: 'none' } },
}

function renderForm(connection: Connection | null = null, error: unknown = null) {
  const sent: SentFileSettings[] = []
  const asked: string[] = []
  renderInTheme(
    <FormDialog isOpen title="A connection" onClose={() => {}}>
      <SentFileForm
        connection={connection}
        isPending={false}
        isPreviewOpen={false}
        preview={{ open: () => asked.push('preview'), close: () => {} }}
        error={error}
        onUseAddress={() => asked.push('address')}
        onSubmit={(settings) => sent.push(settings)}
      />
    </FormDialog>,
  )
  return { sent, asked }
}

describe('how often a file is to come', () => {
  const select = () => screen.getByRole('combobox', { name: 'Tell me when no file has come for' })

  it('is not said unless it is chosen', async () => {
    const { sent } = renderForm()
    await fillIn(screen.getByLabelText('Connection Name'), ' Stock ')
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(sent).toEqual([
      {
        name: 'Stock',
        updates: null,
        file: null,
        expectedEveryHours: null,
        reading: AUTOMATIC_READING,
        categoryReading: null,
        columnRoles: AUTOMATIC_ROLES,
      },
    ])
  })

  it('is chosen in words and submitted in hours', async () => {
    const { sent } = renderForm(byHand)
    await userEvent.click(select())
    await userEvent.click(await screen.findByRole('option', { name: 'Two days' }))
    expect(screen.getByText('Your retailers then see that the data are late.')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Update Connection' }))
    expect(sent).toMatchObject([{ expectedEveryHours: 48 }])
  })

  it('is shown as a script has set it, and can be taken back', async () => {
    const { sent } = renderForm({ ...byHand, expectedEveryHours: 36 })
    expect(select()).toHaveProperty('value', '36 hours')
    await userEvent.click(select())
    await userEvent.click(await screen.findByRole('option', { name: 'Never' }))
    await userEvent.click(screen.getByRole('button', { name: 'Update Connection' }))
    expect(sent).toMatchObject([{ expectedEveryHours: null }])
  })
})

describe('the form of a connection to which files are sent', () => {
  const stock = new File(['sku,qty\n'], 'stock.2026.xlsx')

  it('takes its name from the first file, sends that, and previews it before', async () => {
    const { sent, asked } = renderForm()
    expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull()
    await userEvent.upload(screen.getByLabelText('Your file'), stock)
    expect(await screen.findByDisplayValue('stock.2026')).toBeDefined()
    expect(screen.getByRole('button', { name: /^Your file:.*stock\.2026\.xlsx/ })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create and send' }))
    expect(asked).toEqual(['preview'])
    expect(sent).toMatchObject([{ name: 'stock.2026', file: stock }])
  })

  it('takes the name of another file that takes its place', async () => {
    renderForm()
    await userEvent.upload(screen.getByLabelText('Your file'), stock)
    await screen.findByDisplayValue('stock.2026')
    await userEvent.upload(screen.getByLabelText('Your file'), new File(['sku\n'], 'prices.csv'))
    expect(await screen.findByDisplayValue('prices')).toBeDefined()
  })

  it.each([
    ['the file', null, () => userEvent.upload(screen.getByLabelText('Your file'), stock)],
    [
      'how it is read',
      byHand,
      async () => {
        await userEvent.click(screen.getByRole('button', { name: /^How this file is read/ }))
        await userEvent.type(screen.getByLabelText('Lines to skip before the header'), '2')
      },
    ],
  ])('asks before %s is lost', async (_what, connection, change) => {
    renderForm(connection)
    await change()
    await userEvent.keyboard('{Escape}')
    expect(await screen.findByText('Discard your changes?')).toBeDefined()
  })

  it('keeps a name that was entered before', async () => {
    renderForm()
    await fillIn(screen.getByLabelText('Connection Name'), 'Spring')
    await userEvent.upload(screen.getByLabelText('Your file'), stock)
    await screen.findByRole('button', { name: /^Your file:.*stock\.2026\.xlsx/ })
    expect(screen.getByLabelText('Connection Name')).toHaveProperty('value', 'Spring')
  })

  it('shows errors under its fields', async () => {
    const { sent } = renderForm()
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(screen.getByText('Connection name is required')).toBeDefined()
    expect(sent).toEqual([])
  })

  it('takes no file when it is edited, and goes back to an address', async () => {
    const { asked } = renderForm(byHand)
    expect(screen.queryByLabelText('Your file')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Fetch it from an address instead' }))
    expect(asked).toEqual(['address'])
  })
})

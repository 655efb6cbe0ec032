import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { Connection } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
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
    await userEvent.type(screen.getByLabelText('Connection Name'), ' Stock ')
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(sent).toEqual([
      {
        name: 'Stock',
        file: null,
        expectedEveryHours: null,
        reading: AUTOMATIC_READING,
        categoryReading: null,
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

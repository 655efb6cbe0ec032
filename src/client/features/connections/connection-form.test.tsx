import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { ConnectionForm, type ConnectionSubmission } from './connection-form'

function renderForm() {
  const sent: ConnectionSubmission[] = []
  const previews: string[] = []
  renderInTheme(
    <ConnectionForm
      connection={null}
      isPending={false}
      isPreviewOpen={false}
      preview={{ open: () => previews.push('open'), close: () => {} }}
      error={null}
      onCancel={() => {}}
      onSubmit={(submission) => sent.push(submission)}
    />,
  )
  return { sent, previews }
}

describe('the connection form', () => {
  it('puts messages under its fields and the focus into the first of them', async () => {
    const { sent } = renderForm()
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(screen.getByText('Connection name is required')).toBeDefined()
    expect(screen.getByText('URL is required')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Connection Name'))
    expect(sent).toEqual([])
  })

  it('sends trimmed values and leaves the category column to the sync', async () => {
    const { sent } = renderForm()
    await userEvent.type(screen.getByLabelText('Connection Name'), '  Spring ')
    await userEvent.type(screen.getByLabelText('URL'), 'https://example.com/a.csv ')
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(sent).toEqual([
      {
        name: 'Spring',
        type: 'URL',
        url: 'https://example.com/a.csv',
        fileFormat: 'CSV',
        syncFrequency: 1440,
        categoryReading: undefined,
      },
    ])
  })

  it('previews only an address that could be one', async () => {
    const { previews } = renderForm()
    await userEvent.type(screen.getByLabelText('URL'), 'ftp://example.com/a.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
    expect(screen.getByText('Only http:// and https:// addresses can be used')).toBeDefined()
    expect(previews).toEqual([])
  })
})

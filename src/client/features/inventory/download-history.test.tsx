import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { DownloadHistory } from './download-history'

const record = {
  id: 1,
  downloadedAt: new Date(Date.now() - 3_600_000).toISOString(),
  fileName: 'connection_1_spring.csv',
  dataAsOf: '2025-11-21T12:00:00Z',
  rowCount: 1_234,
  fileSize: 1_536,
  client: 'curl',
}

const renderHistory = (answer: () => unknown) =>
  renderWithAnswers(<DownloadHistory retailerId={3} />, { 'retailers.downloads': answer })

describe('DownloadHistory', () => {
  it('shows rows, size and program of each download', async () => {
    renderHistory(() => [record])
    for (const text of ['1,234', '1.50 KB', 'curl']) {
      expect(await screen.findByText(text)).toBeDefined()
    }
  })

  it('shows five, and all when asked', async () => {
    renderHistory(() => Array.from({ length: 20 }, (_, id) => ({ ...record, id })))
    expect(await screen.findAllByText('curl')).toHaveLength(5)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 20' }))
    expect(screen.getAllByText('curl')).toHaveLength(20)
  })

  it('says when there are no downloads and when they could not be loaded', async () => {
    const { unmount } = renderHistory(() => [])
    expect(await screen.findByText('No downloads yet')).toBeDefined()
    unmount()
    renderHistory(() => Promise.reject(new Refusal(500, 'No')))
    expect(await screen.findByText('The downloads could not be loaded')).toBeDefined()
  })
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { SyncRun } from '../../../shared/schemas/sync-run'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { RunHistory } from './run-history'

const published: SyncRun = {
  id: 1,
  startedAt: '2026-01-15T08:30:00.000Z',
  finishedAt: '2026-01-15T08:30:04.200Z',
  outcome: 'published',
  reason: null,
  bytes: 2_048,
  rows: 1_200,
  durationMs: 4_200,
  fileName: 'connection_1_spring.csv',
  source: null,
  update: null,
  joined: null,
}

const renderHistory = (runs: () => unknown) =>
  renderWithAnswers(<RunHistory connectionId={1} />, { 'connections.runs': runs })

const cellsOf = (row: HTMLElement | undefined) =>
  [...(row?.querySelectorAll('td') ?? [])].slice(1).map(({ textContent }) => textContent)

describe('RunHistory', () => {
  it('lists outcome, reason, size, rows and duration of each run', async () => {
    const failed = { outcome: 'failed', reason: 'The address has moved.', bytes: null, rows: null }
    const running = { outcome: null, finishedAt: null, durationMs: null, fileName: null }
    const postponed = { outcome: 'postponed', reason: 'Others were waiting.', bytes: 77, rows: 2 }
    renderHistory(() => [
      { ...published, id: 4, ...postponed, fileName: null },
      { ...published, id: 3, ...running },
      { ...published, id: 2, ...failed, fileName: null },
      published,
    ])
    expect(await screen.findByText('The address has moved.')).toBeDefined()
    const [, ...rows] = screen.getAllByRole('row')
    expect(rows.map(cellsOf)).toEqual([
      ['Postponed', 'Others were waiting.', '77 Bytes', '2', '4.2 s'],
      ['Running', '–', '–', '–', '–'],
      ['Failed', 'The address has moved.', '–', '–', '4.2 s'],
      ['Published', 'New file', '2 KB', '1,200', '4.2 s'],
    ])
  })

  it('leads from a new file to what it has changed, on the pages of its supplier', async () => {
    const answers = { 'connections.runs': () => [published] }
    renderWithAnswers(<RunHistory connectionId={1} canCompare />, answers)
    const link = await screen.findByRole('link', { name: /^New file of .*, compared/ })
    expect(link.textContent).toBe('New file')
    expect(link.getAttribute('href')).toBe(
      '/supplier/connections/1/comparison?to=connection_1_spring.csv',
    )
  })

  it('shows eight runs, and all on request', async () => {
    renderHistory(() => Array.from({ length: 12 }, (_, index) => ({ ...published, id: index + 1 })))
    await screen.findAllByText('Published')
    expect(screen.getAllByText('Published')).toHaveLength(8)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 12' }))
    expect(screen.getAllByText('Published')).toHaveLength(12)
    await userEvent.click(screen.getByRole('button', { name: 'Show the last 8' }))
    expect(screen.getAllByText('Published')).toHaveLength(8)
  })

  it('says that there are no runs yet', async () => {
    renderHistory(() => [])
    expect(await screen.findByText('No runs yet')).toBeDefined()
  })

  it('retries on Try Again when it could not be loaded', async () => {
    let isDown = true
    renderHistory(() => {
      if (isDown) throw new Refusal(500, 'Internal server error')
      return [published]
    })
    expect(await screen.findByText('The run history could not be loaded')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Published')).toBeDefined()
  })
})

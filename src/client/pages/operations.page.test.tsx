import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../shared/durations'
import type { FinishedRun, RunningSync, SyncActivity } from '../../shared/schemas/operations'
import { adminUser, Refusal, renderApp, type Answers } from '../testing/render-app'
import { idleActivity, sampleOverview } from '../testing/sample-records'

const place = {
  connectionId: 7,
  connectionName: 'Spring catalogue',
  supplierId: 2,
  supplierName: 'Northbeck Outdoor',
}
const run: RunningSync = {
  ...place,
  startedAt: new Date(Date.now() - 120_000).toISOString(),
  progress: { bytes: 1024 ** 2, rows: 20_000, expectedBytes: 4 * 1024 ** 2 },
}
const NO_RUNS = { published: 0, unchanged: 0, held: 0, failed: 0, postponed: 0, cancelled: 0 }
const thisHour = () => new Date(Date.now() - (Date.now() % HOUR_MS)).toISOString()
const finishedRun: FinishedRun = {
  ...place,
  id: 1,
  finishedAt: new Date().toISOString(),
  outcome: 'failed',
  reason: 'The source answered 503',
}
const waiting = { ...place, connectionId: 8, connectionName: 'Other feed' }

function renderPage(activity: Partial<SyncActivity>, answers: Answers = {}) {
  renderApp('/dashboard/super-admin/operations', adminUser, {
    'operations.overview': () => sampleOverview,
    'operations.syncs': () => ({ ...idleActivity, ...activity }),
    'operations.runHours': () => [],
    ...answers,
  })
}

const withRun = { running: [run], runningCount: 1 }
const cancelButton = () =>
  screen.findByRole('button', { name: 'Cancel sync Spring catalogue of Northbeck Outdoor' })

describe('the Operations page', () => {
  it('says that nothing is running', async () => {
    renderPage({})
    expect(await screen.findByText('Nothing is running')).toBeDefined()
    expect(screen.queryByText('Waiting')).toBeNull()
    const facts = await screen.findByRole('region', { name: 'Queue and workers' })
    expect(await within(facts).findByText('Worker in the web process')).toBeDefined()
  })

  it('lists each running sync with its supplier and progress', async () => {
    renderPage(withRun)
    const table = await screen.findByRole('table', { name: 'Running syncs' })
    expect(await within(table).findByText('1 MB of 4 MB · 20,000 rows')).toBeDefined()
    expect(within(table).getByText('2 minutes ago')).toBeDefined()
    const link = within(table).getByRole('link', { name: 'Northbeck Outdoor' })
    expect(link.getAttribute('href')).toBe('/dashboard/super-admin/suppliers/2')
    const bar = within(table).getByRole('progressbar', { name: 'Sync of Spring catalogue' })
    expect(bar.getAttribute('value')).toBe('25')
  })

  it('shows what came of the runs of each hour, and lists those of a bar and of an outcome', async () => {
    const outcomes = { ...NO_RUNS, published: 12, failed: 3 }
    const asked: unknown[] = []
    renderPage(
      {},
      {
        'operations.runHours': (input) =>
          (input as { hours: number }).hours === 24
            ? [{ startedAt: thisHour(), outcomes, wait: null }]
            : [],
        'operations.finishedRuns': (input) => {
          asked.push(input)
          return [finishedRun]
        },
      },
    )
    const bars = await screen.findByRole('slider', { name: /^Runs by hour/ })
    expect(bars.getAttribute('aria-valuetext')).toMatch(/: 12 published, 3 failed$/)
    bars.focus()
    await userEvent.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: /^Runs - / })
    expect(await within(dialog).findByText('The source answered 503')).toBeDefined()
    expect(asked).toMatchObject([{ from: thisHour() }])
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'Failed' }))
    await screen.findByRole('dialog', { name: 'Runs - Failed' })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toMatchObject({ outcome: 'failed' })
  })

  it('marks whole numbers of runs only', async () => {
    const outcomes = { ...NO_RUNS, published: 1 }
    renderPage(
      {},
      { 'operations.runHours': () => [{ startedAt: thisHour(), outcomes, wait: null }] },
    )
    const panel = await screen.findByRole('region', { name: 'Runs' })
    await within(panel).findByRole('slider')
    expect(within(panel).queryByText('0.5')).toBeNull()
    expect(within(panel).getAllByText('0').length).toBeGreaterThan(0)
  })

  it('says that no run has finished, of the last day and of the last month', async () => {
    renderPage({})
    expect(await screen.findByText('No runs yet')).toBeDefined()
    await userEvent.click(screen.getByRole('radio', { name: '30 days' }))
    expect(await screen.findByText('No runs yet')).toBeDefined()
  })

  it('lists the first of many waiting syncs, and says how many there are', async () => {
    renderPage({ waiting: [{ ...waiting, dueAt: run.startedAt }], waitingCount: 40 })
    expect(await screen.findByText('The 1 longest waiting of 40')).toBeDefined()
    const table = screen.getByRole('table', { name: 'Waiting syncs' })
    expect(within(table).getByText('Other feed')).toBeDefined()
  })

  it('exports what runs and what waits, as spreadsheets read it', async () => {
    renderPage({ ...withRun, waiting: [{ ...waiting, dueAt: run.startedAt }], waitingCount: 1 })
    const csvOf = async (panel: string) => {
      const region = await screen.findByRole('region', { name: panel })
      const link = await within(region).findByRole('link', { name: 'Export CSV' })
      return decodeURIComponent(link.getAttribute('href')?.split(',').slice(1).join(',') ?? '')
    }
    const start = run.startedAt
    expect(await csvOf('Running now')).toBe(
      [
        '\uFEFF"supplier","connection","started","bytes read","bytes expected","rows read"',
        `"Northbeck Outdoor","Spring catalogue","${start}","1048576","4194304","20000"\r\n`,
      ].join('\r\n'),
    )
    expect(await csvOf('Waiting')).toBe(
      `\uFEFF"supplier","connection","due"\r\n"Northbeck Outdoor","Other feed","${start}"\r\n`,
    )
  })

  it('cancels a sync after a question that names it', async () => {
    const cancelled: unknown[] = []
    let activity: Partial<SyncActivity> = withRun
    renderPage(
      {},
      {
        'operations.syncs': () => ({ ...idleActivity, ...activity }),
        'connections.cancelSync': (input) => {
          cancelled.push(input)
          activity = {}
          return { message: 'Sync cancelled' }
        },
      },
    )
    await userEvent.click(await cancelButton())
    const dialog = await screen.findByRole('dialog', { name: 'Cancel Sync' })
    expect(dialog.textContent).toContain('the sync of "Spring catalogue" of Northbeck Outdoor?')
    expect(cancelled).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel Sync' }))
    expect(await screen.findByText('Sync cancelled')).toBeDefined()
    expect(cancelled).toEqual([{ id: 7 }])
    expect(await screen.findByText('Nothing is running')).toBeDefined()
  })

  it('keeps the sync when the question is dismissed', async () => {
    renderPage(withRun)
    await userEvent.click(await cancelButton())
    await userEvent.click(await screen.findByRole('button', { name: 'Keep Running' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('retries on Try Again when the syncs could not be loaded', async () => {
    let isDown = true
    renderPage(
      {},
      {
        'operations.syncs': () => {
          if (isDown) throw new Refusal(500, 'Internal server error')
          return idleActivity
        },
      },
    )
    expect(await screen.findByText('The syncs could not be loaded')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Nothing is running')).toBeDefined()
  })
})

import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Connection } from '../../../shared/schemas/connection'
import type { SyncRun } from '../../../shared/schemas/sync-run'
import { DEFAULT_TRANSFER } from '../../../shared/schemas/transfer'
import { Toaster } from '../../components/feedback/toaster'
import { Refusal, renderWithAnswers, type Answers } from '../../testing/render-app'
import { sampleConnection } from '../../testing/sample-records'
import { ConnectionHealth } from './connection-health'

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS + 60_000).toISOString()

const healthy: Connection = {
  ...sampleConnection,
  lastSync: inHours(-2),
  createdAt: inHours(-48),
  lastAttemptAt: inHours(-2),
  nextSyncAt: inHours(3),
}

const published: SyncRun = {
  id: 8,
  startedAt: inHours(-2),
  finishedAt: inHours(-2),
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

const BY_HAND = { config: { url: '', auth: { type: 'none' } }, nextSyncAt: null } as const

const renderHealth = (connection: Partial<Connection>, answers: Answers = {}) =>
  renderWithAnswers(
    <>
      <ConnectionHealth connection={{ ...healthy, ...connection }} />
      <Toaster />
    </>,
    { 'connections.runs': () => [published], ...answers },
  )

describe('ConnectionHealth', () => {
  it('says that nothing runs until a file is sent, where there is no address', async () => {
    renderHealth(BY_HAND)
    expect(await screen.findByText('When a file is sent')).toBeDefined()
  })

  it('shows the last result and the next run in words', () => {
    renderHealth({})
    expect(screen.getByText('Synced')).toBeDefined()
    expect(screen.getByText('in 3 hours')).toBeDefined()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('shows where the file of a shared link is fetched from, and nothing for other addresses', () => {
    const url = 'https://github.com/acme/stock/blob/main/a.csv'
    const { unmount } = renderHealth({ config: { url, auth: { type: 'none' } } })
    expect(screen.getByText(/^Fetched from/).textContent).toBe(
      'Fetched from https://github.com/acme/stock/raw/main/a.csv',
    )
    unmount()
    renderHealth({})
    expect(screen.queryByText(/^Fetched from/)).toBeNull()
  })

  const SERVER = { url: 'sftp://files.example/a.csv', auth: { type: 'none' } } as const

  it.each([
    ['sftp://files.example/a.csv', { allowsOld: true }, 'Old encryption'],
    ['ftp://files.example/a.csv', { usesTls: false }, 'Not encrypted'],
  ])('marks the way from %s as weak', (url, weak, mark) => {
    const transfer = { ...DEFAULT_TRANSFER, ...weak }
    const { unmount } = renderHealth({ config: { ...SERVER, url, transfer } })
    expect(screen.getByText(mark)).toBeDefined()
    unmount()
    renderHealth({ config: { ...SERVER, url, transfer: DEFAULT_TRANSFER } })
    expect(screen.queryByText(mark)).toBeNull()
  })

  it('tells why a file that was read stays at its server', () => {
    renderHealth({ afterReadingError: 'This user may not do that.' })
    expect(screen.getByText(/could not be moved or deleted.*This user may not/)).toBeDefined()
  })

  it('tells what is missing of updates, and lets the next file be a full one', async () => {
    const updates = { removal: null, fullName: null, nextIsFull: false }
    const gap = { at: inHours(-1), cause: 'discarded' } as const
    const inputs: unknown[] = []
    const saved = { ...healthy, updates: { ...updates, nextIsFull: true, gap } }
    renderHealth(
      { updates: { ...updates, gap } },
      {
        'connections.update': (input) => {
          inputs.push(input)
          return saved
        },
      },
    )
    expect(screen.getByText('Only what has changed')).toBeDefined()
    expect(
      screen.getByText(/A held file was discarded.*A full file brings everything/),
    ).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'The next file is a full one' }))
    expect(inputs).toEqual([{ id: 1, updates: { ...updates, nextIsFull: true } }])
  })

  it('shows why a sync failed and which file retailers keep', () => {
    renderHealth({
      status: 'failed',
      lastError: 'The server answered 404 Not Found.',
      consecutiveFailures: 3,
    })
    expect(screen.getByText('Failed')).toBeDefined()
    expect(screen.getByText('The server answered 404 Not Found.')).toBeDefined()
    expect(screen.getByText(/3 attempts in a row have failed/).textContent).toContain(
      'Retailers keep the last good file',
    )
  })

  it('does not mark a postponed sync as failed', () => {
    const lastError = 'Postponed: the source sends slowly, and others were waiting.'
    const { unmount } = renderHealth({ status: 'delayed', lastError, consecutiveFailures: 0 })
    expect(screen.getByText('Delayed')).toBeDefined()
    expect(screen.getByText(lastError)).toBeDefined()
    expect(screen.queryByText(/failed/)).toBeNull()
    unmount()
    renderHealth({ lastError: 'Not found.', consecutiveFailures: 1 })
    expect(screen.getByText(/, failed/)).toBeDefined()
  })

  it.each<[string, Partial<Connection>, boolean]>([
    ['held', { status: 'held', freshness: 'held' }, false],
    ['held while the next sync runs', { status: 'running', freshness: 'held' }, false],
    ['held before it was paused', { status: 'paused', isActive: false }, false],
    ['delayed', { status: 'delayed' }, false],
    ['failed', { status: 'failed', consecutiveFailures: 1 }, true],
    ['failed before the sync that runs', { status: 'running', consecutiveFailures: 1 }, true],
  ])('shows in red only why a sync failed: %s', (_, fields, isFailure) => {
    renderHealth({ lastError: 'The reason.', ...fields })
    const marked = screen.getByText('The reason.').closest('[data-failing]')
    expect(marked !== null).toBe(isFailure)
  })

  it('shows no next run while the connection is inactive', () => {
    renderHealth({ isActive: false, status: 'paused' })
    expect(screen.getByText('Paused')).toBeDefined()
    expect(screen.getByText('Not scheduled')).toBeDefined()
  })
})

describe('the progress of a sync', () => {
  const MIB = 1024 * 1024

  it('shows received and expected size, and rows', () => {
    const progress = { bytes: 12.4 * MIB, rows: 120_000, expectedBytes: 31 * MIB }
    renderHealth({ status: 'running', progress })
    expect(screen.getByText('Downloading the file')).toBeDefined()
    expect(screen.getByText('12.4 MB of 31 MB · 120,000 rows')).toBeDefined()
    const bar = screen.getByRole('progressbar', { name: 'Sync of Spring catalogue' })
    expect(bar.getAttribute('value')).toBe('40')
  })

  it('shows an indeterminate bar when the size is unknown', () => {
    renderHealth({ status: 'running', progress: { bytes: 5 * MIB, rows: 0, expectedBytes: null } })
    expect(screen.getByText('5 MB')).toBeDefined()
    expect(screen.getByRole('progressbar').hasAttribute('value')).toBe(false)
  })

  it.each([
    [{ status: 'queued' }, 'Waiting in the queue'],
    [{ status: 'running' }, 'Contacting the source'],
    [{ status: 'running', progress: { bytes: 9, rows: 1, expectedBytes: 9 } }, 'Checking the file'],
  ] satisfies [Partial<Connection>, string][])('%o shows the step %s', (connection, step) => {
    renderHealth(connection)
    expect(screen.getByText(step)).toBeDefined()
  })

  it('offers a button that cancels the sync', async () => {
    const cancelled: unknown[] = []
    const cancelSync = (input: unknown) => {
      cancelled.push(input)
      return { message: 'Sync cancelled' }
    }
    renderHealth({ status: 'running' }, { 'connections.cancelSync': cancelSync })
    await userEvent.click(screen.getByRole('button', { name: 'Cancel sync Spring catalogue' }))
    expect(await screen.findByText('Sync cancelled')).toBeDefined()
    expect(cancelled).toEqual([{ id: 1 }])
  })
})

describe('RunBar', () => {
  it('describes each run in words', async () => {
    const failed = { outcome: 'failed', reason: 'The server answered 503.', rows: null } as const
    const runs = [{ ...published, id: 9, ...failed }, published]
    renderHealth({}, { 'connections.runs': () => runs })
    expect(await screen.findByText('Last 20 runs: 1 failed, 1 published')).toBeDefined()
    const pointer = screen.getByRole('slider', { name: 'Last 20 runs' })
    fireEvent.focus(pointer)
    const newest = await screen.findByText(/^Failed, .*, 4\.2 s, The server answered 503\.$/)
    expect(pointer.getAttribute('aria-valuetext')).toBe(newest.textContent)
    fireEvent.change(pointer, { target: { value: '18' } })
    expect(await screen.findByText(/^Published, .*, 1,200 rows, 4\.2 s$/)).toBeDefined()
    fireEvent.blur(pointer)
    expect(screen.getByText('Last 20 runs: 1 failed, 1 published')).toBeDefined()
  })

  it('shows at most twenty runs', async () => {
    const runs = Array.from({ length: 50 }, (_, id) => ({ ...published, id: id + 1 }))
    renderHealth({}, { 'connections.runs': () => runs })
    expect(await screen.findByText('Last 20 runs: 20 published')).toBeDefined()
    expect(screen.getByRole('slider', { name: 'Last 20 runs' })).toHaveProperty('min', '0')
  })

  it('says when there are no runs and when they could not be loaded', async () => {
    const { unmount } = renderHealth({}, { 'connections.runs': () => [] })
    expect(await screen.findByText('No runs yet.')).toBeDefined()
    unmount()
    renderHealth({}, { 'connections.runs': () => Promise.reject(new Refusal(500, 'No')) })
    expect(await screen.findByText('The last runs could not be loaded.')).toBeDefined()
  })
})

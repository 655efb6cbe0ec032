import { useQueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { act, useEffect, useState } from 'react'
import { describe, expect, it } from 'vitest'

import type { CronJob } from '../../shared/schemas/cron-job'
import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import { renderWithAnswers, supplierUser } from '../testing/render-app'
import {
  idleActivity,
  sampleConnection,
  sampleOverview,
  sampleStorage,
} from '../testing/sample-records'
import { trpc } from '../trpc'
import { createLiveCache } from './live-cache'

const supplier = { ...supplierUser, retailerCount: 0, publishedAt: null }
const run = {
  connectionId: 1,
  connectionName: 'Spring',
  supplierId: 2,
  supplierName: 'Northbeck',
  startedAt: '2026-01-15T08:30:00.000Z',
  progress: { bytes: 0, rows: 0, expectedBytes: null },
}
const live: LiveConnection = {
  id: 1,
  status: 'running',
  freshness: 'on-time',
  lastSync: null,
  lastAttemptAt: null,
  lastError: null,
  nextSyncAt: null,
  consecutiveFailures: 0,
  progress: { bytes: 9, rows: 7, expectedBytes: null },
}
const sampleJob: CronJob = {
  name: 'job',
  description: 'Does something',
  schedule: '* * * * *',
  scheduleText: 'Every minute',
  lastRun: null,
  status: 'succeeded',
  nextRun: null,
  isActive: true,
  step: null,
  lastError: null,
}
const LISTS = ['suppliers.get', 'suppliers.page']
const WORK = ['operations.overview', 'operations.syncs', 'operations.troubles']

/** Paths of the calls made so far. */
let calls: string[]
let take: (items: LiveItem[]) => void

function Page() {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const [cache] = useState(() => createLiveCache(queryClient, utils))
  const page = trpc.suppliers.page.useQuery({}).data
  const opened = trpc.suppliers.get.useQuery({ id: 2 }).data
  const activity = trpc.operations.syncs.useQuery().data
  const workers = trpc.operations.overview.useQuery().data?.workers
  trpc.operations.storage.useQuery()
  trpc.operations.troubles.useQuery()
  trpc.operations.runHours.useQuery({ hours: 24 })
  trpc.connections.runs.useQuery({ id: 1 })
  useEffect(() => {
    take = cache
  }, [cache])
  return (
    <>
      <p>listed as {page?.rows[0]?.connection?.status}</p>
      <p>opened as {opened?.connection?.status}</p>
      <p>{activity?.running[0]?.progress.rows} rows</p>
      <p>last job at {workers?.lastActiveAt}</p>
    </>
  )
}

async function renderLoaded() {
  const answers = {
    'suppliers.page': () => ({ rows: [{ ...supplier, connection: sampleConnection }] }),
    'suppliers.get': () => ({ ...supplier, connection: sampleConnection }),
    'operations.syncs': () => ({ ...idleActivity, running: [run] }),
    'operations.overview': () => sampleOverview,
    'operations.storage': () => sampleStorage,
    'operations.troubles': () => [],
    'operations.runHours': () => [],
    'connections.runs': () => [],
  }
  calls = []
  const counted = Object.entries(answers).map(([path, answer]) => [
    path,
    () => {
      calls.push(path)
      return answer()
    },
  ])
  renderWithAnswers(<Page />, Object.fromEntries(counted))
  await screen.findByText('listed as synced')
  await screen.findByText('0 rows')
  await waitFor(() => expect(calls).toHaveLength(8))
  calls = []
}

const push = (...items: LiveItem[]) => act(async () => take(items))
const pushConnection = (changes: Partial<LiveConnection> = {}) =>
  push({ kind: 'connection', connection: { ...live, ...changes } })

describe('a live update of a connection, for an administrator', () => {
  it('is shown in the list, on the supplier’s page and among the running syncs', async () => {
    await renderLoaded()
    await pushConnection()
    expect(await screen.findByText('listed as running')).toBeDefined()
    expect(screen.getByText('opened as running')).toBeDefined()
  })

  it('refetches what runs when a sync begins, and only sets its progress afterwards', async () => {
    await renderLoaded()
    await pushConnection()
    await waitFor(() => expect(calls).toHaveLength(4))
    expect(calls.toSorted()).toEqual(['connections.runs', ...WORK])
    calls = []
    await pushConnection({ progress: { bytes: 99, rows: 77, expectedBytes: null } })
    expect(await screen.findByText('77 rows')).toBeDefined()
    expect(calls).toEqual([])
  })

  it('refetches lists and counts once when syncs end', async () => {
    await renderLoaded()
    const ended = { status: 'synced', lastAttemptAt: '2026-01-15T08:31:00.000Z' } as const
    await push(
      { kind: 'connection', connection: { ...live, ...ended } },
      { kind: 'connection', connection: { ...live, ...ended, id: 9 } },
    )
    await waitFor(() => expect(calls).toHaveLength(7))
    const sorted = ['connections.runs', ...WORK, ...LISTS, 'operations.runHours'].toSorted()
    expect(calls.toSorted()).toEqual(sorted)
  })

  it('refetches the counts of runs once a minute at most, however many end', async () => {
    await renderLoaded()
    const end = (at: number) =>
      pushConnection({ status: 'synced', lastAttemptAt: `2026-01-15T08:3${at}:00.000Z` })
    await end(1)
    await waitFor(() => expect(calls).toContain('operations.runHours'))
    calls = []
    await pushConnection()
    await end(2)
    await waitFor(() => expect(calls).toContain('suppliers.page'))
    expect(calls).not.toContain('operations.runHours')
  })
})

describe('other live updates for an administrator', () => {
  it('refetch what waits when its number changes', async () => {
    await renderLoaded()
    await push({ kind: 'waiting-syncs', count: 3 })
    expect(calls).toEqual([])
    await push({ kind: 'waiting-syncs', count: 4 })
    await waitFor(() => expect(calls.toSorted()).toEqual(WORK))
  })

  it('refetch the storage after a backup, and not after every other job', async () => {
    await renderLoaded()
    const lastRun = (minute: number) => `2026-01-15T09:3${minute}:00.000Z`
    const pushRuns = (backupMinute: number, otherMinute: number) =>
      push({
        kind: 'cron-jobs',
        jobs: [
          { ...sampleJob, name: 'backup', lastRun: lastRun(backupMinute) },
          { ...sampleJob, name: 'sync-heartbeat', lastRun: lastRun(otherMinute) },
        ],
      })
    await pushRuns(0, 1)
    await pushRuns(0, 2)
    expect(await screen.findByText('last job at 2026-01-15T09:32:00.000Z')).toBeDefined()
    expect(calls).toEqual([])
    await pushRuns(3, 2)
    await waitFor(() => expect(calls).toEqual(['operations.storage']))
  })
})

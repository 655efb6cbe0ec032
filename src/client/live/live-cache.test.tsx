import { useQueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { act, useEffect, useState, type ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'

import type { Connection } from '../../shared/schemas/connection'
import type { CronJob } from '../../shared/schemas/cron-job'
import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import { renderWithAnswers, type Answers } from '../testing/render-app'
import { sampleConnection } from '../testing/sample-records'
import { trpc } from '../trpc'
import { createLiveCache } from './live-cache'

const live: LiveConnection = {
  id: 1,
  status: 'synced',
  freshness: 'on-time',
  lastSync: null,
  lastAttemptAt: '2026-01-15T08:30:00.000Z',
  lastError: null,
  nextSyncAt: null,
  consecutiveFailures: 0,
  progress: null,
}
const connection: Connection = { ...sampleConnection, ...live, name: 'Spring' }

/** Paths of the calls made so far, in order. */
let calls: string[]
let take: (items: LiveItem[]) => void

beforeEach(() => {
  calls = []
})

function Page() {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const [cache] = useState(() => createLiveCache(queryClient, utils))
  const list = trpc.connections.list.useQuery().data
  trpc.connections.runs.useQuery({ id: 1 })
  trpc.connections.findings.useQuery({ id: 1 })
  trpc.retailers.latestFile.useQuery({ id: 3 })
  useEffect(() => {
    take = cache
  }, [cache])
  return list?.map(({ id, name, status, progress }) => (
    <p key={id}>
      {name} is {status}, {progress?.rows ?? 'no'} rows
    </p>
  ))
}

function Jobs() {
  trpc.backups.list.useQuery({ jobName: 'backup' })
  return trpc.cronJobs.list.useQuery().data?.map(({ name, status, step }) => (
    <p key={name}>
      {name} is {status} {step}
    </p>
  ))
}

function renderPage(answers: Answers = {}, more?: ReactNode) {
  const all: Answers = {
    'connections.list': () => [connection],
    'connections.runs': () => [],
    'connections.findings': () => ({ message: 'None' }),
    'retailers.latestFile': () => ({ message: 'None' }),
    ...answers,
  }
  const counted = Object.entries(all).map(([path, answer]) => [
    path,
    (input: never) => {
      calls.push(path)
      return answer(input)
    },
  ])
  const page = (
    <>
      <Page />
      {more}
    </>
  )
  return renderWithAnswers(page, Object.fromEntries(counted) as Answers)
}

async function renderLoaded(answers: Answers = {}, more?: ReactNode) {
  renderPage(answers, more)
  await screen.findByText('Spring is synced, no rows')
  await waitFor(() => expect(calls).toHaveLength(4 + Object.keys(answers).length))
  calls = []
}

const push = (changes: Partial<LiveConnection>) =>
  act(async () => take([{ kind: 'connection', connection: { ...live, ...changes } }]))

describe('a live update of a connection', () => {
  it('is shown without refetching the list', async () => {
    await renderLoaded()
    await push({ status: 'running', progress: { bytes: 9, rows: 7, expectedBytes: null } })
    expect(await screen.findByText('Spring is running, 7 rows')).toBeDefined()
    await push({ status: 'running', progress: { bytes: 9, rows: 8, expectedBytes: null } })
    expect(await screen.findByText('Spring is running, 8 rows')).toBeDefined()
    expect(calls).toEqual(['connections.runs'])
  })

  it('refetches once everything that a finished sync may have changed', async () => {
    await renderLoaded()
    await push({ lastAttemptAt: '2026-01-15T09:30:00.000Z' })
    await waitFor(() => expect(calls).toHaveLength(3))
    expect(calls.toSorted()).toEqual([
      'connections.findings',
      'connections.list',
      'connections.runs',
    ])
  })

  it('refetches the list when the connection is not in it', async () => {
    await renderLoaded()
    await push({ id: 9 })
    expect(calls).toEqual(['connections.list'])
  })

  it('wins over an older list response that arrives later', async () => {
    let answer: (rows: Connection[]) => void = () => undefined
    renderPage({ 'connections.list': () => new Promise((resolve) => (answer = resolve)) })
    await waitFor(() => expect(calls).toContain('connections.list'))
    await push({ status: 'failed' })
    await act(async () => answer([connection]))
    expect(await screen.findByText('Spring is failed, no rows')).toBeDefined()
    expect(calls.filter((path) => path === 'connections.list')).toHaveLength(1)
  })
})

describe('a live update of the cron jobs', () => {
  const backup: CronJob = {
    name: 'backup',
    description: 'Backs up',
    schedule: '0 2 * * *',
    scheduleText: 'At 02:00 UTC',
    lastRun: null,
    status: 'idle',
    nextRun: null,
    isActive: true,
    step: null,
    lastError: null,
  }
  const pushJobs = (changes: Partial<CronJob>) =>
    act(async () => take([{ kind: 'cron-jobs', jobs: [{ ...backup, ...changes }] }]))

  it('is shown without refetching the jobs, and refetches the backups', async () => {
    await renderLoaded({ 'cronJobs.list': () => [backup], 'backups.list': () => [] }, <Jobs />)
    await screen.findByText('backup is idle')
    calls = []
    await pushJobs({ status: 'running', step: 'Copying the files' })
    expect(await screen.findByText('backup is running Copying the files')).toBeDefined()
    await pushJobs({ status: 'succeeded' })
    expect(await screen.findByText('backup is succeeded')).toBeDefined()
    expect(new Set(calls)).toEqual(new Set(['backups.list']))
  })
})

describe('a live update of a retailer’s file', () => {
  const pushFile = (fingerprint: string) =>
    act(async () => take([{ kind: 'retailer-file', mark: fingerprint }]))

  it('refetches the file only when its fingerprint changes', async () => {
    await renderLoaded()
    await pushFile('7')
    await pushFile('7')
    expect(calls).toEqual([])
    await pushFile('8')
    expect(calls).toEqual(['retailers.latestFile'])
  })
})

function OwnSessions() {
  return trpc.sessions.list.useQuery({}).data && <p>The sessions</p>
}

function OwnKeys() {
  return trpc.apiKeys.list.useQuery({}).data && <p>The keys</p>
}

describe('the API keys of the user', () => {
  it('are read again when one is made or ended, and not with the first item', async () => {
    renderPage({ 'apiKeys.list': () => [] }, <OwnKeys />)
    await screen.findByText('The keys')
    const reads = () => calls.filter((path) => path === 'apiKeys.list').length
    act(() => take([{ kind: 'api-keys', mark: '1 1' }]))
    act(() => take([{ kind: 'api-keys', mark: '1 1' }]))
    expect(reads()).toBe(1)
    act(() => take([{ kind: 'api-keys', mark: '2 5' }]))
    await waitFor(() => expect(reads()).toBe(2))
  })
})

describe('the sessions of the user', () => {
  it('are read again when one begins or ends, and not with the first item', async () => {
    renderPage({ 'sessions.list': () => [] }, <OwnSessions />)
    await screen.findByText('The sessions')
    const reads = () => calls.filter((path) => path === 'sessions.list').length
    act(() => take([{ kind: 'sessions', mark: '1 1' }]))
    act(() => take([{ kind: 'sessions', mark: '1 1' }]))
    expect(reads()).toBe(1)
    act(() => take([{ kind: 'sessions', mark: '2 5' }]))
    await waitFor(() => expect(reads()).toBe(2))
  })
})

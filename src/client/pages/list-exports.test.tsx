import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { adminUser, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection, sampleVersion } from '../testing/sample-records'

const at = '2026-01-15T08:30:00.000Z'
const session = {
  id: 'a',
  program: 'Firefox on Linux',
  address: '192.0.2.1',
  since: at,
  lastUsedAt: at,
  isPresent: true,
}
const key = {
  id: 1,
  name: 'Nightly sync',
  tokenEnd: 'abcd',
  scopes: ['read', 'upload'],
  connection: { id: 1, name: 'Spring catalogue' },
  retailer: null,
  networks: ['192.0.2.0/24'],
  createdAt: at,
  expiresAt: null,
  lastUsedAt: at,
  program: 'curl/8.5',
  address: '192.0.2.1',
}
const person = {
  id: 2,
  username: 'northbeck',
  displayName: 'Ann',
  role: 'OWNER',
  isActive: true,
  isFirst: true,
  isSelf: true,
  mailAddress: null,
  hasSecondFactor: true,
  passkeyCount: 1,
  createdAt: at,
  lastSeenAt: at,
}
const invitation = {
  id: 1,
  kind: 'member',
  name: 'Ben',
  role: 'VIEWER',
  email: 'ben@northbeck.example',
  state: 'open',
  mailState: 'sent',
  renewedAt: at,
  expiresAt: at,
  endedAt: null,
  acceptedBy: null,
}
const ended = { ...invitation, id: 2, state: 'accepted', endedAt: at, acceptedBy: 'ben' }
const webhook = {
  id: 1,
  url: 'https://example.com/hook',
  kinds: ['feed.failed'],
  isActive: true,
  switchedOffAt: null,
  createdAt: at,
  last: { isDelivered: true, answer: '204' },
}
const versions = [
  sampleVersion(3, { state: 'held', holdReasons: ['Half of the rows are gone.'] }),
  sampleVersion(2, { state: 'current' }),
]

const JOB = {
  name: 'backup',
  description: 'Backs up',
  schedule: '0 2 * * *',
  scheduleText: 'Every night',
  lastRun: at,
  status: 'idle',
  nextRun: at,
  isActive: true,
  step: null,
  lastError: null,
}
const BACKUP = {
  filename: '1.tar',
  kind: 'daily',
  size: 2_048,
  createdAt: at,
  downloadUrl: '/api/backups/1.tar',
  verifiedAt: at,
  filesReadSince: at,
  drill: { isRunning: false, finishedAt: at, outcome: 'passed', reason: null },
  durationMs: 900,
}

const ANSWERS: Answers = {
  'sessions.list': () => [session],
  'apiKeys.list': () => [key],
  'people.list': () => [person],
  'invitations.people': () => ({ invitations: [invitation, ended], openCount: 1, hasMail: true }),
  'webhooks.list': () => [webhook],
  'connections.list': () => [sampleConnection],
  'publishing.versions': () => ({ versions, kept: { versions: 30, days: 90 }, maxPinned: 10 }),
}

const read = async (panel: HTMLElement) => {
  const link = await within(panel).findByRole('link', { name: 'Export CSV' })
  return decodeURIComponent(link.getAttribute('href')!)
    .split('\uFEFF')[1]!
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'))
}

describe('a list as a file for spreadsheets', () => {
  it.each([
    ['/sessions', 'Sessions', ['Firefox on Linux', '192.0.2.1', at, at, 'yes']],
    [
      '/api-keys',
      'Your keys',
      [
        'Nightly sync',
        'abcd',
        'read, upload',
        'Spring catalogue',
        '192.0.2.0/24',
        at,
        '',
        at,
        'curl/8.5',
        '192.0.2.1',
      ],
    ],
    ['/people', 'Who signs in', ['northbeck', 'Ann', 'Owner', 'yes', 'yes', '1', at, '']],
    ['/people', 'Invitations', ['Ben', 'ben@northbeck.example', 'open', at, '', '']],
    ['/people', 'Earlier invitations', ['Ben', 'ben@northbeck.example', 'accepted', at, at, 'ben']],
    [
      '/alerts',
      'Webhooks',
      ['https://example.com/hook', 'feed.failed', 'yes', at, '', 'yes', '204'],
    ],
    [
      '/supplier/connections/1/history',
      'Files',
      expect.arrayContaining(['Held', 'Waits for a decision Half of the rows are gone.']),
    ],
  ])('is there at %s, of %s', async (path, title, row) => {
    renderApp(path, supplierUser, ANSWERS)
    const [header, first] = await read(await screen.findByRole('region', { name: title }))
    expect(first).toEqual(row)
    expect(header).toHaveLength(first!.length)
  })

  it.each([
    [
      'sync-heartbeat',
      /ago|2026/,
      { outcome: 'failed', error: 'No room', summary: null, step: null },
      [at, at, 'schedule', 'failed', 'No room'],
    ],
    [
      'backup',
      'View backup history of backup',
      {},
      [at, '1.tar', 'daily', '2048', at, at, 'passed'],
    ],
  ])('is there of %s', async (name, opener, run, row) => {
    renderApp('/dashboard/super-admin/cron-jobs', adminUser, {
      'cronJobs.list': () => [{ ...JOB, name }],
      'cronJobs.runs': () => [{ id: 1, startedAt: at, finishedAt: at, isRequested: false, ...run }],
      'backups.list': () => [BACKUP],
    })
    await userEvent.click(await screen.findByRole('button', { name: opener }))
    expect((await read(await screen.findByRole('dialog')))[1]).toEqual(row)
  })
})

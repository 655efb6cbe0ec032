import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Examination, SystemState } from '../../shared/schemas/system'
import { adminUser, Refusal, renderApp, type Answers } from '../testing/render-app'

const GB = 1024 ** 3
const state: SystemState = {
  version: '1.2.0',
  revision: '0123456789abcdef',
  runtime: 'Node v26.10.0',
  database: { engine: 'PostgreSQL', version: '17.2', place: 'PostgreSQL at db/stock' },
  files: { place: 's3://stock/', isBucket: true },
  backups: { place: '/data/backups', isBucket: false },
  queue: 'redis',
  hasMail: true,
  processes: [],
  isMixed: false,
  disk: {
    freeBytes: 40 * GB,
    totalBytes: 100 * GB,
    reservedBytes: 5 * GB,
    forecast: { state: 'unknown', days: 3, neededDays: 7 },
  },
  sizes: [],
  growth: null,
}
const examination: Examination = {
  findings: [
    { part: 'database', state: 'ok', text: 'PostgreSQL 17.2' },
    { part: 'mail', state: 'problem', text: '535 no', advice: 'Correct SMTP_URL.' },
    { part: 'metrics', state: 'warning', text: 'on all addresses', advice: 'Set METRICS_HOST.' },
  ],
  examinedAt: new Date().toISOString(),
}
const settings = [
  { name: 'PORT', purpose: 'the port', value: '3000', source: 'default' },
  { name: 'SMTP_URL', purpose: 'the mail server', value: 'smtp://mail', source: 'dotenv' },
  { name: 'SESSION_SECRET', purpose: 'signs', value: null, source: 'file' },
]

const renderPage = (changes: Partial<SystemState> = {}, answers: Answers = {}) =>
  renderApp('/dashboard/super-admin/system', adminUser, {
    'system.state': () => ({ ...state, ...changes }),
    'system.settings': () => settings,
    'system.examine': () => examination,
    ...answers,
  })

const findPanel = async (name: string) => within(await screen.findByRole('region', { name }))

describe('the System page', () => {
  it('tells what the doctor has found, what needs somebody first, with what to do', async () => {
    renderPage()
    const list = await screen.findByRole('list', { name: 'What was found' })
    const lines = within(list).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'mailProblem535 noCorrect SMTP_URL.',
      'metricsWarningon all addressesSet METRICS_HOST.',
      'databaseOKPostgreSQL 17.2',
    ])
    expect((await findPanel('Health')).getByText(/Something needs you/)).toBeDefined()
  })

  it('examines anew when asked, and says when that cannot be done', async () => {
    let isDown = true
    renderPage(
      {},
      {
        'system.examine': () => {
          if (isDown) throw new Refusal(503, 'The database does not answer')
          return { ...examination, findings: [] }
        },
      },
    )
    const panel = await findPanel('Health')
    expect(await panel.findByText('The database does not answer')).toBeDefined()
    isDown = false
    await userEvent.click(panel.getByRole('button', { name: 'Try Again' }))
    expect(await panel.findByText(/All is well/)).toBeDefined()
  })

  it('shows settings that are set here or all, where they come from, and no secret', async () => {
    renderPage()
    const panel = await findPanel('Settings')
    expect(await panel.findByText('The file .env')).toBeDefined()
    expect(panel.getByText('Set, not shown')).toBeDefined()
    expect(panel.queryByText('PORT')).toBeNull()
    await userEvent.click(panel.getByRole('radio', { name: 'All' }))
    expect(panel.getByText('PORT')).toBeDefined()
    expect(panel.getByText('Default')).toBeDefined()
  })

  it.each([
    ['Too early for a forecast', { state: 'unknown', days: 3, neededDays: 7 }],
    ['Not filling up', { state: 'steady', days: 30 }],
    ['Full in 41 days', { state: 'filling', days: 30, bytesPerDay: GB, fullInDays: 41 }],
    ['Full: syncs wait for room', { state: 'filling', days: 30, bytesPerDay: GB, fullInDays: 0 }],
  ] as const)('says of the disk: %s', async (text, forecast) => {
    renderPage({ disk: { ...state.disk, forecast } })
    const panel = await findPanel('Size and growth')
    expect(panel.getByText(new RegExp(`^${text}`))).toBeDefined()
  })

  it('tells how each of the stored things grows', async () => {
    const sizes = { databaseBytes: 2 * GB, filesBytes: 30 * GB, backupsBytes: null }
    const growth = { databaseBytes: GB, filesBytes: -GB, backupsBytes: null }
    renderPage({ sizes: [{ day: '2026-01-15T00:00:00.000Z', ...sizes }], growth })
    const panel = await findPanel('Size and growth')
    expect(panel.getByText('2 GB, +1 GB a day')).toBeDefined()
    expect(panel.getByText('30 GB, −1 GB a day')).toBeDefined()
    expect(panel.getByText('Could not be measured')).toBeDefined()
  })

  it('lists the processes that are seen, and tells of a mixed fleet', async () => {
    const startedAt = new Date().toISOString()
    const one = {
      role: 'web',
      pid: 7,
      revision: null,
      runtime: 'Node',
      startedAt,
      seenAt: startedAt,
    }
    const processes = [
      { ...one, id: 'a', host: 'alpha', version: '1.2.0' },
      { ...one, id: 'b', host: 'beta', version: '1.3.0' },
    ] as SystemState['processes']
    renderPage({ processes, isMixed: true })
    const panel = await findPanel('Processes')
    expect(panel.getByText('beta, process 7')).toBeDefined()
    expect(panel.getByText(/Of several versions/)).toBeDefined()
  })

  it('sends a test mail to the address that is typed, and shows the answer', async () => {
    const sent: unknown[] = []
    renderPage(
      {},
      {
        'system.sendTest': (input) => {
          sent.push(input)
          return { isOk: false, answer: '550 5.1.1 No such user', tookMs: 12 }
        },
      },
    )
    const panel = await findPanel('Send a test')
    await userEvent.type(panel.getByLabelText('Recipient'), 'nobody')
    await userEvent.click(panel.getByRole('button', { name: 'Send test' }))
    expect(await panel.findByText('Invalid email address')).toBeDefined()
    await userEvent.type(panel.getByLabelText('Recipient'), '@example.com')
    await userEvent.click(panel.getByRole('button', { name: 'Send test' }))
    expect(await panel.findByText('550 5.1.1 No such user')).toBeDefined()
    expect(panel.getByText('It failed')).toBeDefined()
    expect(sent).toMatchObject([{ to: 'mail', address: 'nobody@example.com' }])
  })

  it('says what is tried of stores, and that there is no mail server', async () => {
    renderPage({ hasMail: false })
    const panel = await findPanel('Send a test')
    expect(panel.getByText(/No mail server is set/)).toBeDefined()
    await userEvent.click(panel.getByRole('radio', { name: 'Bucket' }))
    expect(panel.getByText('s3://stock/')).toBeDefined()
  })

  it('says when the installation cannot be read', async () => {
    renderPage({}, { 'system.state': () => Promise.reject(new Refusal(503, 'Not now')) })
    expect(await screen.findByText('The installation could not be loaded')).toBeDefined()
  })
})

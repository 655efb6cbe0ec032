import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { backupFileSchema, cronJobSchema } from '../../../shared/schemas/cron-job'
import type { RestorePreview, RestoreState } from '../../../shared/schemas/restore'
import { Toaster } from '../../components/feedback/toaster'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { BackupHistoryDialog } from './backup-history-dialog'

const job = cronJobSchema.parse({
  name: 'backup',
  description: 'Backs up',
  schedule: '0 3 * * *',
  scheduleText: 'At 03:00 UTC',
  lastRun: null,
  status: 'idle',
  nextRun: null,
  isActive: true,
  step: null,
  lastError: null,
})

const NOT_TRIED = { isRunning: false, finishedAt: null, outcome: null, reason: null }

const toFile = (kind: 'daily' | 'upgrade', filename: string) =>
  backupFileSchema.parse({
    filename,
    kind,
    size: 4_608,
    createdAt: '2026-01-15T08:31:00.000Z',
    downloadUrl: `/api/admin/backup-files/${filename}`,
    verifiedAt: '2026-01-15T08:31:02.000Z',
    filesReadSince: '2026-01-15T08:31:00.000Z',
    durationMs: 2_000,
    drill: NOT_TRIED,
  })

it('says what of a backup was read back when', async () => {
  const complete = toFile('daily', 'a.tar')
  const others = { ...complete, filename: 'b.tar', filesReadSince: '2026-01-10T03:00:00.000Z' }
  renderWithAnswers(<BackupHistoryDialog isOpen job={job} onClose={() => undefined} />, {
    'backups.list': () => [complete, others],
  })
  const [first, second] = await screen.findAllByText('Verified')
  const person = userEvent.setup()
  await person.hover(first!)
  expect(await screen.findByText(/^Read back completely /)).toBeDefined()
  await person.unhover(first!)
  await person.hover(second!)
  expect(await screen.findByText(/^Database, new files and .* all others since .*10/)).toBeDefined()
})

it('tells the backup before an update from daily ones', async () => {
  const files = [toFile('daily', 'a.tar'), toFile('upgrade', 'b.tar')]
  renderWithAnswers(<BackupHistoryDialog isOpen job={job} onClose={() => undefined} />, {
    'backups.list': () => files,
  })
  const update = await screen.findByText('Before update')
  expect(within(update.closest('tr')!).getByText('b.tar')).toBeDefined()
  expect(screen.getAllByText('Verified')).toHaveLength(2)
})

it('is downloaded once it is confirmed who is there, and not as a refusal', async () => {
  let isConfirmed = false
  renderWithAnswers(
    <>
      <BackupHistoryDialog isOpen job={job} onClose={() => undefined} />
      <Toaster />
    </>,
    {
      'backups.list': () => [toFile('daily', 'a.tar')],
      'confirmation.check': () => {
        if (!isConfirmed) throw new Refusal(403, 'Confirm first that it is you')
        return { message: 'Confirmed' }
      },
    },
  )
  const followed: string[] = []
  const link = await screen.findByRole('link', { name: 'Download a.tar' })
  link.addEventListener('click', (event) => {
    setTimeout(() => event.defaultPrevented || followed.push(link.getAttribute('href') ?? ''))
  })
  await userEvent.click(link)
  expect(await screen.findByText('Confirm first that it is you')).toBeDefined()
  expect(followed).toEqual([])
  isConfirmed = true
  await userEvent.click(link)
  await waitFor(() => expect(followed).toEqual(['/api/admin/backup-files/a.tar']))
})

it('shows what came of restoring each backup on trial, and why it failed', async () => {
  const at = '2026-01-18T05:00:00.000Z'
  const drills = {
    a: NOT_TRIED,
    b: { ...NOT_TRIED, isRunning: true },
    c: { ...NOT_TRIED, finishedAt: at, outcome: 'passed' as const },
    d: { ...NOT_TRIED, finishedAt: at, outcome: 'failed' as const, reason: 'The disk is full' },
  }
  const files = Object.entries(drills).map(([name, drill]) => ({ ...toFile('daily', name), drill }))
  renderWithAnswers(<BackupHistoryDialog isOpen job={job} onClose={() => undefined} />, {
    'backups.list': () => files,
  })
  const rows = (await screen.findAllByText('Verified')).map((badge) => badge.closest('tr')!)
  const texts = rows.map(({ textContent }) => textContent)
  expect(texts).toEqual([
    expect.stringMatching(/Not tried yet.*Test this backup/),
    expect.stringMatching(/Being restored and compared(?!.*Test this backup)/),
    expect.stringMatching(/Restored and compared on .*18.*Test this backup/),
    expect.stringMatching(/Test failed on .*18.*Test this backup/),
  ])
  expect(screen.getByText('The disk is full')).toBeDefined()
})

it('has a backup tested by its button, and shows that it is', async () => {
  const asked: unknown[] = []
  renderWithAnswers(
    <>
      <BackupHistoryDialog isOpen job={job} onClose={() => undefined} />
      <Toaster />
    </>,
    {
      'backups.list': () => [
        { ...toFile('daily', 'a.tar'), drill: { ...NOT_TRIED, isRunning: asked.length > 0 } },
      ],
      'backups.test': (input) => {
        asked.push(input)
        return { message: 'The test of the backup is starting' }
      },
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Test this backup a.tar' }))
  expect(await screen.findByText('The test of the backup is starting')).toBeDefined()
  expect(await screen.findByText('Being restored and compared')).toBeDefined()
  expect(asked).toEqual([{ fileName: 'a.tar' }])
})

const PREVIEW: RestorePreview = {
  filename: 'a.tar',
  name: 'a',
  createdAt: '2026-01-15T08:31:00.000Z',
  size: 4_608,
  productVersion: '1.0.0',
  drill: { ...NOT_TRIED, outcome: 'passed', finishedAt: '2026-01-18T05:00:00.000Z' },
  lost: { versions: 3, accounts: 1, retailers: 0 },
  problem: null,
}

const toState = (state: Partial<RestoreState>): RestoreState => ({
  backup: 'a',
  step: 'staging',
  detail: null,
  requestedAt: '2026-01-20T08:00:00.000Z',
  endedAt: null,
  reason: null,
  ...state,
})

describe('the restore of a backup', () => {
  let state: RestoreState | null
  let preview: RestorePreview
  let asked: unknown[]

  beforeEach(() => {
    state = null
    preview = PREVIEW
    asked = []
  })
  afterEach(() => vi.restoreAllMocks())

  const open = async () => {
    renderWithAnswers(<BackupHistoryDialog isOpen job={job} onClose={() => undefined} />, {
      'backups.list': () => [toFile('daily', 'a.tar')],
      'restores.state': () => {
        if (asked.includes('stopped')) throw new Refusal(503, 'It is being restored')
        return state
      },
      'restores.preview': () => preview,
      'restores.begin': (input) => {
        asked.push(input)
        state = toState({ detail: 'Unpacking' })
        return { message: 'The backup is being checked' }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Restore a.tar' }))
  }

  it('says what is lost, asks for its name, and shows the steps until the product is there again', async () => {
    const assign = vi.fn<(path: string) => void>()
    vi.spyOn(window, 'location', 'get').mockReturnValue({ assign } as unknown as Location)
    let isBack = false
    vi.spyOn(window, 'fetch').mockImplementation(async () =>
      isBack
        ? new Response('{}', { status: 404 })
        : new Response(JSON.stringify({ step: 'Putting the backup into place' })),
    )
    await open()
    const text = /What was made since is lost: 3 published files, 1 account, 0 retailers/
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.getByText(/^Passed on /)).toBeDefined()
    const name = screen.getByLabelText('Name of the backup')
    await userEvent.type(name, 'b{Enter}')
    expect(await screen.findByText('Type a')).toBeDefined()
    expect(asked).toEqual([])
    await userEvent.clear(name)
    await userEvent.type(name, 'a{Enter}')
    expect(await screen.findByText('Unpacking')).toBeDefined()
    expect(asked).toEqual([{ fileName: 'a.tar', typedName: 'a' }])
    asked.push('stopped')
    expect(
      await screen.findByText('Putting the backup into place', {}, { timeout: 5_000 }),
    ).toBeDefined()
    isBack = true
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/auth'), { timeout: 5_000 })
  })

  it('cannot be asked for while something keeps it from being done', async () => {
    preview = { ...PREVIEW, problem: 'Processes of several versions run' }
    await open()
    expect(await screen.findByText('Processes of several versions run')).toBeDefined()
    expect(screen.queryByLabelText('Name of the backup')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(await screen.findByRole('button', { name: 'Restore a.tar' })).toBeDefined()
  })

  it.each([
    [toState({ step: 'failed', reason: 'It was changed' }), 'It was changed'],
    [toState({ step: 'restored', endedAt: '2026-01-20T08:01:00.000Z' }), /^a was restored on /],
  ])('is told once it is over: %o', async (last, text) => {
    state = last
    await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Back' }))
    expect(await screen.findByText(text)).toBeDefined()
  })
})

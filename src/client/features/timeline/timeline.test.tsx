import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type {
  TimelineItem,
  TimelinePage,
  TimelinePageInput,
} from '../../../shared/schemas/timeline'
import { formatDate } from '../../lib/time-format'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { RunCharts } from './run-charts'
import { Timeline } from './timeline'

const at = '2026-01-15T08:30:00.000Z'
const sync = {
  kind: 'sync',
  id: 3,
  at,
  outcome: 'held',
  reason: 'It has 2 rows.',
  rows: 2,
  bytes: 2_048,
  durationMs: 4_200,
  begun: null,
  fileName: null,
  source: null,
  update: { items: 37, changed: 0, added: 5, removed: 32 },
  joined: null,
} satisfies TimelineItem
const checks: TimelineItem = { kind: 'checks', id: 2, at, since: at, count: 23 }
const change = {
  kind: 'change',
  id: 1,
  at,
  entry: {
    id: 1,
    at,
    action: 'connection.update',
    actorName: 'northbeck',
    actorRole: 'SUPPLIER',
    keyName: null,
    subjectId: 1,
    subjectName: 'Outdoor',
    supplierId: 2,
    changes: [{ field: 'syncFrequency', before: '1440', after: '60' }],
    origin: 'web',
    address: null,
    count: 1,
    firstAt: at,
  },
} satisfies TimelineItem

const renderTimeline = (answer: (input: TimelinePageInput) => TimelinePage) =>
  renderWithAnswers(<Timeline connectionId={1} />, { 'timeline.page': answer })

describe('the timeline', () => {
  it('tells syncs with their figures and reasons, checks in one line, and who changed what', async () => {
    renderTimeline(() => ({ items: [sync, checks, change], next: null }))
    const day = await screen.findByRole('list', { name: formatDate(at) })
    const lines = within(day).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /^Held2 rows · 2 KB · 4\.2 sIt has 2 rows\.By an update of 37 items: 5 new, 32 removed/,
      ),
      expect.stringMatching(/^23 checks without a change/),
      expect.stringMatching(/^northbeck changed the connection Outdoor1 field/),
    ])
    await userEvent.click(screen.getByRole('button', { name: '1 field' }))
    expect(within(lines[2]!).getByText('Sync frequency')).toBeDefined()
  })

  it('begins a list for each day', async () => {
    const now = new Date()
    const daysAgo = (days: number) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, 1).toISOString()
    const times = [daysAgo(0), daysAgo(1), daysAgo(1), daysAgo(9)]
    const items = times.map((time, index) => ({ ...sync, id: 9 - index, at: time }))
    renderTimeline(() => ({ items, next: null }))
    expect(await screen.findByRole('heading', { name: 'Today' })).toBeDefined()
    const lists = ['Today', 'Yesterday', formatDate(daysAgo(9))]
    const found = lists.map((name) => screen.getByRole('list', { name }).children.length)
    expect(found).toEqual([1, 2, 1])
  })

  it('tells a sync with who has begun it', async () => {
    const begun = { ...change.entry, action: 'connection.sync' as const, changes: [] }
    renderTimeline(() => ({ items: [{ ...sync, begun }], next: null }))
    expect((await screen.findByText(/^Started by/)).textContent).toBe('Started by northbeck')
  })

  it('shows one kind of event, and says when there is none', async () => {
    const kinds: (string | undefined)[] = []
    renderTimeline(({ kind }) => {
      kinds.push(kind)
      return { items: kind === 'failures' ? [] : [sync], next: null }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Failures' }))
    expect(await screen.findByText('No sync has failed.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Failures', pressed: true })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Files' }))
    expect(await screen.findByText('It has 2 rows.')).toBeDefined()
    expect(kinds).toEqual([undefined, 'failures', 'files'])
  })

  it('says of a file that was sent where it came from', async () => {
    const origin = { form: 'xlsx' as const, sheets: ['Stock'], member: null, records: null }
    const source = { origin, received: { fileName: 'stock.xlsx', isByLink: true } }
    renderTimeline(() => ({ items: [{ ...sync, source }], next: null }))
    const text = 'From sheet Stock of stock.xlsx, received by upload link'
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('shows older events on request', async () => {
    renderTimeline(({ cursor }) =>
      cursor === undefined
        ? { items: [sync], next: 77 }
        : { items: [{ ...checks, count: cursor }], next: null },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Show older' }))
    expect(await screen.findByText(/^77 checks/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  it('says that nothing has happened yet, and retries what could not be loaded', async () => {
    let isDown = true
    renderTimeline(() => {
      if (isDown) throw new Refusal(500, 'Internal server error')
      return { items: [], next: null }
    })
    await screen.findByText('The timeline could not be loaded')
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Nothing yet')).toBeDefined()
  })
})

describe('the figures', () => {
  const figures = { at, rows: 1_200, bytes: 2_048, durationMs: 4_200, isHeld: false }
  const earlier = { ...figures, at: '2026-01-14T08:30:00.000Z', rows: 3, isHeld: true }

  it('are charts of rows, size and duration, each with the last value', async () => {
    renderWithAnswers(<RunCharts connectionId={1} />, {
      'timeline.figures': () => [earlier, figures],
    })
    await screen.findByText('Figures')
    const captions = [...document.querySelectorAll('figcaption')].map((one) => one.textContent)
    expect(captions).toEqual([
      expect.stringMatching(/^Rows1,200/),
      expect.stringMatching(/^Size2 KB/),
      expect.stringMatching(/^Duration4\.2 s/),
    ])
  })

  it('tell each value in words, by the arrow keys, and that a file was held', async () => {
    renderWithAnswers(<RunCharts connectionId={1} />, {
      'timeline.figures': () => [earlier, figures],
    })
    const slider = await screen.findByRole('slider', { name: 'Rows over time' })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^1,200, .*15/)
    fireEvent.focus(slider)
    fireEvent.change(slider, { target: { value: 0 } })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^3 held, .*14/)
  })

  it('leave a held file out of the line, and show it beside that', async () => {
    renderWithAnswers(<RunCharts connectionId={1} />, {
      'timeline.figures': () =>
        [figures, earlier, figures].map((run, hour) => ({
          ...run,
          at: `2026-01-14T0${hour}:30:00.000Z`,
        })),
    })
    await screen.findByText('Figures')
    const [rows] = document.querySelectorAll('figure')
    expect(rows?.querySelector('path:last-of-type')?.getAttribute('d')?.match(/[ML]/g)).toEqual([
      'M',
      'L',
    ])
    expect(rows?.querySelectorAll('[data-apart]')).toHaveLength(1)
  })

  it('are not shown before there are two to compare', async () => {
    let isAsked = false
    const { container } = renderWithAnswers(<RunCharts connectionId={1} />, {
      'timeline.figures': () => {
        isAsked = true
        return [figures]
      },
    })
    await expect.poll(() => isAsked).toBe(true)
    expect(container.querySelector('figure')).toBeNull()
  })
})

import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { TimelineItem } from '../../shared/schemas/timeline'
import { renderApp, supplierUser } from '../testing/render-app'
import { sampleConnection, sampleVersion } from '../testing/sample-records'

const REASON = 'Half of the rows are gone.'
const ON_HOLD = {
  kind: 'sync',
  id: 3,
  at: '2026-01-15T08:30:00.000Z',
  outcome: 'held',
  reason: REASON,
  rows: 2,
  bytes: 2_048,
  durationMs: 4_200,
  begun: null,
  fileName: '3.csv',
  source: null,
  update: null,
  joined: null,
} satisfies TimelineItem

function open(state: 'held' | 'discarded', figures: () => unknown = () => []) {
  renderApp('/supplier/connections/1/history', supplierUser, {
    'connections.list': () => [sampleConnection],
    'publishing.versions': () => ({
      versions: [
        sampleVersion(3, { state, holdReasons: [REASON] }),
        sampleVersion(2, { state: 'current' }),
      ],
      kept: { versions: 30, days: 90 },
      maxPinned: 10,
    }),
    'timeline.figures': figures,
    'timeline.page': () => ({ items: [ON_HOLD], next: null }),
  })
}

const timeline = async () => {
  const panel = await screen.findByRole('region', { name: 'Timeline' })
  await within(panel).findByText('Held')
  return panel
}

describe('the history of a feed', () => {
  it('has the name of the connection in its title', async () => {
    open('held')
    const title = 'Feed history of Spring catalogue'
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined()
    expect(document.title).toContain(title)
  })

  it('is shown at once, so that nothing moves what is read already', async () => {
    const figures = Promise.withResolvers<[]>()
    open('held', () => figures.promise)
    expect(await screen.findAllByText('Held')).not.toEqual([])
    expect(screen.queryByRole('region', { name: 'Timeline' })).toBeNull()
    expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined()
    figures.resolve([])
    await timeline()
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
  })

  it('tells once why a file is held', async () => {
    open('held')
    await timeline()
    expect(await screen.findAllByText(REASON)).toHaveLength(1)
    const files = screen.getByRole('region', { name: 'Files' })
    expect(within(files).getByText('Waits for a decision')).toBeDefined()
  })

  it('tells why a file was held that nobody waits for any more', async () => {
    open('discarded')
    expect(within(await timeline()).getByText(REASON)).toBeDefined()
  })
})

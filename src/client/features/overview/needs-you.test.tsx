import { cleanup, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { Overview, StorageState, TroubledConnection } from '../../../shared/schemas/operations'
import { InRouter } from '../../testing/render'
import { renderWithAnswers } from '../../testing/render-app'
import { sampleOverview, sampleStorage } from '../../testing/sample-records'
import { NeedsYou } from './needs-you'

const held: TroubledConnection = {
  supplierId: 7,
  supplierName: 'Acme',
  connectionId: 1,
  connectionName: 'Stock',
  trouble: 'held',
  lastSync: new Date(Date.now() - 7_260_000).toISOString(),
  reason: 'It has 2 rows; the published file has 40 (−95.0 %).',
}

interface Changes {
  troubles?: TroubledConnection[]
  overview?: Partial<Overview>
  storage?: Partial<StorageState>
}

async function readNeeds({ troubles = [], overview, storage }: Changes) {
  renderWithAnswers(<InRouter element={<NeedsYou />} />, {
    'operations.troubles': () => troubles,
    'operations.overview': () => ({ ...sampleOverview, ...overview }),
    'operations.storage': () => ({ ...sampleStorage, ...storage }),
  })
  return screen.findByRole('region', { name: 'Needs you' })
}

const items = (panel: HTMLElement) =>
  within(panel)
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('what needs an administrator', () => {
  it('is said to be nothing when all is well', async () => {
    const panel = await readNeeds({})
    expect(panel.textContent).toContain('Nothing: each connection has published')
    expect(items(panel)).toEqual([])
  })

  it('is each connection that fails or waits for a decision, with its reason and where to go', async () => {
    const panel = await readNeeds({
      troubles: [{ ...held, connectionId: 2, trouble: 'failing', lastSync: null }, held],
    })
    expect(items(panel)).toEqual([
      expect.stringMatching(/^FailedAcme, Stock: no file yet.*published file has 40/),
      expect.stringMatching(/^HeldAcme, Stock: data as of 2 hours ago/),
    ])
    for (const name of ['See why it fails: Acme', 'See what is held: Acme']) {
      const link = within(panel).getByRole('link', { name })
      expect(link.getAttribute('href')).toBe('/dashboard/super-admin/suppliers/7')
    }
  })

  it('is each supplier whose retailers have paused destinations, with where they are listed', async () => {
    const pausedDestinations = [{ supplierId: 7, supplierName: 'Acme', count: 2 }]
    const panel = await readNeeds({ overview: { pausedDestinations } })
    expect(items(panel)).toEqual([
      'PausedAcme: 2 destinations of its retailers get no more filesSee which ones',
    ])
    const link = within(panel).getByRole('link', { name: 'See which ones: Acme' })
    expect(link.getAttribute('href')).toBe('/dashboard/super-admin/suppliers/7')
  })

  it('is the queue once a sync has waited for long', async () => {
    const queueOf = (minutes: number) => ({
      ...sampleOverview.queue,
      waitingCount: 12,
      waitingSince: new Date(Date.now() - minutes * 60_000).toISOString(),
    })
    const panel = await readNeeds({ overview: { queue: queueOf(34) } })
    expect(items(panel)).toEqual([
      'Queue12 syncs wait, the first due 34 minutes ago.See what waits',
    ])
    cleanup()
    expect(items(await readNeeds({ overview: { queue: queueOf(3) } }))).toEqual([])
  })

  it('says how many more there are than it lists', async () => {
    const panel = await readNeeds({ troubles: [held], overview: { troubledCount: 13 } })
    expect(items(panel).at(-1)).toBe('and 12 more, in the table of suppliers')
    cleanup()
    const whole = await readNeeds({ troubles: [held], overview: { troubledCount: 1 } })
    expect(items(whole)).toHaveLength(1)
  })

  it('is a backup, a disk and a worker that are missing, before all suppliers', async () => {
    const panel = await readNeeds({
      troubles: [held],
      overview: { workers: { ...sampleOverview.workers, isSilent: true } },
      storage: {
        disk: { ...sampleStorage.disk, shortage: 'Syncs wait for 1 GB of room.' },
        backup: { last: null, isOverdue: true, isRunning: false },
      },
    })
    expect(items(panel)).toEqual([
      expect.stringContaining('nothing is synced'),
      expect.stringContaining('Syncs wait for 1 GB of room.'),
      expect.stringContaining('There is no verified backup yet'),
      expect.stringContaining('Acme'),
    ])
  })
})

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Overview, StorageState } from '../../../shared/schemas/operations'
import { InRouter } from '../../testing/render'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { sampleOverview, sampleStorage } from '../../testing/sample-records'
import { OverviewCards } from './overview-cards'

const { queue, workers } = sampleOverview
const { backup, disk } = sampleStorage
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function renderCards(overview: Partial<Overview> = {}, storage: Partial<StorageState> = {}) {
  renderWithAnswers(<InRouter element={<OverviewCards />} />, {
    'operations.overview': () => ({ ...sampleOverview, ...overview }),
    'operations.storage': () => ({ ...sampleStorage, ...storage }),
  })
}

/** The text of a card once it is loaded. */
async function readCard(title: string, loaded: RegExp) {
  const card = await screen.findByRole('region', { name: title })
  await within(card).findByText(loaded)
  return card.textContent
}

describe('the overview', () => {
  it('is calm while nothing needs attention', async () => {
    renderCards()
    expect(await readCard('Connections', /None failing/)).toContain('of 28 active connections')
    expect(await readCard('Syncs', /0 running/)).toContain('None waiting')
    expect(await readCard('Verified backup', /^Verified$/)).toContain('5 MB')
    expect(await readCard('Disk', /32 GB free/)).toContain('75% of 128 GB used')
    const bar = screen.getByRole('progressbar', { name: 'Disk space in use' })
    expect(bar.getAttribute('value')).toBe('75')
    expect(screen.queryByText('No worker seen')).toBeNull()
  })

  it('counts failing connections, and says since when syncs wait', async () => {
    const busy = { runningCount: 4, waitingCount: 1_200, waitingSince: minutesAgo(3) }
    renderCards({ failingCount: 2, queue: { ...queue, ...busy } })
    await readCard('Connections', /2 failing/)
    expect(await readCard('Syncs', /4 running/)).toContain(
      '1,200 waiting, the first due 3 minutes ago',
    )
  })

  it('never says that none fail in large type beside a held or late one', async () => {
    renderCards({ heldCount: 1, lateCount: 2 })
    expect(await readCard('Connections', /^1 held$/)).toContain('of 28 active connections, 2 late')
  })

  it('warns when no worker was seen', async () => {
    renderCards({ workers: { ...workers, isSilent: true } })
    expect(await readCard('Syncs', /No worker seen/)).toContain('None waiting')
  })

  it.each([
    [{ last: null, isOverdue: true }, /No backup/, 'None yet'],
    [{ isOverdue: true }, /Overdue/, '5 MB'],
    [{ isOverdue: true, isRunning: true }, /Backing up/, '5 MB'],
  ] as const)('shows %o of the backup as %s', async (changes, word, text) => {
    renderCards({}, { backup: { ...backup, ...changes } })
    expect(await readCard('Verified backup', word)).toContain(text)
  })

  it('says why syncs wait for room on the disk', async () => {
    renderCards({}, { disk: { ...disk, shortage: 'The disk has 1 GB of 128 GB left' } })
    expect(await readCard('Disk', /The disk has 1 GB of 128 GB left/)).toContain('32 GB free')
  })

  it('does not call connections healthy when there are none', async () => {
    renderCards({ connectionCount: 0 })
    expect(await readCard('Connections', /None yet/)).not.toContain('failing')
  })

  it('retries on Try Again when it could not be loaded', async () => {
    let isDown = true
    renderWithAnswers(<InRouter element={<OverviewCards />} />, {
      'operations.overview': () => sampleOverview,
      'operations.storage': () => {
        if (isDown) throw new Refusal(500, 'Internal server error')
        return sampleStorage
      },
    })
    expect(await screen.findByText('The overview could not be loaded')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await readCard('Disk', /32 GB free/)
  })
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { HoldReason } from '../../../shared/schemas/publishing'
import { renderApp, supplierUser } from '../../testing/render-app'
import { sampleConnection, sampleVersion } from '../../testing/sample-records'

async function open(holdFacts: HoldReason[] = []) {
  renderApp('/supplier/connections/1/history', supplierUser, {
    'connections.list': () => [sampleConnection],
    'publishing.versions': () => ({
      versions: [
        sampleVersion(3, { state: 'held', holdReasons: ['It has 2 rows.'], holdFacts }),
        sampleVersion(2, { state: 'current' }),
      ],
      kept: { versions: 30, days: 90 },
      maxPinned: 10,
    }),
    'timeline.figures': () => [],
    'timeline.page': () => ({ items: [], next: null }),
  })
  return screen.findByRole('region', { name: 'A new file is held' })
}

describe('a held file', () => {
  it('is to be compared first, then discarded, and published last, also by the keyboard', async () => {
    await open()
    const compare = screen.getByRole('link', { name: 'Compare with published' })
    const discard = screen.getByRole('button', { name: 'Discard' })
    const publish = screen.getByRole('button', { name: 'Publish anyway' })
    compare.focus()
    await userEvent.tab()
    expect(document.activeElement).toBe(discard)
    await userEvent.tab()
    expect(document.activeElement).toBe(publish)
  })

  it('has one button that stands out, which risks nothing', async () => {
    await open()
    // Without a variant a button has the look of the theme, filled.
    const looks = ['Compare with published', 'Discard', 'Publish anyway'].map((name) =>
      screen.getByText(name).closest('[data-variant], a, button')?.getAttribute('data-variant'),
    )
    expect(looks).toEqual([null, 'default', 'default'])
  })

  it('tells how many items are gone, and how many are at 0', async () => {
    const lost = { rule: 'keys', column: 'sku', known: 200, gone: 71, newlyZero: 12 } as const
    const panel = await open([{ ...lost, examples: ['A-1', 'A-2'] }])
    expect(panel.textContent).toContain('71 items gone, 12 at 0; for example A-1, A-2')
  })
})

import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { ChangeSummary } from '../../../shared/schemas/file'
import { renderInTheme } from '../../testing/render'
import { ChangeSummaryPanel } from './change-summary'

const none = { count: 0, names: [] }
const same: ChangeSummary = {
  rowCount: 1_200,
  previousRowCount: 1_200,
  previousDataAsOf: '2025-11-21T12:00:00Z',
  appeared: none,
  vanished: none,
}

const renderChanges = (changes: Partial<ChangeSummary>) =>
  renderInTheme(<ChangeSummaryPanel changes={{ ...same, ...changes }} />)

describe('ChangeSummaryPanel', () => {
  it.each([
    [1_212, '+12 rows'],
    [1_199, '−1 row'],
    [1_200, 'Same number of rows'],
  ])('shows the difference of %i rows as %s', (rowCount, text) => {
    renderChanges({ rowCount })
    expect(screen.getByText(text)).toBeDefined()
  })

  it('lists categories that appeared or vanished, and how many more there are', () => {
    renderChanges({
      appeared: { count: 3, names: ['Bags', 'Shoes > Boots'] },
      vanished: { count: 1, names: ['Toys'] },
    })
    const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(items).toEqual(['Bags', 'Shoes > Boots', 'Toys'])
    expect(screen.getByText('and 1 more')).toBeDefined()
  })

  it('says when the categories are the same, and nothing when they are not known', () => {
    const { unmount } = renderChanges({})
    expect(screen.getByText('The categories are the same.')).toBeDefined()
    unmount()
    renderChanges({ appeared: null, vanished: null })
    expect(screen.queryByText(/categories/i)).toBeNull()
  })
})

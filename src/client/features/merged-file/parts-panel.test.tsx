import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { renderInTheme } from '../../testing/render'
import { PartsPanel } from './parts-panel'

type Part = NonNullable<ShownMergedFile['relations'][number]['part']>
const part: Part = {
  prefix: 'N-',
  currency: null,
  costColumn: null,
  rowCount: 12,
  dataAsOf: '2026-01-01T00:00:00.000Z',
  freshness: 'on-time',
  isStale: false,
  isInactive: false,
  problems: [],
  failure: null,
}

it.each<[string, Partial<Part>]>([
  ['Current', {}],
  ['Late', { freshness: 'late' }],
  ['Overdue', { freshness: 'overdue' }],
  ['Supplier inactive', { isInactive: true, freshness: 'overdue' }],
  ['Too old: counts as 0', { isStale: true, isInactive: true }],
  ['No file yet', { dataAsOf: null }],
  ['Cannot be used', { failure: 'It has no quantity.' }],
])('a part is shown as “%s”', async (state, changes) => {
  const file = {
    relations: [{ retailerId: 1, supplier: 'Northbeck', part: { ...part, ...changes } }],
  } as unknown as ShownMergedFile
  renderInTheme(<PartsPanel file={file} />)
  expect(await screen.findByText(state)).toBeDefined()
  expect(screen.queryByText(/is deactivated and publishes nothing more/) !== null).toBe(
    changes.isInactive === true,
  )
})

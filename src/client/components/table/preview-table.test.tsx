import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { PreviewTable } from './preview-table'

const columns = ['sku', '', 'sku']
const rows = Array.from({ length: 100 }, (_, index) => [`A${index + 1}`, ' ', 'x'])

describe('PreviewTable', () => {
  it('numbers its rows, and names an unnamed column by its position', () => {
    renderInTheme(<PreviewTable label="Rows" columns={columns} rows={rows.slice(0, 10)} />)
    expect(screen.getAllByRole('row')).toHaveLength(11)
    expect(screen.getByRole('rowheader', { name: '10' })).toBeDefined()
    expect(screen.getByRole('columnheader', { name: 'Column 2' })).toBeDefined()
  })

  it('reports the full row count although only visible rows are in the document', () => {
    renderInTheme(<PreviewTable label="Rows" columns={columns} rows={rows} maxHeight={300} />)
    expect(screen.getByRole('table', { name: 'Rows' }).getAttribute('aria-rowcount')).toBe('101')
    expect(screen.getAllByRole('row').length).toBeLessThan(100)
  })
})

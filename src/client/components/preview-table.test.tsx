import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../testing/render'
import { PreviewTable } from './preview-table'

const columns = ['sku', '', 'sku']
const rows = Array.from({ length: 100 }, (_, index) => [`A${index + 1}`, ' ', 'x'])

describe('the preview table', () => {
  it('numbers its rows and names a column without a name', () => {
    renderInTheme(<PreviewTable label="Rows" columns={columns} rows={rows.slice(0, 10)} />)
    expect(screen.getAllByRole('row')).toHaveLength(11)
    expect(screen.getByRole('rowheader', { name: '10' })).toBeDefined()
    expect(screen.getByRole('columnheader', { name: 'Column 2' })).toBeDefined()
  })

  it('tells how many rows there are although only those in sight are in the document', () => {
    renderInTheme(<PreviewTable label="Rows" columns={columns} rows={rows} maxHeight={300} />)
    expect(screen.getByRole('table', { name: 'Rows' }).getAttribute('aria-rowcount')).toBe('101')
    expect(screen.getAllByRole('row').length).toBeLessThan(100)
  })
})

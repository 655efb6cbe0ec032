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

  it('puts numbers to the right, but neither SKUs nor what only names something', () => {
    const names = ['sku', 'price', 'ean']
    const cells = [
      ['100', '9.90', '4006381333931'],
      ['200', '', '4006381333948'],
    ]
    renderInTheme(<PreviewTable label="Rows" columns={names} rows={cells} skuColumn="SKU" />)
    const isNumber = (name: string) =>
      screen.getByRole('columnheader', { name }).hasAttribute('data-number')
    expect(names.map(isNumber)).toEqual([false, true, false])
    expect(screen.getByRole('cell', { name: '9.90' }).hasAttribute('data-number')).toBe(true)
  })

  it('tints quantities of 0, and no other zeros', () => {
    const cells = [
      ['A1', '0', '0'],
      ['A2', '10', '5'],
    ]
    renderInTheme(
      <PreviewTable
        label="Rows"
        columns={['sku', 'free', 'tax']}
        rows={cells}
        quantityColumn="free"
      />,
    )
    const [, free, tax, , ten] = screen.getAllByRole('cell')
    const tinted = [free, tax, ten].map((cell) => cell?.hasAttribute('data-zero'))
    expect(tinted).toEqual([true, false, false])
  })

  it('marks each hit of a search, in any case, and keeps the text whole', () => {
    renderInTheme(
      <PreviewTable label="Rows" columns={['name']} rows={[['Hat, that HAT']]} mark="hat" />,
    )
    const cell = screen.getByRole('cell', { name: 'Hat, that HAT' })
    const marks = [...cell.querySelectorAll('mark')].map(({ textContent }) => textContent)
    expect(marks).toEqual(['Hat', 'hat', 'HAT'])
    expect(cell.textContent).toBe('Hat, that HAT')
  })
})

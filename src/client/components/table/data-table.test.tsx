import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { DataTable, shareWidth } from './data-table'
import type { Column } from './table-column'

interface Row {
  id: number
  name: string
}

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', isSortable: true, cell: ({ name }) => name },
  {
    id: 'actions',
    header: 'Actions',
    actionCount: 1,
    cell: ({ name }) => <button type="button">Edit {name}</button>,
  },
]
const rows = [{ id: 1, name: 'Acme' }]

describe('DataTable', () => {
  it('is marked busy while its rows are loading', () => {
    renderInTheme(
      <DataTable label="Stores" columns={columns} rows={undefined} rowKey={({ id }) => id} />,
    )
    expect(screen.getByRole('table', { name: 'Stores' }).getAttribute('aria-busy')).toBe('true')
  })

  it('cycles a column through ascending, descending and unsorted', async () => {
    const sorts: (string | undefined)[] = []
    const table = (sort?: string) => (
      <DataTable
        label="Stores"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={(next) => sorts.push(next)}
      />
    )
    const { rerender } = renderInTheme(table())
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    rerender(table('name'))
    expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'ascending',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    rerender(table('-name'))
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(sorts).toEqual(['name', '-name', undefined])
  })

  it('opens a row on click, except on the buttons inside it', async () => {
    const opened: string[] = []
    renderInTheme(
      <DataTable
        label="Stores"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        onRowClick={({ name }) => opened.push(name)}
      />,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Edit Acme' }))
    expect(opened).toEqual([])
    await userEvent.click(screen.getByText('Acme'))
    expect(opened).toEqual(['Acme'])
  })
})

describe('where its columns do not fit', () => {
  afterEach(() => vi.restoreAllMocks())

  it('shows rows as cards with their buttons in the title line, and sorts by a choice', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(320)
    const sorts: (string | undefined)[] = []
    renderInTheme(
      <DataTable
        label="Stores"
        columns={[columns[0]!, { id: 'city', header: 'City', cell: () => 'Oslo' }, columns[1]!]}
        rows={rows}
        rowKey={({ id }) => id}
        onSort={(next) => sorts.push(next)}
      />,
    )
    expect(screen.queryByRole('table')).toBeNull()
    const card = screen.getByRole('listitem')
    expect(card.firstElementChild?.textContent).toBe('AcmeEdit Acme')
    expect(card.querySelector('dl')?.textContent).toBe('CityOslo')
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Sort Stores' }),
      'Name, descending',
    )
    expect(sorts).toEqual(['-name'])
  })
})

it('is not measured to show cards in a window in which its columns cannot fit', () => {
  vi.stubGlobal('innerWidth', 200)
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get')
  const wide = columns.map((column) => ({ ...column, minWidth: 150 }))
  renderInTheme(<DataTable label="Stores" columns={wide} rows={rows} rowKey={({ id }) => id} />)
  expect(screen.getByRole('listitem').textContent).toContain('Acme')
  expect(width).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the width of a table', () => {
  const column = (id: string, more: Partial<Column<Row>> = {}): Column<Row> => ({
    id,
    header: id,
    cell: () => id,
    ...more,
  })

  it('goes to the first column more than to others, which names the row', () => {
    const widths = shareWidth([column('name'), column('kind'), column('at', { width: 140 })], 660)
    expect(widths).toEqual([320, 200, 140])
  })

  it('leaves each column its minimum', () => {
    const widths = shareWidth([column('name'), column('kind', { minWidth: 300 })], 500)
    expect(widths).toEqual([200, 300])
  })
})

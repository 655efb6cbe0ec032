import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'

import type { BrowseRowsInput, RowsPage } from '../../../shared/schemas/file-rows'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { BrowseRows } from './browse-rows'

const ROW_COUNT = 70
const calls: BrowseRowsInput[] = []
beforeEach(() => {
  calls.length = 0
})

const page = (first: number, last: number, rowsRead = last): RowsPage => ({
  columns: ['sku'],
  columnCount: 3,
  rows: Array.from({ length: last - first + 1 }, (_, row) => ({
    number: first + row,
    cells: [`S-${first + row}`],
  })),
  rowsRead,
  rowCount: ROW_COUNT,
  nextCursor: rowsRead < ROW_COUNT ? `${rowsRead}` : null,
})

function Rows() {
  const [q, setQ] = useState('')
  return (
    <BrowseRows
      source={{ retailerId: 3 }}
      fileName="connection_1_spring.csv"
      q={q}
      skuColumn="sku"
      quantityColumn={null}
      onQueryChange={setQ}
    />
  )
}

const renderRows = (answer: (input: BrowseRowsInput) => RowsPage) =>
  renderWithAnswers(<Rows />, {
    'retailers.rows': (input: BrowseRowsInput) => {
      calls.push(input)
      return answer(input)
    },
  })

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const search = (text: string) => userEvent.type(screen.getByLabelText('Search rows'), text)
const cursors = () => calls.map(({ cursor }) => cursor ?? null)

describe('BrowseRows', () => {
  it('pages through all rows, and reads nothing to go back', async () => {
    renderRows(({ cursor }) => (cursor ? page(51, 70) : page(1, 50)))
    expect(await screen.findByText('Rows 1–50 of 70')).toBeDefined()
    expect(screen.getByText('and 2 more columns')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Previous' }).hasAttribute('disabled')).toBe(true)
    await press('Next')
    expect(await screen.findByText('Rows 51–70 of 70')).toBeDefined()
    expect(screen.getByRole('rowheader', { name: '51' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Next' }).hasAttribute('disabled')).toBe(true)
    await press('Previous')
    expect(await screen.findByText('Rows 1–50 of 70')).toBeDefined()
    expect(cursors()).toEqual([null, '50'])
  })

  it('fills a page from several responses when rows are long', async () => {
    renderRows(({ cursor }) => (cursor ? page(21, 70) : page(1, 20)))
    expect(await screen.findByText('Rows 1–50 of 70')).toBeDefined()
    expect(cursors()).toEqual([null, '20'])
  })

  it('goes on with a search until it has found a page or read the file', async () => {
    renderRows(({ q, cursor }) => {
      if (q === '') return page(1, 50)
      return cursor === '60' ? page(66, 66, 70) : page(1, 0, cursor === '30' ? 60 : 30)
    })
    await screen.findByText('Rows 1–50 of 70')
    await search('S-66')
    expect(await screen.findByText('Matches 1 of 1')).toBeDefined()
    expect(screen.getByRole('cell', { name: 'S-66' })).toBeDefined()
    expect(calls.slice(1)).toMatchObject([
      { q: 'S-66' },
      { q: 'S-66', cursor: '30' },
      { q: 'S-66', cursor: '60' },
    ])
  })

  it('says when no row matches, and offers to clear the search', async () => {
    renderRows(({ q }) => (q === '' ? page(1, 50) : page(1, 0, 70)))
    await screen.findByText('Rows 1–50 of 70')
    await search('nowhere')
    expect(await screen.findByText('No matching rows')).toBeDefined()
    expect(screen.getByText('nowhere').parentElement?.textContent).toBe(
      'No cell contains “nowhere”.',
    )
    await userEvent.click(screen.getAllByRole('button', { name: 'Clear search' })[1] as Element)
    expect(await screen.findByText('Rows 1–50 of 70')).toBeDefined()
  })

  it('goes on after an error where it was', async () => {
    let isDown = true
    renderRows(({ cursor }) => {
      if (cursor && isDown) throw new Refusal(503, 'The rows could not be read.')
      return cursor ? page(51, 70) : page(1, 50)
    })
    await screen.findByText('Rows 1–50 of 70')
    await press('Next')
    expect(await screen.findByText('The rows could not be read.')).toBeDefined()
    isDown = false
    await press('Try Again')
    expect(await screen.findByText('Rows 51–70 of 70')).toBeDefined()
    await waitFor(() => expect(cursors()).toEqual([null, '50', '50']))
  })

  it('shows the columns that are chosen, keeps the choice in the browser, and always shows the SKU', async () => {
    const wide = (): RowsPage => ({
      ...page(1, 1, ROW_COUNT),
      columns: ['sku', 'name', 'stock'],
      rows: [{ number: 1, cells: ['S-1', 'Boot', '3'] }],
    })
    const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    const { unmount } = renderRows(wide)
    await userEvent.click(await screen.findByRole('button', { name: 'Columns' }))
    const box = (name: string) => screen.getByRole('checkbox', { name })
    expect(box('sku').hasAttribute('disabled')).toBe(true)
    await userEvent.click(box('name'))
    expect(headers()).toEqual(['#', 'sku', 'stock'])
    expect(screen.queryByRole('cell', { name: 'Boot' })).toBeNull()
    unmount()
    renderRows(wide)
    await userEvent.click(await screen.findByRole('button', { name: 'Columns: 2 of 3' }))
    await userEvent.click(screen.getByRole('button', { name: 'Show all columns' }))
    expect(headers()).toEqual(['#', 'sku', 'name', 'stock'])
  })
})

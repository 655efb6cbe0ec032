import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'

import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { renderInRouter } from '../../testing/render'
import type { FileCategoriesState } from './use-file-categories'
import { VisibilityFields } from './visibility-fields'

const reading = { column: 'type', pathSign: '>' as const, listSign: null }
const file: FileCategoriesState = {
  kind: 'ready',
  reading,
  rowCount: 9880,
  counts: [
    { cell: 'Clothing > Shirts', rows: 1000 },
    { cell: 'Clothing > Jackets', rows: 204 },
    { cell: 'Tents', rows: 8676 },
  ],
}
const only = (...categories: string[]): VisibilitySettings => ({ allProducts: false, categories })

async function renderFields(state: FileCategoriesState, saved: VisibilitySettings) {
  const changes: VisibilitySettings[] = []
  function Fields() {
    const [value, setValue] = useState(saved)
    return (
      <VisibilityFields
        file={state}
        value={value}
        onChange={(next) => {
          changes.push(next)
          setValue(next)
        }}
      />
    )
  }
  renderInRouter(<Fields />)
  await screen.findByRole('switch', { name: /^Show All Products/ })
  return changes
}

const toggle = () => screen.getByRole<HTMLInputElement>('switch', { name: /^Show All Products/ })
/** A category by its name and what is said of it; jsdom leaves out spaces between the parts. */
const item = (text: string) =>
  screen.getByRole('treeitem', {
    name: new RegExp(`^${text.replaceAll(' ', String.raw`\s*`)}`),
  })
const checked = (name: string) => item(name).getAttribute('aria-checked')

describe('the categories of a retailer', () => {
  it('stand there with their rows only while not all products are shown', async () => {
    await renderFields(file, { allProducts: true, categories: [] })
    expect(screen.queryByRole('tree')).toBeNull()
    await userEvent.click(toggle())
    expect(item('Clothing 1,204 rows')).toBeDefined()
    expect(screen.getByText('0 of 9,880 rows visible')).toBeDefined()
    expect(screen.getByText(/this retailer gets the header only/)).toBeDefined()
  })

  it('cover what is below them', async () => {
    const changes = await renderFields(file, only('Clothing > Shirts'))
    expect([checked('Clothing'), checked('Shirts'), checked('Jackets')]).toEqual([
      'mixed',
      'true',
      'false',
    ])
    await userEvent.click(item('Clothing'))
    expect(changes).toEqual([only('Clothing')])
    expect(item('Jackets covered by Clothing 204 rows')).toBeDefined()
    await userEvent.click(item('Jackets'))
    expect(changes).toHaveLength(1)
    expect(screen.getByText('1,204 of 9,880 rows visible')).toBeDefined()
  })

  it('can be chosen by the keyboard alone', async () => {
    const changes = await renderFields(file, only())
    screen.getByRole('tree').focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(screen.queryByRole('treeitem', { name: /^Shirts/ })).toBeNull()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowDown} ')
    expect(changes).toEqual([only('Clothing > Shirts')])
    await userEvent.keyboard('{End}{Enter}{Home}')
    expect(changes.at(-1)).toEqual(only('Clothing > Shirts', 'Tents'))
    const active = screen.getByRole('tree').getAttribute('aria-activedescendant')
    expect(active).toBe(item('Clothing').id)
  })

  it('that are no longer in the file stay in sight until they are removed', async () => {
    const changes = await renderFields(file, only('Tents', 'Skis'))
    expect(screen.getByText('not in the file')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Remove Skis' }))
    expect(changes).toEqual([only('Tents')])
  })

  it('can be searched when there are many, without saving the form', async () => {
    const counts = Array.from({ length: 20_000 }, (_, number) => ({
      cell: `Group ${number % 50} > Category ${number}`,
      rows: 1,
    }))
    await renderFields({ kind: 'ready', reading, counts, rowCount: 20_000 }, only())
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(40)
    const search = screen.getByRole('searchbox', { name: 'Search categories' })
    await userEvent.type(search, 'category 19999{Enter}')
    expect(screen.getAllByRole('treeitem')).toHaveLength(2)
    await userEvent.clear(search)
    await userEvent.type(search, 'nothing')
    expect(screen.getByText('No category matches “nothing”.')).toBeDefined()
  })
})

describe('a file without categories', () => {
  it('keeps the toggle on, and says why and where that can be changed', async () => {
    await renderFields({ kind: 'no-column' }, { allProducts: true, categories: [] })
    expect([toggle().checked, toggle().disabled]).toEqual([true, true])
    expect(screen.getByText(/your file has no category column/)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Connections' }).getAttribute('href')).toBe(
      '/supplier/connections',
    )
  })

  it('never shows more than was saved without being asked', async () => {
    const changes = await renderFields({ kind: 'no-column' }, only('Tents'))
    expect([toggle().checked, toggle().disabled]).toEqual([false, false])
    expect(screen.getByText('Tents')).toBeDefined()
    expect(changes).toEqual([])
  })

  it('that is not there yet is named, and keeps what was chosen', async () => {
    await renderFields({ kind: 'no-file', message: 'No file is available yet' }, only('Tents'))
    expect(screen.getByText(/No file is available yet/)).toBeDefined()
    expect(screen.getByText('Tents')).toBeDefined()
  })
})

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'

import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { answerCategories, type Branch } from '../../testing/category-answers'
import { InRouter } from '../../testing/render'
import { Refusal, renderWithAnswers, type Answers } from '../../testing/render-app'
import type { FileCategoriesState } from './use-file-categories'
import { VisibilityFields } from './visibility-fields'

const fewCategories: Branch[] = [
  {
    label: 'Clothing',
    rows: 0,
    children: [
      { label: 'Jackets', rows: 204 },
      { label: 'Shirts', rows: 1000 },
    ],
  },
  { label: 'Tents', rows: 8676 },
]
const only = (...categories: string[]): VisibilitySettings => ({ allProducts: false, categories })

async function renderFields(
  state: FileCategoriesState,
  saved: VisibilitySettings,
  answers: Answers = {},
) {
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
  renderWithAnswers(<InRouter element={<Fields />} />, answers)
  await screen.findByRole('switch', { name: /^Show All Products/ })
  return changes
}

async function renderCategories(
  branches: Branch[],
  saved: VisibilitySettings,
  overrides: Answers = {},
) {
  const { file, answers } = answerCategories(branches, 9880)
  const ready = { kind: 'ready', file: { ...file, connectionId: 1 } } as const
  const changes = await renderFields(ready, saved, { ...answers, ...overrides })
  if (!saved.allProducts) await screen.findByRole('tree')
  return changes
}

const toggle = () => screen.getByRole<HTMLInputElement>('switch', { name: /^Show All Products/ })
/** A tree item by its accessible name, in which jsdom omits the spaces between the parts. */
const item = (text: string) =>
  screen.getByRole('treeitem', {
    name: new RegExp(`^${text.replaceAll(' ', String.raw`\s*`)}`),
  })
const checked = (name: string) => item(name).getAttribute('aria-checked')

describe('the category tree', () => {
  it('appears with row counts only while Show All Products is off', async () => {
    await renderCategories(fewCategories, { allProducts: true, categories: [] })
    expect(screen.queryByRole('tree')).toBeNull()
    await userEvent.click(toggle())
    await screen.findByRole('tree')
    expect(item('Clothing 1,204 rows')).toBeDefined()
    expect(await screen.findByText('0 of 9,880 rows visible')).toBeDefined()
    expect(screen.getByText(/this retailer gets the header only/)).toBeDefined()
  })

  it('treats subcategories of a chosen category as chosen and fixed', async () => {
    const changes = await renderCategories(fewCategories, only('Clothing > Shirts'))
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
    expect(await screen.findByText('1,204 of 9,880 rows visible')).toBeDefined()
  })

  it('can be operated by keyboard alone', async () => {
    const changes = await renderCategories(fewCategories, only())
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

  it('lists chosen categories that are no longer in the file until they are removed', async () => {
    const changes = await renderCategories(fewCategories, only('Tents', 'Skis'))
    expect(screen.getByText('not in the file')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Remove Skis' }))
    expect(changes).toEqual([only('Tents')])
  })

  it('keeps the choice when the visible rows cannot be counted', async () => {
    const { answers } = answerCategories(fewCategories, 9880)
    const choose = answers['categories.choice']!
    await renderCategories(fewCategories, only('Tents'), {
      'categories.choice': (input: { categories: string[] }) => {
        if (input.categories.length === 0) throw new Refusal(503, 'Not now')
        return choose(input as never)
      },
    })
    expect(await screen.findByText('8,676 of 9,880 rows visible')).toBeDefined()
    await userEvent.click(item('Tents'))
    expect(await screen.findByText('The visible rows could not be counted.')).toBeDefined()
    expect(checked('Tents')).toBe('false')
  })
})

describe('a tree of twenty thousand categories', () => {
  const groups: Branch[] = Array.from({ length: 50 }, (_, group) => ({
    label: `Group ${group}`,
    rows: 0,
    children: Array.from({ length: 400 }, (__, number) => ({
      label: `Category ${group * 400 + number}`,
      rows: 1,
    })),
  }))

  it('can be searched without submitting the form', async () => {
    await renderCategories(groups, only())
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(40)
    const search = screen.getByRole('searchbox', { name: 'Search categories' })
    await userEvent.type(search, 'category 19999{Enter}')
    await waitFor(() => expect(screen.getAllByRole('treeitem')).toHaveLength(2))
    expect(item('Category 19999 1 row')).toBeDefined()
    await userEvent.clear(search)
    await userEvent.type(search, 'nothing')
    const query = await screen.findByText('nothing')
    expect(query.parentElement?.textContent).toBe('No category matches “nothing”.')
  })

  it('shows how many results a search leaves out', async () => {
    await renderCategories(groups, only())
    await userEvent.type(screen.getByRole('searchbox'), 'category 1')
    expect(await screen.findByText(/^and 1[\d,]+ more\. Type more to narrow/)).toBeDefined()
  })

  it('loads a level when it is opened', async () => {
    const changes = await renderCategories(groups, only())
    screen.getByRole('tree').focus()
    await userEvent.keyboard('{ArrowRight}')
    await waitFor(() => expect(item('Category 0 1 row')).toBeDefined())
    await userEvent.keyboard('{ArrowDown} ')
    expect(changes).toEqual([only('Group 0 > Category 0')])
    expect(checked('Group 0')).toBe('mixed')
  })

  it('opens the ancestors of chosen categories', async () => {
    await renderCategories(groups, only('Group 1 > Category 400'))
    await waitFor(() => expect(checked('Category 400')).toBe('true'))
    expect(screen.queryByRole('treeitem', { name: /^Category 0/ })).toBeNull()
  })

  it('retries a level that could not be loaded when its row is pressed', async () => {
    const { answers } = answerCategories(groups, 9880)
    let isDown = true
    await renderCategories(groups, only(), {
      'categories.level': (input: never) => {
        if (isDown) throw new Refusal(503, 'Not now')
        return answers['categories.level']!(input)
      },
    })
    screen.getByRole('tree').focus()
    await userEvent.keyboard('{ArrowRight}')
    const retry = await screen.findByRole('treeitem', { name: /could not be loaded/i })
    isDown = false
    await userEvent.click(retry)
    await waitFor(() => expect(item('Category 0 1 row')).toBeDefined())
  })
})

describe('a file without categories', () => {
  it('keeps the toggle on, explains why, and links to where to change that', async () => {
    await renderFields({ kind: 'no-column' }, { allProducts: true, categories: [] })
    expect([toggle().checked, toggle().disabled]).toEqual([true, true])
    expect(screen.getByText(/your file has no category column/)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Connections' }).getAttribute('href')).toBe(
      '/supplier/connections',
    )
  })

  it('leaves a toggle off that was saved as off', async () => {
    const changes = await renderFields({ kind: 'no-column' }, only('Tents'))
    expect([toggle().checked, toggle().disabled]).toEqual([false, false])
    expect(screen.getByText('Tents')).toBeDefined()
    expect(changes).toEqual([])
  })

  it('keeps the chosen categories while there is no file yet', async () => {
    await renderFields({ kind: 'no-file', message: 'No file is available yet' }, only('Tents'))
    expect(screen.getByText(/No file is available yet/)).toBeDefined()
    expect(screen.getByText('Tents')).toBeDefined()
  })
})

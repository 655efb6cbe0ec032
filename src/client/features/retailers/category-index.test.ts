import { describe, expect, it } from 'vitest'

import {
  findCover,
  indexCategories,
  isLargeTree,
  listCategoriesInView,
  readChoice,
  toggleCategory,
} from './category-index'

const counts = [
  { cell: 'Clothing > Shirts', rows: 3 },
  { cell: 'Clothing > Jackets > Rain', rows: 2 },
  { cell: 'Tents', rows: 4 },
]
const index = indexCategories(counts, { column: 'type', pathSign: '>', listSign: null })
const place = (path: string) => index.find(path) ?? -1
const labels = (places: number[]) => places.map((at) => index.nodes[at]?.label)

describe('choosing categories', () => {
  it('takes out what the new choice covers', () => {
    const chosen = ['Clothing > Jackets > Rain', 'Tents', 'Gone']
    expect(toggleCategory(index, chosen, place('Clothing'))).toEqual(['Tents', 'Gone', 'Clothing'])
  })

  it('takes a chosen one out, however it is written', () => {
    expect(toggleCategory(index, ['clothing>SHIRTS'], place('Clothing > Shirts'))).toEqual([])
  })

  it('knows the ones above and below the chosen ones, and those that are not in the file', () => {
    const choice = readChoice(index, ['Clothing > Jackets', 'Skis'])
    expect(labels([...choice.mixed])).toEqual(['Clothing'])
    expect(choice.missing).toEqual(['Skis'])
    expect(findCover(index, choice, place('Clothing > Jackets > Rain'))?.label).toBe('Jackets')
    expect(findCover(index, choice, place('Clothing > Jackets'))).toBeUndefined()
  })
})

describe('the categories in view', () => {
  const inView = (query: string, open: string[]) =>
    labels(
      listCategoriesInView(index, {
        query,
        isOpen: (at) => open.includes(index.nodes[at]?.label ?? ''),
      }),
    )

  it('are those whose ancestors are all open', () => {
    expect(inView('', ['Jackets'])).toEqual(['Clothing', 'Tents'])
    expect(inView('', ['Clothing'])).toEqual(['Clothing', 'Jackets', 'Shirts', 'Tents'])
  })

  it('are, in a search, those with every word and the way to them', () => {
    expect(inView('RAIN cloth', ['Clothing', 'Jackets'])).toEqual(['Clothing', 'Jackets', 'Rain'])
    expect(inView('skis', ['Clothing'])).toEqual([])
  })
})

describe('a large tree', () => {
  const flat = (length: number) =>
    indexCategories(
      Array.from({ length }, (_, number) => ({ cell: `C${number}`, rows: 1 })),
      { column: 'type', pathSign: null, listSign: null },
    )

  it('has more than twelve categories at its top', () => {
    expect([isLargeTree(flat(12)), isLargeTree(flat(13))]).toEqual([false, true])
  })
})

import { describe, expect, it } from 'vitest'

import { applyListView, PAGE_SIZE, readListView } from './list-view'

interface Store {
  name: string | null
  city: string
}

const reading = {
  searchText: (store: Store) => `${store.name ?? ''} ${store.city}`,
  sortValues: { name: (store: Store) => store.name },
}
const stores: Store[] = [
  { name: 'Zeta 10', city: 'Oslo' },
  { name: null, city: 'Bergen' },
  { name: 'zeta 9', city: 'Oslo' },
  { name: 'Acme', city: 'Bergen' },
]
const names = (view: Parameters<typeof applyListView>[1]) =>
  applyListView(stores, view, reading).rows.map(({ name }) => name)

describe('applyListView', () => {
  it('keeps the order of the list when nothing is asked', () => {
    expect(names({})).toEqual(['Zeta 10', null, 'zeta 9', 'Acme'])
  })

  it('finds rows that hold every word, in any case', () => {
    expect(names({ q: 'OSLO zeta' })).toEqual(['Zeta 10', 'zeta 9'])
  })

  it('sorts numbers inside names by value and keeps empty cells last both ways', () => {
    expect(names({ sort: 'name' })).toEqual(['Acme', 'zeta 9', 'Zeta 10', null])
    expect(names({ sort: '-name' })).toEqual(['Zeta 10', 'zeta 9', 'Acme', null])
  })

  it('shows the last page when a page beyond it is asked for', () => {
    const many = Array.from({ length: PAGE_SIZE + 1 }, (_, index) => ({
      name: `Store ${index}`,
      city: '',
    }))
    const page = applyListView(many, { page: 9 }, reading)
    expect([page.page, page.pageCount, page.rows.length]).toEqual([2, 2, 1])
  })
})

describe('readListView', () => {
  it('leaves out what is no view', () => {
    expect(readListView({ q: 5, sort: 3, page: -1 })).toEqual({ q: '5' })
  })
})

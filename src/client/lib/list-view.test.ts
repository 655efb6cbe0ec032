import { describe, expect, it } from 'vitest'

import { pageRequest, readListView } from './list-view'

describe('readListView', () => {
  it('keeps what is valid', () => {
    const view = { q: 'boots', sort: '-name', page: 3, size: 100 as const }
    expect(readListView(view, ['name'])).toEqual(view)
  })

  it.each([
    { sort: 'password' },
    { sort: 3 },
    { sort: '--name' },
    { page: -1 },
    { page: 0 },
    { page: 1.5 },
    { page: '2' },
    { page: 1e9 },
    { size: 7 },
    { size: '100' },
    { q: { a: 1 } },
    { q: null },
    { unknown: 'x' },
  ])('drops what is not: %j', (search) => {
    expect(readListView(search, ['name'])).toEqual({})
  })

  it.each([{ page: 1 }, { size: 50 }, { q: '' }])('drops the default: %j', (search) => {
    expect(readListView(search, ['name'])).toEqual({})
  })

  it.each([
    [5, '5'],
    [true, 'true'],
  ])('reads %j as the text that was searched for', (q, text) => {
    expect(readListView({ q }, []).q).toBe(text)
  })

  it('cuts a search that is too long for the server', () => {
    expect(readListView({ q: 'a'.repeat(500) }, []).q).toHaveLength(200)
  })
})

describe('pageRequest', () => {
  it('defaults to the first page of 50 rows without search or sort', () => {
    expect(pageRequest({}, ['name'])).toEqual({ q: '', sort: undefined, page: 1, size: 50 })
  })

  it('sorts by the given columns in both directions, and drops any other', () => {
    expect(pageRequest({ sort: '-name', page: 3, size: 25 }, ['name'])).toMatchObject({
      sort: '-name',
      page: 3,
      size: 25,
    })
    expect(pageRequest({ sort: 'password' }, ['name']).sort).toBeUndefined()
  })
})

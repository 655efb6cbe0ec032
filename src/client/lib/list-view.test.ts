import { describe, expect, it } from 'vitest'

import { pageRequest, readListView } from './list-view'

describe('readListView', () => {
  it('drops invalid values', () => {
    expect(readListView({ q: 5, sort: 3, page: -1 })).toEqual({ q: '5' })
  })

  it('truncates a search that is too long for the server', () => {
    expect(readListView({ q: 'a'.repeat(500) }).q).toHaveLength(200)
  })
})

describe('pageRequest', () => {
  it('defaults to the first page without search or sort', () => {
    expect(pageRequest({}, ['name'])).toEqual({ q: '', sort: undefined, page: 1 })
  })

  it('sorts by the given columns in both directions, and drops any other', () => {
    expect(pageRequest({ sort: '-name', page: 3 }, ['name'])).toMatchObject({
      sort: '-name',
      page: 3,
    })
    expect(pageRequest({ sort: 'password' }, ['name']).sort).toBeUndefined()
  })
})

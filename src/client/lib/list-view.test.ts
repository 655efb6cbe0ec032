import { describe, expect, it } from 'vitest'

import { pageRequest, readListView } from './list-view'

describe('readListView', () => {
  it('leaves out what is no view', () => {
    expect(readListView({ q: 5, sort: 3, page: -1 })).toEqual({ q: '5' })
  })

  it('cuts a search that the server would refuse', () => {
    expect(readListView({ q: 'a'.repeat(500) }).q).toHaveLength(200)
  })
})

describe('pageRequest', () => {
  it('asks for the first page of everything when nothing is said', () => {
    expect(pageRequest({}, ['name'])).toEqual({ q: '', sort: undefined, page: 1 })
  })

  it('sorts both ways by the columns of the list, and by nothing else', () => {
    expect(pageRequest({ sort: '-name', page: 3 }, ['name'])).toMatchObject({
      sort: '-name',
      page: 3,
    })
    expect(pageRequest({ sort: 'password' }, ['name']).sort).toBeUndefined()
  })
})

import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'

import { editCachedPages } from './cached-pages'

interface Row {
  id: number
  name: string
}

const first = { rows: [{ id: 1, name: 'a' }], matchCount: 2, totalCount: 5, page: 1 }
const second = { rows: [{ id: 2, name: 'b' }], matchCount: 2, totalCount: 5, page: 2 }

describe('editCachedPages', () => {
  let client: QueryClient

  beforeEach(() => {
    client = new QueryClient()
    client.setQueryData(['rows', { page: 1 }], first)
    client.setQueryData(['rows', { page: 2 }], second)
    client.setQueryData(['other'], first)
  })
  const edit = (change: (row: Row) => Row | null) => editCachedPages(client, ['rows'], 2, change)

  it('changes the row on every cached page of the list, and nothing else', async () => {
    await edit((row) => ({ ...row, name: 'c' }))
    expect(client.getQueryData(['rows', { page: 1 }])).toEqual(first)
    expect(client.getQueryData(['rows', { page: 2 }])).toEqual({
      ...second,
      rows: [{ id: 2, name: 'c' }],
    })
    expect(client.getQueryData(['other'])).toEqual(first)
  })

  it('removes a row from its page and from the counts', async () => {
    await edit(() => null)
    expect(client.getQueryData(['rows', { page: 2 }])).toEqual({
      rows: [],
      matchCount: 1,
      totalCount: 4,
      page: 2,
    })
  })

  it('returns a function that restores the pages', async () => {
    const restore = await edit(() => null)
    restore()
    expect(client.getQueryData(['rows', { page: 2 }])).toEqual(second)
  })
})

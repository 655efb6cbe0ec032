import { expect, it } from 'vitest'

import { toExportHref } from './export-href'

it('names what a list is searched, filtered and sorted by, and no page', () => {
  const view = { q: 'a&b', sort: '-name', page: 3, size: 50, reading: undefined }
  expect(toExportHref('/api/list.csv', view)).toBe('/api/list.csv?q=a%26b&sort=-name')
  expect(toExportHref('/api/list.csv', { q: '', page: 1 })).toBe('/api/list.csv')
})

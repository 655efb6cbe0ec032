import { expect, it } from 'vitest'

import { readOptions } from './options'

const rows = [
  { name: 'sync', number: 1 },
  { name: 'download', number: 7 },
]
const read = (values: Record<string, string | boolean>, positionals: string[] = []) =>
  readOptions({ values, positionals }, rows)

it('without arguments all rows are measured five times', () => {
  expect(read({})).toEqual({
    runs: 5,
    only: [],
    isQuick: false,
    isJson: false,
    isSaved: false,
    isGrowth: false,
  })
})

it('rows are chosen by name or by number', () => {
  expect(read({ only: 'download, 1' }).only).toEqual(['download', 'sync'])
  expect(read({ row: '7' }).only).toEqual(['download'])
})

it('flags and the number of runs are read', () => {
  expect(read({ runs: '9', quick: true, json: true })).toEqual({
    runs: 9,
    only: [],
    isQuick: true,
    isJson: true,
    isSaved: false,
    isGrowth: false,
  })
})

it.each([
  [{ runs: '0' }, [], 'whole number'],
  [{ runs: '2.5' }, [], 'whole number'],
  [{ runs: 'many' }, [], 'whole number'],
  [{ only: 'upload' }, [], 'There is no row upload. Rows: 1 sync, 7 download'],
  [{}, ['sync'], 'Unknown argument: sync'],
  [{ save: true, only: 'sync' }, [], '--save is for a whole run'],
  [{ save: true, row: '7' }, [], '--save is for a whole run'],
  [{ save: true, growth: true }, [], '--save is for a whole run'],
  [{ save: true, quick: true }, [], '--save is for a whole run'],
])('%j with %j is refused: %s', (values, positionals, message) => {
  expect(() => read(values as Record<string, string>, positionals)).toThrow(message)
})

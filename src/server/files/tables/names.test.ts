import { describe, expect, it } from 'vitest'

import { createNameTest, listNames } from './names'

describe('a pattern of names', () => {
  it.each([
    ['Stock', 'Stock', true],
    ['stock', 'STOCK', true],
    ['Stock', 'Stock 2', false],
    ['Stock*', 'Stock 2', true],
    ['*', '', true],
    ['*.csv', 'a/b.csv', true],
    ['*.csv', 'a.csv.gz', false],
    ['a*b*c', 'aXbXc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['a*b*b', 'ab', false],
    ['Lager.*', 'LagerX1', false],
  ])('%s fits %s: %s', (pattern, name, fits) => {
    expect(createNameTest(pattern)(name)).toBe(fits)
  })
})

describe('a list of names', () => {
  it('has a conjunction, and at most ten names of at most 60 characters', () => {
    expect(listNames(['a'])).toBe('“a”')
    expect(listNames(['a', 'b', 'c'])).toBe('“a”, “b” and “c”')
    expect(listNames(Array<string>(12).fill('x'))).toBe(`${'“x”, '.repeat(9)}“x” and 2 more`)
    expect(listNames(['x'.repeat(80)])).toBe(`“${'x'.repeat(60)} …”`)
  })
})

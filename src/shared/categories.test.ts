import { describe, expect, it } from 'vitest'

import {
  type CategorySeparators,
  comparableCategories,
  createCategoryMatcher,
  isReadableCategory,
  readCategories,
} from './categories'
import { CATEGORY_CELL_MAX_LENGTH, CATEGORY_MAX_ENTRIES, CATEGORY_MAX_LEVELS } from './constants'

const plain: CategorySeparators = { pathSeparator: null, listSeparator: null }
const paths: CategorySeparators = { pathSeparator: '>', listSeparator: null }
const both: CategorySeparators = { pathSeparator: '>', listSeparator: '|' }
const slashes: CategorySeparators = { pathSeparator: '/', listSeparator: ',' }

describe('reading a category cell', () => {
  const cases: [string, CategorySeparators, string[][]][] = [
    ['Shirts', plain, [['Shirts']]],
    [' Indoor/Outdoor ', plain, [['Indoor/Outdoor']]],
    ['Clothing > Shirts', paths, [['Clothing', 'Shirts']]],
    ['Clothing >> Shirts >', paths, [['Clothing', 'Shirts']]],
    ['Clothing > Shirts | Sale', both, [['Clothing', 'Shirts'], ['Sale']]],
    ['a/b, c', slashes, [['a', 'b'], ['c']]],
    ['', both, []],
    [' | > ', both, []],
  ]
  for (const [cell, reading, expected] of cases) {
    it(`finds ${JSON.stringify(expected)} in ${JSON.stringify(cell)}`, () => {
      expect(readCategories(cell, reading)).toEqual(expected)
    })
  }
})

describe('a readable category cell', () => {
  const levels = (count: number) => Array.from({ length: count }, (_, at) => `level ${at}`)

  it.each([
    ['has at most as many levels as are kept', levels(CATEGORY_MAX_LEVELS), true],
    ['has no more of them', levels(CATEGORY_MAX_LEVELS + 1), false],
    ['may have empty levels beyond', [...levels(CATEGORY_MAX_LEVELS), ' ', ''], true],
  ])('%s', (_, path, isReadable) => {
    expect(isReadableCategory(path.join(' > '), paths)).toBe(isReadable)
    // The levels of all its categories together may be more.
    const many = Array<string>(3).fill(path.join('>')).join('|')
    expect(isReadableCategory(many, both)).toBe(isReadable)
  })

  it('has at most as many categories as are kept, and characters', () => {
    const names = levels(CATEGORY_MAX_ENTRIES)
    expect(isReadableCategory(names.join('|'), both)).toBe(true)
    expect(isReadableCategory([...names, 'more'].join('|'), both)).toBe(false)
    expect(isReadableCategory([...names, ''].join('|'), both)).toBe(true)
    expect(isReadableCategory('a'.repeat(CATEGORY_CELL_MAX_LENGTH + 1), paths)).toBe(false)
  })
})

describe('a category matcher', () => {
  const cases: [chosen: string[], cell: string, CategorySeparators, boolean][] = [
    [['Shirts'], 'shirts ', plain, true],
    [['Shirts'], 'T-Shirts', plain, false],
    [['Clothing'], 'Clothing > Shirts', paths, true],
    [['Clothing > Shirts'], 'Clothing > Shirts > Long', paths, true],
    [['Clothing>Shirts'], 'Clothing > Shirts', paths, true],
    [['Clothing > Shirts'], 'Clothing', paths, false],
    [['Shirts'], 'Clothing > Shirts', paths, false],
    [['Cloth'], 'Clothing > Shirts', paths, false],
    [['Clothing > Shirts'], 'Clothing/Shirts', slashes, true],
    [['Clothing/Shirts'], 'Clothing / Shirts', slashes, true],
    [['Clothing > Shirts'], 'Clothing > Shirts', plain, true],
    [['Clothing'], 'Clothing > Shirts', plain, false],
    [['Sale'], 'Clothing > Shirts | Sale', both, true],
    [['Hats', 'Clothing'], 'Clothing > Shirts | Sale', both, true],
    [['Straße'], 'STRASSE', plain, true],
    [['Cafe\u0301'], 'CAFÉ', plain, true],
    [[], 'Shirts', plain, false],
    [[''], '', plain, false],
    [[' '], 'Shirts', plain, false],
  ]
  for (const [chosen, cell, reading, expected] of cases) {
    it(`${JSON.stringify(chosen)} ${expected ? 'matches' : 'does not match'} "${cell}"`, () => {
      const matches = createCategoryMatcher(chosen, reading)
      expect(matches(cell)).toBe(expected)
      expect(matches(cell)).toBe(expected)
    })
  }
})

describe('comparable categories', () => {
  it('are the same regardless of order, case, spaces and separators', () => {
    expect(comparableCategories([' Shirts', 'hats', 'SHIRTS', ''])).toEqual(['hats', 'shirts'])
    expect(comparableCategories([])).toEqual([])
    expect(comparableCategories(['Clothing/Shirts'], slashes)).toEqual(
      comparableCategories(['clothing > shirts'], slashes),
    )
  })

  it('match the same rows', () => {
    const chosen = ['Clothing>SHIRTS', 'Straße']
    const again = comparableCategories(chosen)
    for (const cell of ['Clothing > Shirts', 'strasse', 'Hats']) {
      expect(createCategoryMatcher(again, both)(cell)).toBe(
        createCategoryMatcher(chosen, both)(cell),
      )
    }
  })
})

import { describe, expect, it } from 'vitest'

import { readRetailerList } from './read-retailer-list'

const HEADER = 'Store Name,Email,Username,Categories,Sync Frequency'
const readOne = (line: string) => readRetailerList(`${HEADER}\n${line}`)[0]

describe('a list of retailers', () => {
  it('is read by the names of its columns, in any order', () => {
    expect(
      readRetailerList('\uFEFFe-mail;SHOP;Phone\r\na@shop.example;"Shop; A"\r\n\r\n;;\r\n'),
    ).toMatchObject([
      {
        line: 2,
        problems: [],
        retailer: {
          storeName: 'Shop; A',
          contactEmail: 'a@shop.example',
          username: 'a@shop.example',
          categories: [],
        },
      },
    ])
  })

  it('may be copied from a spreadsheet, with tabs', () => {
    const [line] = readRetailerList('Name\tEmail\tUser\nShop, A\ta@shop.example\tshop-a')
    expect(line?.retailer).toMatchObject({ storeName: 'Shop, A', username: 'shop-a' })
  })

  it('has categories with their levels', () => {
    expect(readOne('A,a@shop.example,,Shoes > Boots | Hats|,')?.retailer?.categories).toEqual([
      'Shoes > Boots',
      'Hats',
    ])
  })

  it.each([
    ['', undefined],
    ['90', 90],
    ['Daily', 1440],
    ['four hours', 240],
    ['UNLIMITED', 0],
  ])('reads the frequency %j as %j', (cell, minutes) => {
    expect(readOne(`A,a@shop.example,,,${cell}`)?.retailer?.syncFrequency).toBe(minutes)
  })

  it.each([
    [',a@shop.example,,,', ['Store name is required']],
    ['A,,,,', ['Invalid email address']],
    ['A,nobody,,,', ['Invalid email address']],
    [
      'A,nobody,a\u200Bb,,',
      ['Invalid email address', 'Username contains characters that cannot be seen'],
    ],
    ['A,a@shop.example,,,weekly', ['Sync frequency must be a number of minutes']],
  ])('finds what is wrong with the line %j', (line, problems) => {
    const read = readOne(line)
    expect(read?.retailer).toBeNull()
    expect(read?.problems.toSorted()).toEqual(problems)
  })

  it.each([
    ['', 'Paste a list, or choose a file'],
    ['A,a@shop.example', /^The first line must name the columns: Store Name and Email/],
    [HEADER, 'There is no retailer below the first line'],
    [`${HEADER}\n"A,a@shop.example`, /^The list cannot be read: /],
    [`${HEADER}\n${'A,a@shop.example\n'.repeat(201)}`, /^At most 200 .* this list has 201$/],
    ['x'.repeat(200_001), 'This list is too long'],
  ])('is refused as a whole: %#', (text, message) => {
    expect(() => readRetailerList(text)).toThrow(message)
  })
})

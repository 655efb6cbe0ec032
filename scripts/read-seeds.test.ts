import { describe, expect, it } from 'vitest'

import { readCsvSeeds, readJsonSeeds, SeedFileError, type SeedEntry } from './read-seeds'

const HEADER = 'username,password,companyName,contactEmail'
const ACME = 'acme,correct horse,Acme,a@acme.example'
const acme = {
  username: 'acme',
  password: 'correct horse',
  companyName: 'Acme',
  contactEmail: 'a@acme.example',
  retailers: [],
}

const placesOf = (entries: SeedEntry[]) => entries.map((entry) => entry.place)
const problemsOf = (entries: SeedEntry[]) =>
  entries.map((entry) => ('problems' in entry ? entry.problems.join('; ') : 'fine'))

describe('readCsvSeeds', () => {
  it('accepts the four required columns in any order', () => {
    const text =
      'contactEmail, companyName ,password,username\na@acme.example,Acme,correct horse,acme'
    expect(readCsvSeeds(text)).toEqual([{ place: 'line 2', seed: acme }])
  })

  it('reads an optional limit, connection and retailer', () => {
    const header = `${HEADER},maxRetailers,connectionUrl,connectionName,syncFrequency,retailerUsername,retailerPassword,retailerEmail,storeName,storeUrl`
    const row = `${ACME},25,https://acme.example/a.csv,Feed,60,shop,shop horse,s@shop.example,The Shop,shop.example`
    expect(readCsvSeeds(`${header}\n${row}`)).toEqual([
      {
        place: 'line 2',
        seed: {
          ...acme,
          maxRetailers: 25,
          connection: { url: 'https://acme.example/a.csv', name: 'Feed', syncFrequency: 60 },
          retailers: [
            {
              username: 'shop',
              password: 'shop horse',
              contactEmail: 's@shop.example',
              storeName: 'The Shop',
              storeUrl: 'shop.example',
            },
          ],
        },
      },
    ])
  })

  it.each([
    ['connectionName', 'Feed', 'URL is required'],
    ['syncFrequency', '60', 'URL is required'],
    ['connectionUrl', 'acme.example', 'Enter a full address'],
    ['storeName', 'The Shop', 'Username is required'],
    ['retailerUsername', 'shop', 'Store name is required'],
    ['maxRetailers', 'ten', 'Max retailers must be a number'],
    ['maxRetailers', '0', 'Max retailers must be at least 1'],
    ['maxRetailers', '1e1', 'Max retailers must be a number'],
  ])('reports a row where only %s is given, as %s', (column, cell, problem) => {
    const [entry] = readCsvSeeds(`${HEADER},${column}\n${ACME},${cell}`)
    expect(problemsOf([entry!])).toEqual([expect.stringContaining(problem)])
  })

  it('accepts a byte order mark and a missing final line break', () => {
    expect(placesOf(readCsvSeeds(`\uFEFF${HEADER}\r\n${ACME}`))).toEqual(['line 2'])
  })

  it('returns nothing for an empty file', () => {
    expect([readCsvSeeds(''), readCsvSeeds('\n\n'), readCsvSeeds(HEADER)]).toEqual([[], [], []])
  })

  it.each([
    ['lacks a column', 'username,password\na,b', 'The header lacks companyName, contactEmail'],
    ['is separated by semicolons', HEADER.replaceAll(',', ';'), 'The header lacks username'],
    ['names a column twice', `${HEADER},username\n`, 'The header names username twice'],
    ['leaves a quote open', `${HEADER}\n"acme,b,c,d\n`, 'Quote Not Closed'],
  ])('rejects a file that %s', (_what, text, message) => {
    const read = () => readCsvSeeds(text)
    expect(read).toThrow(SeedFileError)
    expect(read).toThrow(message)
  })
})

describe('the line number of a row', () => {
  const quoted = '"acme\nltd",correct horse,"Acme\n\nLtd",a@acme.example'

  it.each([
    ['counts from the header', [HEADER, ACME, ACME], [2, 3]],
    ['counts blank lines', [HEADER, '', ACME, '', '  ', ACME, ''], [3, 6]],
    ['counts blank lines before the header', ['', HEADER, ACME], [3]],
    ['is the first line of a row with line breaks', [HEADER, quoted, ACME], [2, 6]],
    [
      'is correct after quoted and blank lines together',
      [HEADER, '', quoted, '', quoted, ACME],
      [3, 8, 12],
    ],
    ['is correct after empty rows of a spreadsheet', [HEADER, ',,,', ' , ,,', ACME], [4]],
    [
      'is correct after non-ASCII characters',
      [HEADER, ACME.replace('Acme', '"Ač\nmé🙂"'), ACME],
      [2, 4],
    ],
  ])('%s', (_what, lines, expected) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const text = lines.join('\n').replaceAll('\n', lineEnd)
      expect(placesOf(readCsvSeeds(text))).toEqual(expected.map((line) => `line ${line}`))
    }
  })

  it('is returned with all problems of the row', () => {
    const text = [HEADER, ACME, '', 'bcme,123,,nobody', ACME].join('\n')
    const entries = readCsvSeeds(text)
    expect(placesOf(entries)).toEqual(['line 2', 'line 4', 'line 5'])
    const [first, second, third] = problemsOf(entries)
    expect([first, third]).toEqual(['fine', 'fine'])
    expect(second).toBe(
      'Password must be at least 6 characters (password); Company name is required (companyName); ' +
        'Invalid email address (contactEmail)',
    )
  })

  it.each([
    ['too few cells', 'acme,correct horse,Acme', '3 cells under a header of 4'],
    ['too many cells', ACME.replace('Acme', 'Acme, Ltd'), '5 cells under a header of 4'],
  ])('is the only one reported for a row with %s', (_what, row, problem) => {
    const entries = readCsvSeeds([HEADER, ACME, row, ACME].join('\n'))
    expect(placesOf(entries)).toEqual(['line 2', 'line 3', 'line 4'])
    expect(problemsOf(entries)).toEqual(['fine', problem, 'fine'])
  })
})

describe('readJsonSeeds', () => {
  it('validates each entry of the list on its own', () => {
    const text = JSON.stringify([acme, { ...acme, contactEmail: 'nobody' }, 'acme', null])
    const entries = readJsonSeeds(`\uFEFF${text}`)
    expect(placesOf(entries)).toEqual(['entry 1', 'entry 2', 'entry 3', 'entry 4'])
    expect(entries[0]).toEqual({ place: 'entry 1', seed: acme })
    expect(problemsOf(entries.slice(1))).toEqual([
      'Invalid email address (contactEmail)',
      expect.stringContaining('expected object'),
      expect.stringContaining('expected object'),
    ])
  })

  it('names the invalid retailer', () => {
    const retailers = [{ username: 'shop', password: 'shop horse', storeName: '' }]
    const [problem] = problemsOf(readJsonSeeds(JSON.stringify([{ ...acme, retailers }])))
    expect(problem).toBe('Store name is required (retailers[0].storeName)')
  })

  it.each([
    ['a file that is not JSON', '[{]', 'This is not valid JSON'],
    ['a supplier that is not in a list', '{}', 'The file must hold a list of suppliers'],
  ])('rejects %s', (_what, text, message) => {
    const read = () => readJsonSeeds(text)
    expect(read).toThrow(SeedFileError)
    expect(read).toThrow(message)
  })
})

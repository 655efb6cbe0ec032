import { describe, expect, it } from 'vitest'

import { readCsvSeeds, readJsonSeeds, type SeedFile } from './read-seeds'
import { decodeSeedFile, SeedFileError } from './seed-text'

const HEADER = 'username,password,companyName,contactEmail'
const ACME = 'acme,correct horse,Acme,a@acme.example'
const BCME = 'bcme,correct horse,Bcme,b@bcme.example'
const acme = {
  username: 'acme',
  password: 'correct horse',
  companyName: 'Acme',
  contactEmail: 'a@acme.example',
  retailers: [],
}

const problemsOf = ({ problems }: SeedFile) =>
  problems.map(({ place, text }) => `${place}: ${text}`)

describe('readCsvSeeds', () => {
  it('accepts the four required columns in any order', () => {
    const text =
      'contactEmail, companyName ,password,username\na@acme.example,Acme,correct horse,acme'
    expect(readCsvSeeds(text).seeds).toEqual([{ place: 'line 2', seed: acme }])
  })

  it('reads an optional limit, connection and retailer', () => {
    const header = `${HEADER},maxRetailers,connectionUrl,connectionName,syncFrequency,retailerUsername,retailerPassword,retailerEmail,storeName,storeUrl`
    const row = `${ACME},25,https://acme.example/a.csv,Feed,60,shop,shop horse,s@shop.example,The Shop,shop.example`
    expect(readCsvSeeds(`${header}\n${row}`)).toEqual({
      problems: [],
      seeds: [
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
      ],
    })
  })

  it.each([
    ['connectionName', 'Feed', 'URL is required (connectionUrl)'],
    ['syncFrequency', '60', 'URL is required (connectionUrl)'],
    ['connectionUrl', 'acme.example', 'Enter a full address'],
    ['storeName', 'The Shop', 'Username is required (retailerUsername)'],
    ['retailerUsername', 'shop', 'Store name is required (storeName)'],
    ['maxRetailers', 'ten', 'Max retailers must be a number'],
    ['maxRetailers', '0', 'Max retailers must be at least 1'],
    ['maxRetailers', '1e1', 'Max retailers must be a number'],
  ])('reports a row where only %s is given, as %s', (column, cell, problem) => {
    const file = readCsvSeeds(`${HEADER},${column}\n${ACME},${cell}`)
    expect(problemsOf(file)).toContainEqual(expect.stringContaining(`line 2: ${problem}`))
  })

  it.each([
    ['is empty', '', 'The file is empty'],
    ['has blank lines only', '\n \n', 'The file is empty'],
    ['has empty cells only', ';;;\n', 'The file is empty'],
    ['ends after the header', HEADER, 'There is no supplier below the header'],
    ['lacks a column', 'username,password\na,b', 'The header lacks companyName, contactEmail'],
    [
      'has unknown columns',
      `${HEADER},maxRetailer,Colour\n${ACME},5,red`,
      'The header has unknown columns: maxRetailer, Colour. Known: username, password,',
    ],
    ['names a column twice', `${HEADER},Username\n${ACME},`, 'The header names username twice'],
    ['leaves a quote open', `${HEADER}\n"acme,b,c,d\n`, 'Quote Not Closed'],
  ])('rejects a file that %s', (_what, text, message) => {
    const read = () => readCsvSeeds(text)
    expect(read).toThrow(SeedFileError)
    expect(read).toThrow(message)
  })
})

describe('what spreadsheets save and copy', () => {
  const rows = [HEADER, ACME, BCME].map((line) => line.split(','))
  const expected = [
    acme,
    { ...acme, username: 'bcme', companyName: 'Bcme', contactEmail: 'b@bcme.example' },
  ]
  const join = (delimiter: string, end = '\r\n') =>
    rows.map((cells) => cells.join(delimiter)).join(end) + end
  const quoted = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(';')).join('\r\n')
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

  it.each([
    ['commas', Buffer.from(join(','))],
    ['semicolons', Buffer.from(join(';'))],
    ['tabs', Buffer.from(join('\t', '\n'))],
    ['bars and old line ends', Buffer.from(join('|', '\r'))],
    ['a byte order mark', Buffer.from(`\uFEFF${join(';')}`)],
    ['UTF-16 and tabs', utf16(join('\t'))],
    ['UTF-16 with its bytes swapped', utf16(join('\t')).swap16()],
    ['a line that names the delimiter', Buffer.from(`sep=;\r\n${join(';')}`)],
    ['quotes', Buffer.from(quoted)],
    [
      'capitals and spaces in names',
      Buffer.from(
        join(';').replace(
          HEADER.replaceAll(',', ';'),
          'User Name;PASSWORD;Company_Name; contact-email ',
        ),
      ),
    ],
    ['empty lines at its end', Buffer.from(`${join(';')};;;\r\n ; ;;\r\n\r\n`)],
    ['empty columns at its end', Buffer.from(join(';').replaceAll('\r\n', ';;;\r\n'))],
    ['spaces around cells', Buffer.from(join(' ; ').replaceAll('acme;', '\u00A0acme\u00A0;'))],
  ])('is read with %s', (_what, bytes) => {
    const { seeds, problems } = readCsvSeeds(decodeSeedFile(bytes))
    expect([seeds.map(({ seed }) => seed), problems]).toEqual([expected, []])
  })

  it.each([
    ['a workbook', Buffer.from('PK\u0003\u0004'), 'This is a workbook, not a text file'],
    ['another encoding', Buffer.from('caf\xE9', 'latin1'), 'This is not UTF-8: save it as'],
    ['UTF-16 without a mark', Buffer.from(HEADER, 'utf16le'), 'This is not UTF-8'],
    ['half a character', Buffer.from([0xff, 0xfe, 0x41]), 'This is not UTF-8'],
  ])('is refused as %s, with what to do', (_what, bytes, message) => {
    expect(() => decodeSeedFile(bytes)).toThrow(SeedFileError)
    expect(() => decodeSeedFile(bytes)).toThrow(message)
  })

  it('is refused with a cell that has no column name', () => {
    const file = readCsvSeeds(`${HEADER},\n${ACME},\n${BCME},lost`)
    expect(problemsOf(file)).toEqual(['line 3: "lost" is in a column without a name'])
  })
})

describe('the line number of a problem', () => {
  const BAD = 'acme,123,Acme,a@acme.example'
  const quoted = '"acme",correct horse,"Acme\n\nLtd",a@acme.example'

  it.each([
    ['counts from the header', [HEADER, BAD], 2],
    ['counts blank lines', [HEADER, '', '  ', BAD], 4],
    ['counts blank lines before the header', ['', HEADER, BAD], 3],
    ['counts a line that names the delimiter', ['sep=,', HEADER, BAD], 3],
    ['is correct after empty rows of a spreadsheet', [HEADER, ',,,', ' , ,,', BAD], 4],
    ['is that of the first line of a row with line breaks', [HEADER, '', quoted], 3],
    ['is correct after quoted and blank lines', [HEADER, quoted.replace('acme', 'x'), '', BAD], 6],
    ['is correct after other letters', [HEADER, BCME.replace('Bcme', 'Ač é🙂'), BAD], 3],
  ])('%s', (_what, lines, expected) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const text = lines.join('\n').replaceAll('\n', lineEnd)
      expect(readCsvSeeds(text).problems.at(-1)?.place).toBe(`line ${expected}`)
    }
  })

  it('is given with all problems of the file', () => {
    const file = readCsvSeeds([HEADER, ACME, '', 'bcme,123,,nobody', 'x,correct horse'].join('\n'))
    expect(problemsOf(file)).toEqual([
      'line 4: Password must be at least 6 characters (password)',
      'line 4: Company name is required (companyName)',
      'line 4: Invalid email address (contactEmail)',
      'line 5: Company name is required (companyName)',
      'line 5: Invalid email address (contactEmail)',
    ])
  })
})

describe('readJsonSeeds', () => {
  it('validates each entry of the list on its own', () => {
    const text = JSON.stringify([acme, { ...acme, contactEmail: 'nobody' }, 'acme', null])
    const file = readJsonSeeds(decodeSeedFile(Buffer.from(`\uFEFF${text}`)))
    expect(file.seeds).toEqual([{ place: 'entry 1', seed: acme }])
    expect(problemsOf(file)).toEqual([
      'entry 2: Invalid email address (contactEmail)',
      expect.stringMatching(/^entry 3: .*expected object/),
      expect.stringMatching(/^entry 4: .*expected object/),
    ])
  })

  it('names the invalid retailer, unknown fields, and accounts that are named twice', () => {
    const shop = { username: 'shop', password: 'shop horse', storeName: 'Shop' }
    const retailers = [{ ...shop, storeName: '' }]
    expect(problemsOf(readJsonSeeds(JSON.stringify([{ ...acme, retailers }])))).toEqual([
      'entry 1: Store name is required (retailers[0].storeName)',
    ])
    const misspelt = [{ ...acme, conection: {}, retailers: [{ ...shop, shopUrl: 'x' }] }]
    expect(problemsOf(readJsonSeeds(JSON.stringify(misspelt))).join()).toMatch(
      /shopUrl.*conection|conection.*shopUrl/,
    )
    const twice = [
      { ...acme, retailers: [shop] },
      { ...acme, username: 'SHOP' },
    ]
    expect(problemsOf(readJsonSeeds(JSON.stringify(twice)))).toEqual([
      'entry 2: SHOP is named in entry 1 already',
    ])
  })

  it.each([
    ['a file that is not JSON', '[{]', 'This is not valid JSON'],
    ['a supplier that is not in a list', '{}', 'The file must hold a list of suppliers'],
    ['an empty list', '[]', 'There is no supplier in the list'],
  ])('rejects %s', (_what, text, message) => {
    const read = () => readJsonSeeds(text)
    expect(read).toThrow(SeedFileError)
    expect(read).toThrow(message)
  })
})

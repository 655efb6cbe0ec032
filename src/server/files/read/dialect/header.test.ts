import { describe, expect, it } from 'vitest'

import { detectDialect } from './dialect'
import { type KnownHeader, judgeHeader } from './header'

const SURE = { hasHeader: true, isGuess: false }
const GUESS = { hasHeader: true, isGuess: true }
const NONE = { hasHeader: false, isGuess: false }
const GUESSED_DATA = { hasHeader: false, isGuess: true }

const toRows = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
const judge = (text: string, known?: KnownHeader) => judgeHeader(toRows(text), known)

/** Lines of products with keys of letters and digits, of which none occurs twice. */
const products = (count: number, key = (index: number) => `AB-${1000 + index}`) =>
  Array.from({ length: count }, (_, index) => `${key(index)},${(index * 5) % 7}`).join('\n')

describe('a first row', () => {
  const sure: [string, string][] = [
    ['of names over numbers', 'artikl,broj\n1,5\n2,6\n'],
    ['of known names', 'sku,qty\nAB-1,5\n'],
    ['of known names alone', 'sku,qty\n'],
    ['of a known name and years', 'sku,2023,2024\n1,5,6\n2,7,8\n'],
    ['of a word over numbers, beside keys', 'kód,počet\nAB-1,5\nAB-2,6\nAB-3,7\n'],
    ['of a known name over keys', 'sku\nAB-1\nAB-2\n'],
  ]
  it.each(sure)('is a header: %s', (_name, text) => {
    expect(judge(text)).toEqual(SURE)
  })

  const guesses: [string, string][] = [
    ['texts over texts', 'foo,bar\na,b\nc,d\ne,f\n'],
    ['a series of years', 'x,2022,2023,2024\na,5,6,7\nb,7,8,9\n'],
    ['numbered names', 'c1,c2,c3\na1,b2,x3\nd4,e5,x6\n'],
    ['a repeated header with a byte order mark', 'foo,bar\na,b\n\uFEFFfoo,bar\nc,d\n'],
    ['repeated headers of joined files', 'foo,bar\na,b\nfoo,bar\nc,d\n'],
    ['one row alone', 'AB-1000,5\n'],
    ['two rows of texts and numbers', 'Boot,5\nHat,6\n'],
    ['two rows of texts', 'a,b\nc,d\n'],
    ['two rows, a word over a number', 'artikl,broj\n1,5\n'],
    ['keys of letters beside numbers', 'RED-M,5\nBLUE-L,0\nGREEN-S,2\n'],
    ['keys of other makers beside texts', 'X7,yes\nAB-2,no\n99-RED,no\n'],
    ['a word among numbers', 'SET,5\n1001,0\n1002,3\n'],
    ['a key and a word that columns are called', 'AB-1,Title,5\nX7,Boot,6\n9-L,Hat,7\n'],
  ]
  it.each(guesses)('is guessed to be a header: %s', (_name, text) => {
    expect(judge(text)).toEqual(GUESS)
  })

  const data: [string, string][] = [
    ['numbers like those below', '10012,Shirt,1999\n10013,Hat,500\n10014,Sock,250\n'],
    ['small numbers like those below', '1,Shirt,5\n2,Hat,6\n3,Sock,7\n'],
    ['two rows of numbers', '10012,5.00\n10013,6.00\n'],
    ['two rows of keys', 'AB-1000,5\nAB-1001,0\n'],
    ['addresses', 'A,https://x.example/1,7\nB,https://x.example/2,9\nC,https://x.example/3,1\n'],
    ['values that occur again', 'Nike,Shoes,5\nAdidas,Shoes,6\nNike,Hats,7\n'],
    ['keys beside names of products', 'AB-1,Boot,5\nAB-2,Hat,6\nCD-77,Sock,7\n'],
    ['keys beside neighbouring numbers', 'AB-1,5,6\nAB-2,1,1\nAB-3,0,9\n'],
    ['keys beside a word that columns are called', 'AB-1,Title,5\nAB-2,Boot,6\nAB-3,Hat,7\n'],
    ['keys beside texts', 'AB-1,yes\nAB-2,no\nAB-3,no\n'],
    ['two rows of keys beside texts', 'AB-1,yes\nAB-2,no\n'],
    ['a column of keys alone', 'AB-1\nAB-2\nAB-3\n'],
    ['keys of several makers', 'AB-1000,5\nX7,0\n99-RED-M,3\nkl/22,1\n'],
    ['keys of random letters and digits', 'B07PXGQC1Q,5\nB00X4WHP5E,0\n0C9D3F1A2B,3\n'],
    ['keys with a blank', 'AB 1000,5\nAB 1001,0\nCD 7,3\n'],
    [
      'one word that columns are called',
      '7,Title,19.99,2024-01-05\n8,Boot,5.00,2024-02-05\n9,Hat,2.50,2024-03-05\n',
    ],
  ]
  it.each(data)('is a product: %s', (_name, text) => {
    expect(judge(text)).toEqual(NONE)
  })

  it('is a product with keys of letters and digits, however few or many rows there are', () => {
    const keys = [
      (index: number) => `AB-${1000 + index}`,
      (index: number) => `${1000 + index}-XL`,
      (index: number) => `ref ${index}`,
      (index: number) => `${String.fromCodePoint(65 + (index % 26))}${index}.${index % 3}`,
    ]
    for (const key of keys) {
      for (let count = 2; count <= 50; count++) {
        expect({ count, ...judge(products(count, key)) }).toEqual({ count, ...NONE })
        const named = `kód,počet\n${products(count, key)}`
        expect({ count, ...judge(named) }).toEqual({ count, ...SURE })
      }
    }
  })

  it('is guessed in every delimiter', () => {
    for (const delimiter of [';', '\t', '|', '~']) {
      const table = Buffer.from(products(5).replaceAll(',', delimiter))
      expect(detectDialect(table, true)).toMatchObject({ delimiter, hasHeader: false })
    }
  })
})

describe('what was found of the file before', () => {
  const none = { hasHeader: false, columns: ['column_1', 'column_2'], columnCount: 2 }
  const named = (...columns: string[]) => ({
    hasHeader: true,
    columns,
    columnCount: columns.length,
  })

  it('is kept below no header, unless there are names now', () => {
    for (const text of ['Boot,5\nHat,6\n', 'AB-1000,5\n', 'RED-M,5\nBLUE-L,0\nGREEN-S,2\n']) {
      expect(judge(text)).toEqual(GUESS)
      expect(judge(text, none)).toEqual(GUESSED_DATA)
    }
    expect(judge('sku,qty\nAB-1,5\n', none)).toEqual(SURE)
    expect(judge('kód,počet\nAB-1,5\nAB-2,6\n', none)).toEqual(SURE)
  })

  it('is kept for the same names, and told while they may be a product', () => {
    const text = 'Nike,Shoes,5\nAdidas,Shoes,6\nNike,Hats,7\n'
    expect(judge(text)).toEqual(NONE)
    expect(judge(text, named('Nike', 'Shoes', '5'))).toEqual(GUESS)
    expect(judge(text, named('Nike', 'Shoes', '5', '1'))).toEqual(NONE)
  })

  it('is not kept for names that have changed like values', () => {
    const text = 'RED-M,4\nBLUE-L,0\nGREEN-S,2\n'
    expect(judge(text, named('RED-M', '4'))).toEqual(GUESS)
    expect(judge(text, named('RED-M', '5'))).toEqual(GUESSED_DATA)
    expect(judge('foo,bar\na,b\nc,d\n', named('fou', 'bar'))).toEqual(GUESS)
  })

  it('is kept below a known name that stays, whatever the other names are now', () => {
    const dated = 'sku,20261125\nAB-1,5\nAB-2,6\nX-30,7\n'
    expect(judge(dated, named('sku', '20261124'))).toEqual(GUESS)
    const weeks = 'Artikel,48,49\nBoot,5,6\nHat,6,0\nSock,7,2\n'
    expect(judge(weeks, named('Artikel', '47', '48'))).toEqual(GUESS)
    const years = 'sku,2023,2024,2026\nAB-1,5,6,1\nX-20,6,0,2\n9-L,7,2,3\n'
    expect(judge(years)).toEqual(NONE)
    expect(judge(years, named('sku', '2023', '2024', '2025'))).toEqual(GUESS)
    expect(judge(years, named('name', 'sku', '2023', '2024'))).toEqual(GUESS)
  })

  it('is not kept against the rows where no known name stays', () => {
    expect(judge('sku,20261125\nAB-1,5\nX-20,6\n', named('artikel', '47'))).toEqual(GUESS)
    // A file without a header below one with it, and keys beside a quantity that changes.
    for (const text of ['AB-1000,4\nAB-1001,0\nAB-1002,1\n', '7,Boot,4\n8,Hat,6\n9,Sock,1\n']) {
      expect(judge(text, named('AB-1000', '5'))).toEqual(NONE)
      expect(judge(text, named('sku', '20261124'))).toEqual(NONE)
    }
    expect(judge('AB-1000,4\nAB-1001,0\n', none)).toEqual(NONE)
    expect(judge('AB-1000,4\nX7,0\nBOOT,2\n', named('AB-1000', '5'))).toEqual(GUESSED_DATA)
  })

  it('changes nothing for an empty file', () => {
    expect(judgeHeader([], none)).toEqual(GUESS)
  })
})

import { expect, it } from 'vitest'

import { isName, isTemporary, isVerdict, toPath } from './paths'

it('paths never lead above the root', () => {
  const texts = ['.', '', '/', '..', '../../etc/passwd', '/a/../../b', 'a//b/', './stock.csv']
  expect(texts.map((text) => toPath(text, 100))).toEqual([
    '/',
    '/',
    '/',
    '/',
    '/etc/passwd',
    '/b',
    '/a/b',
    '/stock.csv',
  ])
})

it('what is no path is none', () => {
  for (const text of ['a\0b', 'a\uFFFDb', 'x'.repeat(101)])
    expect(toPath(text, 100)).toBeUndefined()
})

it('names under which programs send what is not complete are temporary', () => {
  const temporary = [
    'stock.csv.filepart',
    'stock.csv.part',
    'stock.csv.a1b2c3.partial',
    'stock.TMP',
    '.stock.csv.swp',
    '.stock.csv',
    'stock.csv~',
  ]
  expect(temporary.filter((name) => !isTemporary(name))).toEqual([])
  const real = ['stock.csv', 'part.csv', 'tmp', 'stock.part.csv', 'parts.xlsx']
  expect(real.filter(isTemporary)).toEqual([])
})

it('verdicts are told from files', () => {
  expect(['a.csv.HELD.txt', 'a.csv.txt', 'HELD.txt', 'a.held.txt'].map(isVerdict)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

it('names have no control characters, and are as long as those of files', () => {
  expect(['a.csv', 'März 2026.csv', '', 'a\nb', 'a\u2028b', 'ä'.repeat(128)].map(isName)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

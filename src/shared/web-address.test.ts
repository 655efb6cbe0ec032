import { describe, expect, it } from 'vitest'

import { withHttps } from './web-address'

describe('withHttps', () => {
  it.each([
    'example.com/stock.csv',
    'example.com',
    'example.com.',
    'example.com:8080/stock.csv',
    'example.com?file=stock',
    'sub.shop.example/a b.csv',
    'münchen.example/übersicht.csv',
    'localhost:8080/stock.csv',
    '192.168.1.5/stock.csv',
    '[::1]:8080/stock.csv',
    'example.com/https://elsewhere.example',
  ])('completes %s', (text) => {
    expect(withHttps(` ${text} `)).toBe(`https://${text}`)
    expect(withHttps(withHttps(text))).toBe(`https://${text}`)
  })

  it.each([
    '',
    ' ',
    'https://example.com/stock.csv',
    'http://192.168.1.5/stock.csv',
    'HTTP://example.com',
    'ftp://example.com/stock.csv',
    'ftp:example.com',
    'mailto:stock@example.com',
    'stock@example.com',
    'user:secret@example.com/stock.csv',
    '//example.com/stock.csv',
    '/stock.csv',
    'stock',
    '.csv',
    `example.com/${'a'.repeat(10_000)}`,
  ])('leaves %j as it is', (text) => {
    expect(withHttps(text)).toBe(text)
  })
})

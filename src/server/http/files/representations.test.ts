import { describe, expect, it } from 'vitest'

import { chooseRepresentation, preferredCoding, toRepresentation } from './representations'

const whole = toRepresentation({ sha256: 'whole', sizeBytes: 100 })
const br = toRepresentation({ sha256: 'small', sizeBytes: 10, coding: 'br' })
const gzip = toRepresentation({ sha256: 'larger', sizeBytes: 20, coding: 'gzip' })

const choose = (headers: Record<string, string>) =>
  chooseRepresentation(headers, whole, [br, gzip]).coding ?? 'whole'

describe('a file', () => {
  it.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0.1, gzip ; q=0.2', 'gzip'],
    ['identity;q=1, gzip;q=0.5', 'whole'],
    ['identity', 'whole'],
    ['gzip;q=0', 'whole'],
    ['gzip;q=much', 'whole'],
    ['*;q=0', 'whole'],
    ['deflate, zstd', 'whole'],
    ['', 'whole'],
  ])('is sent to a reader that accepts "%s" as %s', (accepted, expected) => {
    expect(choose({ 'accept-encoding': accepted })).toBe(expected)
  })

  it('is sent as it is to a reader that says nothing', () => {
    expect(choose({})).toBe('whole')
    expect(preferredCoding({})).toBeUndefined()
  })

  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['*', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, zstd', undefined],
  ])('is wanted by a reader that accepts "%s" as %s', (accepted, expected) => {
    expect(preferredCoding({ 'accept-encoding': accepted })).toBe(expected)
  })

  it('is compared with what the reader has, if it still accepts that', () => {
    const headers = { 'accept-encoding': 'gzip, br' }
    expect(choose({ ...headers, 'if-none-match': whole.etag })).toBe('whole')
    expect(choose({ ...headers, 'if-none-match': `"other", W/${gzip.etag}` })).toBe('gzip')
    expect(choose({ 'accept-encoding': 'gzip', 'if-none-match': br.etag })).toBe('gzip')
    expect(choose({ ...headers, 'if-none-match': '"other"' })).toBe('br')
    expect(choose({ ...headers, 'if-match': `"other", ${gzip.etag}` })).toBe('gzip')
    expect(choose({ ...headers, 'if-match': whole.etag })).toBe('whole')
  })

  it('is resumed as what the reader has begun with, by default as it is', () => {
    const headers = { 'accept-encoding': 'gzip, br', range: 'bytes=5-' }
    expect(choose(headers)).toBe('whole')
    expect(choose({ ...headers, 'if-range': gzip.etag })).toBe('gzip')
    expect(choose({ ...headers, 'if-range': whole.etag })).toBe('whole')
    expect(choose({ ...headers, 'if-range': '"other"' })).toBe('whole')
  })
})

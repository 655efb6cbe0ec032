import { describe, expect, it } from 'vitest'

import { parseHttpDate } from './http-date'

const TIME = Date.UTC(1994, 10, 6, 8, 49, 37)

describe('a date in a header', () => {
  it.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])('is read from %j, in any time zone of the server', (text) => {
    expect(parseHttpDate(text)).toBe(TIME)
  })

  it('is what the product itself writes', () => {
    expect(parseHttpDate(new Date(TIME).toUTCString())).toBe(TIME)
  })

  it.each([
    undefined,
    '',
    '0',
    'yesterday',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    'Sun, 06 Nov 1994 25:49:37 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  ])('is not read from %j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined()
  })
})

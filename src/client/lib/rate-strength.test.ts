import { describe, expect, it } from 'vitest'

import { generatePassword } from '../../shared/generate-password'
import { rateStrength } from './rate-strength'

describe('how weak a password is', () => {
  it.each(['123456', 'password', 'Qwerty', 'letmein', 'p@ssword', 'drowssap'])(
    'is very common for %s, as it stands in lists',
    (password) => {
      expect(rateStrength(password)).toBe('common')
    },
  )

  it.each(['aaaaaa', 'abcdef', '010203', 'qwe123', 'k7mp-w'])('is weak for %s', (password) => {
    expect(['common', 'weak']).toContain(rateStrength(password))
  })

  it('is weak for a name that somebody else would try', () => {
    expect(rateStrength('northbeck trading')).not.toBe('weak')
    expect(rateStrength('northbeck trading', ['Northbeck Trading', null])).toBe('weak')
  })

  it('is good for the passwords that are generated', () => {
    expect(Array.from({ length: 20 }, () => rateStrength(generatePassword()))).toEqual(
      Array<string>(20).fill('good'),
    )
  })

  it('is told by the first characters of a long password', () => {
    expect(rateStrength('ab1'.repeat(85))).toBe(rateStrength('ab1'.repeat(85).slice(0, 64)))
    expect(rateStrength(generatePassword(256))).toBe('good')
  })
})

describe('a generated password', () => {
  it.each([undefined, 6, 20, 64])('has at least %s characters', (minLength) => {
    expect(generatePassword(minLength).length).toBeGreaterThanOrEqual(minLength ?? 19)
  })
})

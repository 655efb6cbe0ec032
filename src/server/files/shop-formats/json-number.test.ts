import { describe, expect, it } from 'vitest'

import { findJsonMark, toJsonNumber } from './json-number'

describe('a cell in JSON', () => {
  it('is a number only where it is nothing else', () => {
    expect(['12', ' 5 ', '-3', '1.5', '2,25', '1234567'].map((cell) => toJsonNumber(cell))).toEqual(
      [12, 5, -3, 1.5, 2.25, 1_234_567],
    )
    const texts = ['<5', '5 pcs', '', '1.234', '12,000', '1234567890123456', '1.234.567']
    expect(texts.map((cell) => toJsonNumber(cell))).toEqual(texts)
  })

  it('is read with the decimal mark of its column', () => {
    expect(
      ['12,000', '0,500', '1.234', '-1,100'].map((cell) => toJsonNumber(cell, 'comma')),
    ).toEqual([12, 0.5, 1_234, -1.1])
    expect(['12,000', '1.234'].map((cell) => toJsonNumber(cell, 'point'))).toEqual([12_000, 1.234])
  })
})

it('has a decimal mark that was chosen or shown, and none that was guessed', () => {
  expect(findJsonMark('comma', { used: 'point' })).toBe('comma')
  expect(findJsonMark(null, { used: 'point' })).toBe('point')
  const guesses = [{ used: 'thousands' }, { used: 'decimals' }, { used: null }] as const
  for (const guess of [...guesses, undefined]) expect(findJsonMark(null, guess)).toBeUndefined()
})

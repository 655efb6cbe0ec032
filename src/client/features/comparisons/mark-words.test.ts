import { describe, expect, it } from 'vitest'

import { markWords } from './mark-words'

const show = (before: string, after: string) => {
  const { start, before: older, after: newer, end } = markWords(before, after)
  return `${start}[${older}|${newer}]${end}`
}

describe('the difference between two texts', () => {
  it('is the words between those that both begin and end with', () => {
    expect(show('Trail Boot black 42', 'Trail Boot deep red 42')).toBe(
      'Trail Boot [black|deep red] 42',
    )
    expect(show('Trail Boot', 'Trail Boot 2027')).toBe('Trail Boot[| 2027]')
    expect(show('a a', 'a a a')).toBe('a a[| a]')
  })

  it('is all of texts without a word in common', () => {
    expect(show('12', '0')).toBe('[12|0]')
    expect(show('', 'x y')).toBe('[|x y]')
  })
})

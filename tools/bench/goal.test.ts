import { expect, it } from 'vitest'

import { atLeast, atMost, formatGoal, formatNumber, formatValue, isReached } from './goal'

it('a goal is reached at its limit, and on its own side of it', () => {
  expect([0.69, 0.7, 0.71].map((value) => isReached(atLeast(0.7), value))).toEqual([
    false,
    true,
    true,
  ])
  expect([19, 20, 21].map((value) => isReached(atMost(20, 'ms'), value))).toEqual([
    true,
    true,
    false,
  ])
})

it('a value that could not be measured reaches no goal', () => {
  expect(isReached(atLeast(0.7), NaN)).toBe(false)
  expect(isReached(atMost(20, 'ms'), NaN)).toBe(false)
})

it('goals and values are shown with their unit', () => {
  expect(formatGoal(atLeast(0.7))).toBe('≥ 0.7 ×')
  expect(formatGoal(atMost(20, 'ms'))).toBe('≤ 20 ms')
  expect(formatValue(8.123, atMost(20, 'ms'))).toBe('8.12 ms')
})

it('numbers are shown with about three digits', () => {
  expect([24_461.2, 588.4, 41.26, 1.348, 0.0236, 5, 0].map(formatNumber)).toEqual([
    '24,461',
    '588',
    '41.3',
    '1.35',
    '0.024',
    '5',
    '0',
  ])
})

import { expect, it } from 'vitest'

import { median, percentile } from './statistics'

it('the median is the middle value, in whatever order they were measured', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([10, 2, 9])).toBe(9)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
})

it('a percentile is a value that was measured', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect(percentile(values, 0.5)).toBe(100)
  expect(percentile(values, 0.99)).toBe(198)
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([], 0.99)).toBeNaN()
})

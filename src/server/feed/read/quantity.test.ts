import { describe, expect, it } from 'vitest'

import { readQuantity } from './quantity'

describe('the quantity', () => {
  const cases: [string, number | undefined][] = [
    ['12', 12],
    [' 007 ', 7],
    ['-3', -3],
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['0,500', 0.5],
    ['1,234', 1_234],
    ['1.234', 1.234],
    ['1.234.567', 1_234_567],
    ['1.234,50', 1_234.5],
    ['1,234.50', 1_234.5],
    ["1'200", 1_200],
    ['1 200', 1_200],
    ['>100', 100],
    ['50+', 50],
    ['12 pcs', 12],
    ['', undefined],
    ['in stock', undefined],
    ['Y', undefined],
    ['1.2E+11', undefined],
    ['1'.repeat(60), undefined],
  ]
  for (const [cell, quantity] of cases) {
    it(`in ${JSON.stringify(cell)} is ${quantity}`, () => {
      expect(readQuantity(cell)).toBe(quantity)
    })
  }
})

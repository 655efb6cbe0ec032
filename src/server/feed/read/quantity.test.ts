import { describe, expect, it } from 'vitest'

import { createQuantitySum, readQuantity } from './quantity'
import { createScanner } from './scanner'

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

  it('is summed as cells are read, those of digits only and all others', () => {
    const cells = ['12', '007', '', '123456789012345', '1234567890123456', '1.5', '"3"', 'none']
    const sum = createQuantitySum(['sku', 'qty'])
    const text = cells.map((cell) => `x,${cell}\n`).join('')
    const batch = createScanner({ delimiter: ',', quoting: 'strict' }).push(
      Buffer.from(`${text}x\n`),
    )
    for (let record = 0; record < batch.count; record++) sum.add(batch, record)
    const expected = 12 + 7 + 123_456_789_012_345 + 1_234_567_890_123_456 + 1.5 + 3
    expect(sum.result()).toEqual({ column: 'qty', sum: expected })
  })
})

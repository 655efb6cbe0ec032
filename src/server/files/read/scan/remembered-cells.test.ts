import { expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { rememberCells } from './remembered-cells'
import { cellText } from './scan'
import { createScanner } from './scanner'

it('returns the cells that reading each of them returns, however they repeat and collide', () => {
  const random = createRandom(1)
  const parts = ['', 'a', '""', ' > ', 'Schuhe', 'ø', '1', '12', 'x'.repeat(70)]
  const cell = () => Array.from({ length: random.below(5) }, () => random.pick(parts)).join('')
  // Fewer than two columns: the cell is missing then.
  const rows = Array.from({ length: 20_000 }, () =>
    random.below(50) === 0 ? 'short' : `"${cell()}","${cell()}"`,
  )
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  let reads = 0
  const read = rememberCells(1, (batch, record) => {
    reads++
    return cellText(batch, record, 1)
  })
  let count = 0
  for (const row of rows) {
    const batch = scanner.push(Buffer.from(`${row}\n`))
    for (let record = 0; record < batch.count; record++, count++) {
      expect(read(batch, record)).toBe(cellText(batch, record, 1))
    }
  }
  expect(count).toBe(rows.length)
  expect(reads).toBeLessThan(rows.length / 2)
})

it('tells a doubled quotation mark from two ordinary ones', () => {
  const read = rememberCells(0, (batch, record) => cellText(batch, record, 0))
  const readOne = (text: string, quoting: 'strict' | 'none') => {
    const batch = createScanner({ delimiter: ',', quoting }).push(Buffer.from(text))
    return read(batch, 0)
  }
  expect(readOne('"5"""\n', 'strict')).toBe('5"')
  expect(readOne('5""\n', 'none')).toBe('5""')
})

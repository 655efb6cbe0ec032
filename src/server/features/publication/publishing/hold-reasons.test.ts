import { describe, expect, it } from 'vitest'

import { AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import { describeHold } from '../../../../shared/hold-reasons'
import { guardSchema, type Guard } from '../../../../shared/schemas/publishing'
import { NO_GUARD } from '../../../testing/fixtures/factories'
import { findHoldReasons, type FileFacts, type LostKeys } from './hold-reasons'

const DIALECT = {
  encoding: 'utf-8',
  hasByteOrderMark: false,
  delimiter: ',',
  isQuoted: true,
  hasHeader: true,
  compression: 'none',
} as const
const BEFORE: FileFacts = {
  dialect: DIALECT,
  columns: ['sku', 'category', 'stock'],
  rowCount: 1_000,
  quantityColumn: 'stock',
  quantitySum: 5_000,
  numbers: [],
  categoryReading: { column: 'category', pathSeparator: null, listSeparator: null },
  fromOverlay: null,
}
const LOST: LostKeys = {
  keyColumn: 'sku',
  before: 100,
  removed: 20,
  newlyZero: 5,
  examples: ['A', 'B'].map((key) => ({ kind: 'removed', key, before: 1, after: null })),
}

/** What holds a file that differs in `changes` from the published one. */
function explain(
  changes: Partial<FileFacts>,
  {
    guard = {},
    difference = null,
    before = {},
  }: Partial<{
    guard: Partial<Guard>
    difference: LostKeys | null
    before: Partial<FileFacts>
  }> = {},
): string[] {
  const published = { ...BEFORE, ...before }
  const after = { ...published, ...changes }
  const settings = guardSchema.parse(guard)
  const reasons = findHoldReasons(
    settings,
    { before: published, after },
    { roles: AUTOMATIC_ROLES, difference },
  )
  return reasons.map(describeHold)
}

describe('the guard', () => {
  it('lets a file through that has half of the rows and quantities, and a quarter of the keys lost', () => {
    expect(explain({ rowCount: 500, quantitySum: 2_500 }, { difference: LOST })).toEqual([])
  })

  it('holds a file with fewer rows', () => {
    expect(explain({ rowCount: 499 })).toEqual([
      'It has 499 rows; the published file has 1,000 (−50.1 %).',
    ])
  })

  it('holds a file with lower quantities', () => {
    expect(explain({ quantitySum: 0 })).toEqual([
      'Its quantities in “stock” add up to 0; those of the published file to 5,000 (−100 %).',
    ])
  })

  it('holds a file whose overlay has lost a column that the file has, too', () => {
    const applied = (replaced: string[]) => ({
      joined: 9,
      onlyInFile: { rows: 0, isKept: true },
      onlyInOverlay: { rows: 0, isKept: true },
      replaced,
    })
    const before = { fromOverlay: applied(['Stock', 'price']) }
    const held = [
      'The second address has no column “Stock” any more: that of the first would take its place.',
    ]
    expect(explain({ fromOverlay: applied(['price']) }, { before })).toEqual(held)
    expect(explain({ fromOverlay: applied(['stock']) }, { before })).toEqual([])
    expect(explain({ fromOverlay: null }, { before })).toEqual([])
    expect(
      explain({ fromOverlay: applied([]) }, { before, guard: { needsColumns: false } }),
    ).toEqual([])
  })

  it('holds a file that turns what was taken for thousands into decimals, unless the supplier chose so', () => {
    const as = (style: 'thousands' | 'comma', used = style) => ({
      numbers: [{ column: 'stock', style, used, example: '1,100' }],
    })
    const before = as('thousands')
    expect(explain({ quantitySum: 5, ...as('comma') }, { before })).toHaveLength(1)
    expect(explain({ quantitySum: 5, ...as('thousands', 'comma') }, { before })).toEqual([])
  })

  it('holds a file in which too many items are gone or newly at 0', () => {
    expect(explain({}, { difference: { ...LOST, newlyZero: 6 } })).toEqual([
      'Of 100 items, found by “sku”, 20 are gone and 6 are newly at 0, for example A, B.',
    ])
  })

  it('holds a file without a column that the published one has', () => {
    const changes = { columns: ['name'], quantityColumn: null, categoryReading: null }
    expect(explain(changes)).toEqual([
      'The key column “sku” is gone.',
      'The quantity column “stock” is gone.',
      'The category column “category” is gone.',
    ])
  })

  it('finds a column again whose name is written in another way', () => {
    expect(explain({ columns: ['SKU ', 'Category', 'STOCK'], quantityColumn: 'STOCK' })).toEqual([])
  })

  it('compares no quantities of different columns', () => {
    const changes = { columns: [...BEFORE.columns, 'onhand'], quantityColumn: 'onhand' }
    expect(explain({ ...changes, quantitySum: 1 })).toEqual([])
  })

  it('does not count in a file that had fewer than ten rows', () => {
    const before = { rowCount: 9 }
    expect(
      explain({ rowCount: 1, quantitySum: 0 }, { before, difference: { ...LOST, removed: 90 } }),
    ).toEqual([])
    expect(explain({ columns: ['sku', 'stock'], categoryReading: null }, { before })).toHaveLength(
      1,
    )
  })

  it('follows its thresholds', () => {
    const few = { rowCount: 300, quantitySum: 1_500 }
    expect(explain(few, { guard: { minRowsPercent: 30, minQuantityPercent: 30 } })).toEqual([])
    expect(explain(few, { guard: { minRowsPercent: 31, minQuantityPercent: 31 } })).toHaveLength(2)
    const difference = { ...LOST, removed: 90 }
    expect(explain({}, { guard: { maxLostKeysPercent: 95 }, difference })).toEqual([])
  })

  it('holds nothing when it is off', () => {
    const changes = { columns: ['name'], rowCount: 1, quantitySum: 0, categoryReading: null }
    expect(explain(changes, { guard: NO_GUARD, difference: { ...LOST, removed: 100 } })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'

import type { NumberStyle } from '../../shared/schemas/column-numbers'
import { isReadAlike } from '../files/read/quantities/read-alike'
import { hasTurnedDecimal, recallMarks, rememberMarks } from './decimal-marks'

const numbers = (column: string, style: NumberStyle | null) => ({
  column,
  style,
  used: style,
  example: '1,000',
})

describe('the decimal marks of a connection', () => {
  it('are those that its files have shown last, by column', () => {
    const known = [
      { column: 'stock', mark: 'comma' as const },
      { column: 'units', mark: 'point' as const },
    ]
    const shown = [numbers('Stock', 'point'), numbers('units', 'thousands'), numbers('qty', null)]
    expect(rememberMarks(known, shown)).toEqual([
      { column: 'Stock', mark: 'point' },
      { column: 'units', mark: 'point' },
    ])
    expect(rememberMarks(known, null)).toEqual(known)
    const many = Array.from({ length: 30 }, (_, column) => numbers(`c${column}`, 'comma'))
    expect(rememberMarks(known, many)).toHaveLength(20)
  })

  it('decide what nothing in a file shows', () => {
    const known = [{ column: 'STOCK', mark: 'comma' as const }]
    const styles = (['thousands', 'decimals', 'point', null] as const).map(
      (style) => recallMarks([numbers('stock', style)], known)[0]?.style,
    )
    expect(styles).toEqual(['comma', 'decimals', 'point', null])
    expect(recallMarks([numbers('qty', 'thousands')], known)[0]?.style).toBe('thousands')
  })

  it('make quantities comparable that were read alike, or do not depend on it', () => {
    const isAlike = (one: NumberStyle | null, other: NumberStyle | null) =>
      isReadAlike(
        { numbers: [numbers('stock', one)] },
        { numbers: [numbers('STOCK', other)] },
        'Stock',
      )
    expect([isAlike('comma', 'comma'), isAlike('comma', null), isAlike(null, null)]).toEqual([
      true,
      true,
      true,
    ])
    expect([isAlike('comma', 'thousands'), isAlike('decimals', 'point')]).toEqual([false, false])
    const turned = (after: ReturnType<typeof numbers>) =>
      hasTurnedDecimal({ numbers: [numbers('stock', 'thousands')] }, { numbers: [after] }, 'stock')
    const chosen = { ...numbers('stock', 'thousands'), used: 'comma' as const }
    expect([turned(numbers('stock', 'comma')), turned(chosen)]).toEqual([true, false])
    expect(turned(numbers('stock', 'thousands'))).toBe(false)
    const older = { numbers: null }
    expect(isReadAlike(older, { numbers: [numbers('stock', 'comma')] }, 'stock')).toBe(false)
    expect(isReadAlike(older, { numbers: [numbers('stock', null)] }, 'stock')).toBe(true)
  })
})

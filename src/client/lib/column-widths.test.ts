import { describe, expect, it } from 'vitest'

import { fillWidth, measureColumns } from './column-widths'

/** Widths that Chromium measured in the table's font at 13 px, cell padding included. */
const MEASURED: [string, number][] = [
  ['SB-00002', 88],
  ['4006381000037', 129],
]

describe('preview column widths', () => {
  it.each(MEASURED)('fit %s', (text, px) => {
    const [column] = measureColumns(['x'], [[text]])
    expect(column?.widthPx).toBeGreaterThan(px)
  })

  it('are capped for long text, and report the full width', () => {
    const [column] = measureColumns(['description'], [['word '.repeat(40)]])
    expect(column?.widthPx).toBe(280)
    expect(column?.wantedPx).toBeGreaterThan(1000)
  })

  it('give spare space to capped columns first', () => {
    const columns = [
      { widthPx: 100, wantedPx: 100 },
      { widthPx: 280, wantedPx: 380 },
    ]
    expect(fillWidth(columns, 460)).toEqual([100, 360])
    expect(fillWidth(columns, 960)).toEqual([200, 760])
  })

  it('stay as they are when there is no spare space', () => {
    expect(fillWidth([{ widthPx: 280, wantedPx: 500 }], 100)).toEqual([280])
  })
})

import { describe, expect, it } from 'vitest'

import { fillWidth, measureColumns } from './column-widths'

/** What Chromium measured for these texts in the table's font at 13 px, with the cells' padding. */
const MEASURED: [string, number][] = [
  ['SB-00002', 88],
  ['4006381000037', 129],
]

describe('the columns of a preview', () => {
  it.each(MEASURED)('have room for %s', (text, px) => {
    const [column] = measureColumns(['x'], [[text]])
    expect(column?.widthPx).toBeGreaterThan(px)
  })

  it('cut a long text, and say how much room it would like', () => {
    const [column] = measureColumns(['description'], [['word '.repeat(40)]])
    expect(column?.widthPx).toBe(280)
    expect(column?.wantedPx).toBeGreaterThan(1000)
  })

  it('give spare room to those that are cut first', () => {
    const columns = [
      { widthPx: 100, wantedPx: 100 },
      { widthPx: 280, wantedPx: 380 },
    ]
    expect(fillWidth(columns, 460)).toEqual([100, 360])
    expect(fillWidth(columns, 960)).toEqual([200, 760])
  })

  it('keep their widths where there is no room', () => {
    expect(fillWidth([{ widthPx: 280, wantedPx: 500 }], 100)).toEqual([280])
  })
})

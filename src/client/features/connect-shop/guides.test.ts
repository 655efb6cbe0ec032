import { describe, expect, it } from 'vitest'

import { writeGuide } from './guides'

const url = 'https://stock.example/feeds/abc/inventory.xlsx'
const form = { kind: 'workbook', delimiter: 'comma' } as const
const write = (shop: 'excel' | 'sheets' | 'other') =>
  JSON.stringify(writeGuide(shop, { url, fileName: 'inventory.xlsx', form, password: null }))

describe('the guides for a workbook', () => {
  it('have Excel read all its sheets as one table', () => {
    const guide = write('excel')
    expect(guide).toContain('Excel.Workbook(File, true, true)')
    expect(guide).toContain('Table.Combine(Sheets[Data])')
    expect(guide).not.toContain('Csv.Document')
  })

  it('give Google Sheets, which reads no workbooks, the rows as CSV', () => {
    expect(write('sheets')).toContain('https://stock.example/feeds/abc/inventory.csv?format=csv')
  })

  it('say nothing of delimiters', () => {
    expect(write('other')).toContain('Excel workbook (.xlsx)')
    expect(write('other')).not.toContain('Delimiter')
  })
})

import { describe, expect, it } from 'vitest'

import { toSentName } from './file-names'

const facts = {
  supplierName: 'Acme & Söhne / “Nord”',
  versionId: 17,
  at: Date.parse('2026-01-15T08:30:00Z'),
  timeZone: 'Europe/Berlin',
  extension: 'csv',
}

describe('the name of a file that is sent', () => {
  it('has its places filled in, with nothing that a server takes for more than a name', () => {
    expect(toSentName('{supplier}_{time}_{version}.csv', facts)).toBe(
      'Acme-Söhne-Nord_20260115093000_17.csv',
    )
    expect(toSentName('{supplier}.csv', { ...facts, supplierName: '../..' })).toBe('supplier.csv')
  })

  it('stays as it was entered otherwise', () => {
    expect(toSentName('Our stock (1).dat', facts)).toBe('Our stock (1).dat')
  })

  it('gets the extension of the format if it has none', () => {
    expect(toSentName('stock', { ...facts, extension: 'txt' })).toBe('stock.txt')
    expect(toSentName('stock_{supplier}', { ...facts, supplierName: 'a.b' })).toBe('stock_a-b.csv')
  })
})

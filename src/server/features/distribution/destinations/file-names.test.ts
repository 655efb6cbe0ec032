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

  it('is no longer than what file systems take, whatever it is filled with', () => {
    const long = { ...facts, supplierName: '株式会社'.repeat(20) }
    for (const entered of [
      '{supplier}'.repeat(15),
      `${'𠮷'.repeat(140)}.csv`,
      '{supplier}{time}.txt',
    ]) {
      const name = toSentName(entered, long)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(190)
      expect(name).toMatch(/^[\p{L}\d]+\.(?:csv|txt)$/u)
    }
  })

  it('gets the extension of the format if it has none', () => {
    expect(toSentName('stock', { ...facts, extension: 'txt' })).toBe('stock.txt')
    expect(toSentName('stock_{supplier}', { ...facts, supplierName: 'a.b' })).toBe('stock_a-b.csv')
  })
})

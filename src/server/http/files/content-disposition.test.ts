import { describe, expect, it } from 'vitest'

import { CSV_FORM } from '../../features/catalogue/versions/connection-files'
import { contentDisposition } from './content-disposition'

const TIME = Date.UTC(2026, 10, 21, 23, 59)
const dispositionOf = (title: string) =>
  contentDisposition({ title, dataAsOf: TIME, form: CSV_FORM })

/** The file name that a browser saves, which prefers `filename*`. */
function savedName(disposition: string): string {
  const encoded = /filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1]
  const plain = /filename="([^"]*)"/.exec(disposition)?.[1]
  return encoded === undefined ? String(plain) : decodeURIComponent(encoded)
}

describe('the file name of a download', () => {
  it('has the title and the date of the data', () => {
    expect(dispositionOf('Northbeck Outdoor')).toBe(
      'attachment; filename="Northbeck-Outdoor-2026-11-21.csv"',
    )
  })

  it('is that of the form where importers expect one', () => {
    const form = { ...CSV_FORM, name: 'products' }
    expect(contentDisposition({ title: 'Acme', dataAsOf: TIME, form })).toBe(
      'attachment; filename="products.csv"',
    )
    const tabs = { mediaType: 'text/tab-separated-values', extension: 'txt' }
    expect(contentDisposition({ title: 'Acme', dataAsOf: TIME, form: tabs })).toContain('.txt"')
  })

  it.each([
    ['Café Żółw', 'Cafe-Zo-w', 'Café-Żółw'],
    ['שלום סחר', 'Inventory', 'שלום-סחר'],
    ['漢字 Trading', 'Trading', '漢字-Trading'],
  ])('keeps other letters, with an ASCII form beside them: %s', (title, plain, full) => {
    const disposition = dispositionOf(title)
    expect(disposition).toContain(`filename="${plain}-2026-11-21.csv"; filename*=UTF-8''`)
    expect(savedName(disposition)).toBe(`${full}-2026-11-21.csv`)
  })

  it.each(['', '   ', '🏔️🎿', '../../../', '...', '"', '\u202E'])(
    'is generic for a title without letters: %j',
    (title) => {
      expect(savedName(dispositionOf(title))).toBe('Inventory-2026-11-21.csv')
    },
  )

  it.each([
    'a"; filename="evil.exe',
    'a\r\nSet-Cookie: sid=1',
    'a\0b',
    '..\\..\\windows/system32',
    'a%0d%0ab; x=y',
    'a\u202Egpj.exe',
    '\uD800half a character',
  ])('cannot carry anything but letters and digits: %j', (title) => {
    const disposition = dispositionOf(title)
    expect(disposition).toMatch(
      /^attachment; filename="[A-Za-z0-9-]+-2026-11-21\.csv"(?:; filename\*=UTF-8''[\w%.-]+)?$/,
    )
    expect(savedName(disposition)).toMatch(/^[\p{L}\p{M}\p{N}-]+-2026-11-21\.csv$/u)
  })

  it('is cut by whole characters', () => {
    const name = savedName(dispositionOf('𠀀'.repeat(300)))
    expect(name).toBe(`${'𠀀'.repeat(80)}-2026-11-21.csv`)
  })
})

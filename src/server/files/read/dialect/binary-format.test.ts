import { gzipSync, zstdCompressSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { findBinaryFormat } from './binary-format'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** The head of an entry of a zip archive, and its content. */
const zipEntry = (name: string, content = '') => {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50)
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, latin1(name), latin1(content)])
}

describe('a file that is not CSV', () => {
  const cases: [name: string, head: Buffer, code: string][] = [
    ['PNG', latin1('\u0089PNG\r\n\u001A\n\0\0\0\rIHDR'), 'not-csv-image'],
    ['JPEG', latin1('\u00FF\u00D8\u00FF\u00E0\0\u0010JFIF'), 'not-csv-image'],
    ['GIF', latin1('GIF89a\u0001\0\u0001\0\u0080\0\0'), 'not-csv-image'],
    ['TIFF', Buffer.concat([latin1('II*\0\b\0\0\0\u0001\0'), Buffer.alloc(64)]), 'not-csv-image'],
    ['WebP', latin1('RIFF\u0024\0\0\0WEBPVP8 \0\0'), 'not-csv-image'],
    ['PDF', latin1('%PDF-1.7\n1 0 obj\n'), 'not-csv-pdf'],
    ['a zip archive', zipEntry('inventory.csv', 'sku,qty\n'), 'not-csv-archive'],
    ['a gzip archive', gzipSync('sku,qty\n'), 'not-csv-archive'],
    ['a Zstandard archive', zstdCompressSync('sku,qty\n'), 'not-csv-archive'],
    ['a bzip2 archive', latin1('BZh91AY&SY\0\u0001\u0002'), 'not-csv-archive'],
    ['a 7z archive', latin1('7z\u00BC\u00AF\u0027\u001C\0\u0004'), 'not-csv-archive'],
    ['a RAR archive', latin1('Rar!\u001A\u0007\u0001\0'), 'not-csv-archive'],
    ['an xz archive', latin1('\u00FD7zXZ\0\0\u0004'), 'not-csv-archive'],
    ['a workbook', zipEntry('[Content_Types].xml', '<Types/>'), 'not-csv-spreadsheet'],
    [
      'a workbook that says so at its end',
      Buffer.concat([zipEntry('docProps/app.xml', '<a/>'), zipEntry('xl/workbook.xml', '<a/>')]),
      'not-csv-spreadsheet',
    ],
    [
      'an OpenDocument spreadsheet',
      zipEntry('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'),
      'not-csv-spreadsheet',
    ],
    [
      'an old workbook',
      Buffer.concat([
        latin1('\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1'),
        Buffer.alloc(512),
      ]),
      'not-csv-spreadsheet',
    ],
  ]

  it.each(cases)('is recognised as %s', async (_name, head, code) => {
    expect((await findBinaryFormat(head))?.[0]).toBe(code)
  })
})

describe('a CSV file', () => {
  it.each(['GIFT;PRICE', 'BMcode,qty', 'BZh,qty', 'MZ-Nr;Menge', 'ID3\tqty', 'PK,qty', '%!PS,qty'])(
    'is taken for one when its header is %s',
    async (header) => {
      expect(await findBinaryFormat(latin1(`${header}\n1,2\n`))).toBe(undefined)
    },
  )

  it.each(['utf16le', 'utf8'] as const)(
    'is taken for one with a byte order mark in %s',
    async (encoding) => {
      const head = Buffer.from('\uFEFFsku,name,qty\n1,Größe,2\n', encoding)
      expect(await findBinaryFormat(head)).toBe(undefined)
    },
  )
})

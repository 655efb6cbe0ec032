import { describe, expect, it } from 'vitest'

import { archiveOf, randomAccess, xlsx } from '../../testing/fixtures/workbooks'
import { type ZipContent, zip } from '../../testing/fixtures/zip'
import { compoundFileNames, refuseEncryptedWorkbook } from './compound-file'
import { workbookFormOf } from './recognize'

const formOf = async (files: Record<string, ZipContent>) =>
  workbookFormOf(await archiveOf(zip(files)))

const types = (type: string) =>
  `<Types><Override PartName="/a.xml" ContentType="application/${type}"/></Types>`

describe('an archive is recognised by its content', () => {
  it('as an Excel workbook, with macros or without, wherever its parts are', async () => {
    expect(await workbookFormOf(await archiveOf(xlsx({})))).toBe('xlsx')
    for (const type of [
      'vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
      'vnd.ms-excel.sheet.macroEnabled.main+xml',
      'vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml',
    ]) {
      expect(await formOf({ '[content_types].xml': types(type) })).toBe('xlsx')
    }
    expect(await formOf({ 'xl/workbook.xml': '<workbook/>' })).toBe('xlsx')
  })

  it('as an OpenDocument spreadsheet', async () => {
    const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
    expect(await formOf({ mimetype, 'content.xml': '<a/>' })).toBe('ods')
  })

  it('as an archive of any files', async () => {
    expect(await formOf({ 'stock.csv': 'sku', mimetype: 'text/csv', 'content.xml': '<a/>' })).toBe(
      null,
    )
  })

  it.each<[string, Record<string, ZipContent>]>([
    [
      'binary Excel workbook',
      {
        '[Content_Types].xml': types('vnd.ms-excel.sheet.binary.macroEnabled.main'),
        'xl/workbook.bin': '',
      },
    ],
    [
      'Office document',
      {
        '[Content_Types].xml': types(
          'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
        ),
      },
    ],
    [
      'OpenDocument text',
      { mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' },
    ],
    ['Apple Numbers', { 'Index/Document.iwa': '' }],
  ])('as %s, which is refused with what to do', async (what, files) => {
    await expect(formOf(files)).rejects.toMatchObject({
      code: 'workbook-unsupported',
      message: expect.stringMatching(new RegExp(`${what}.*xlsx`)),
    })
  })
})

/** A compound file with these names, in two sectors of its directory. */
function compoundFile(names: string[], next = 2): Buffer {
  const file = Buffer.alloc(512 * 4)
  file.write('d0cf11e0a1b11ae1', 'hex')
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(1, 48)
  file.writeUInt32LE(0, 76)
  file.writeUInt32LE(next, 512 + 4)
  file.writeUInt32LE(0xfffffffe, 512 + 8)
  names.forEach((name, index) => {
    const at = 1_024 + 128 * index
    file.write(name, at, 'utf16le')
    file.writeUInt16LE(2 * name.length + 2, at + 64)
  })
  return file
}

describe('a compound file', () => {
  const filled = ['Root Entry', 'a', 'b', 'c', 'EncryptedPackage']

  it('is refused as an encrypted workbook when its directory has an encrypted package', async () => {
    await expect(refuseEncryptedWorkbook(randomAccess(compoundFile(filled)))).rejects.toMatchObject(
      { code: 'workbook-encrypted', message: expect.stringContaining('password') },
    )
    await refuseEncryptedWorkbook(randomAccess(compoundFile(['Root Entry', 'Workbook'])))
  })

  it('is read in time when its directory never ends, leaves the file, or is cut off', async () => {
    expect((await compoundFileNames(randomAccess(compoundFile(filled, 1)))).length).toBe(64 * 4)
    expect(await compoundFileNames(randomAccess(compoundFile(filled, 0xfffffff0)))).toEqual(
      filled.slice(0, 4),
    )
    expect(await compoundFileNames(randomAccess(compoundFile(filled).subarray(0, 700)))).toEqual([])
    expect(await compoundFileNames(randomAccess(Buffer.from('sku')))).toEqual([])
  })
})

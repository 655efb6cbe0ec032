import { describe, expect, it } from 'vitest'

import { inChunks } from '../../testing/fixtures/file-fixtures'
import { archiveOf, excelXml, flatOds, randomAccess, xlsx } from '../../testing/fixtures/workbooks'
import { type ZipContent, zip } from '../../testing/fixtures/zip'
import { compoundFileNames, refuseEncryptedWorkbook } from './compound-file'
import { workbookFormOf } from './recognize'
import { recognizeText } from './recognize-text'

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

describe('a text is recognised by its first element', () => {
  async function formOfText(text: string | Buffer) {
    const bytes = Buffer.from(text as string)
    const { form, all } = await recognizeText(bytes.subarray(0, 8), inChunks(bytes, 5))
    const chunks: Buffer[] = []
    for await (const chunk of all) chunks.push(chunk)
    expect(Buffer.concat(chunks)).toEqual(bytes)
    return form
  }
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by -->\r\n'

  it.each([
    ['html', '<!DOCTYPE html><html>'],
    ['html', ' \n<HTML xmlns:x="urn:schemas-microsoft-com:office:excel">'],
    ['html', '<!-- x --><table border=1><tr>'],
    ['html', '<meta charset="utf-8"><table>'],
    ['html', '<style>td{}</style><table>'],
    ['html', '<br />\n<b>Warning</b>: mysql_connect() on line 12'],
    ['html', `${prolog}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html>`],
    ['html', `${prolog}<html xmlns="http://www.w3.org/1999/xhtml">`],
    ['spreadsheetml', excelXml({})],
    [
      'spreadsheetml',
      excelXml({})
        .replace('<?xml version="1.0"?>\n', '')
        .replace(/<(\/?)Work/g, '<$1ss:Work'),
    ],
    ['fods', flatOds({})],
    [null, 'sku,name\n1,<html>\n'],
    [null, '<SKU>,<NAME>\n1,a\n'],
    [null, '<b>;<c>\n1;2\n'],
    [
      'xml',
      `${prolog}<products><product><description><![CDATA[<html>]]></description></product></products>`,
    ],
    ['xml', '<Workbook><Row/></Workbook>'],
    ['xml', '<r>all of it<p><sku>1</sku></p></r>'],
    ['xml', '<r note="a > b"><p><sku>1</sku></p></r>'],
    ['json', '[null,{"sku":"A"}]'],
    ['json', '[1.5,2.5]'],
    [null, '<SKU>,<NAME>\n1,<b>a</b>\n'],
    ['xml', '<document><body/></document>'],
    ['xml', '<table><row><sku>1</sku></row></table>'],
    ['xml', `${prolog}<table><row><td>a</td></row></table>`],
    ['xml', '<table name="stock"><row sku="a"/></table>'],
    [null, '   \n'],
    [null, ''],
  ])('as %s: %s', async (form, text) => {
    expect(await formOfText(text)).toBe(form)
    expect(await formOfText(`\uFEFF${text}`)).toBe(form)
    expect(await formOfText(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toBe(form)
  })

  it('as an OpenDocument text, which is refused with what to do', async () => {
    await expect(formOfText(flatOds({}).replace('.spreadsheet"', '.text"'))).rejects.toMatchObject({
      code: 'workbook-unsupported',
    })
  })

  it('without waiting for more of CSV than its first bytes', async () => {
    async function* endless() {
      yield Buffer.from('sku,name')
      await new Promise(() => undefined)
    }
    expect((await recognizeText(Buffer.from('sku,name'), endless())).form).toBe(null)
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

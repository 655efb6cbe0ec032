import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { createMemoryDrafts, inChunks } from '../testing/fixtures/file-fixtures'
import { ingest, refusalOf } from '../testing/stages/ingesting'
import { ingestFile } from './ingest'

const { signal } = new AbortController()
const messagesOf = (report: { problems: { message: string }[] }) =>
  report.problems.map(({ message }) => message)

describe('a canonical source', () => {
  const sources: [string, string][] = [
    ['CRLF', 'sku,name\r\n1,Shirt\r\n'],
    ['LF', 'sku,name\n1,Shirt\n'],
    ['a CR in quotes', 'sku,name\n1,"a\rb"\n'],
    ['no final line end', 'sku,name\n1,Shirt'],
    ['quotes where none are needed', '"sku","name"\n"1","Shirt"\n2,Hat\n'],
    ['quoted commas, quotes and line ends', 'sku,name\n1,"a, ""b""\r\nc"\n'],
    ['spaces, formulas and leading zeros', 'sku,name\n 007 ,=1+1\n1.2E+11,\t-1\n'],
    ['characters of all lengths', 'sku,näme\n1,日本 😀 é\n'],
    ['one column', 'sku\n1\n2\n""\n'],
    ['a header alone', 'sku,name\n'],
    ['rows of empty cells', 'sku,name\n,\n'],
    ['names that repeat or are blank', 'sku,name,,name\n1,a,b,c\n'],
  ]
  for (const [name, source] of sources) {
    it(`passes through byte for byte: ${name}`, async () => {
      for (const chunkBytes of [1, 7, 65_536]) {
        const { text, report } = await ingest(source, null, chunkBytes)
        expect(text).toBe(source)
        expect(report.isRewritten).toBe(false)
      }
    })
  }

  it('is written to one draft only', async () => {
    const drafts = createMemoryDrafts()
    await ingestFile(inChunks(Buffer.from('sku,name\n1,Shirt\n')), {
      openDraft: drafts.open,
      compression: 'none',
      categoryReading: null,
      signal,
    })
    expect(drafts.opened()).toBe(1)
  })

  it('is described with its columns, rows, dialect and totals', async () => {
    const { report } = await ingest('sku, name ,qty\n1,  Shirt ,5\n2,"Hat, red","1,5"\n')
    expect(report).toEqual({
      rowCount: 2,
      columns: ['sku', 'name', 'qty'],
      columnCount: 3,
      headRows: [
        ['1', 'Shirt', '5'],
        ['2', 'Hat, red', '1,5'],
      ],
      dialect: {
        encoding: 'utf-8',
        hasByteOrderMark: false,
        delimiter: ',',
        isQuoted: true,
        hasHeader: true,
        compression: 'none',
      },
      problems: [],
      isRewritten: false,
      categoryReading: null,
      categoryCounts: [],
      quantity: { column: 'qty', sum: 6.5 },
      numbers: [{ column: 'qty', style: 'comma', used: null, example: null }],
      categoryExamples: [],
    })
  })
})

describe('any other source is rewritten losslessly', () => {
  const cases: [string, string | Uint8Array, string][] = [
    ['semicolons', 'sku;price\n1;1,50\n2;"a;b"\n', 'sku,price\r\n1,"1,50"\r\n2,a;b\r\n'],
    ['tabs', 'sku\tname\n1\tA, "B"\n', 'sku,name\r\n1,"A, ""B"""\r\n'],
    ['pipes', 'sku|name\n1|A\n', 'sku,name\r\n1,A\r\n'],
    ['tildes', 'sku~name\n1~A\n', 'sku,name\r\n1,A\r\n'],
    ['a byte order mark', '\uFEFFsku,name\n1,A\n', 'sku,name\r\n1,A\r\n'],
    ['two byte order marks', '\uFEFF\uFEFF"sku",name\n1,A\n', 'sku,name\r\n1,A\r\n'],
    ['a byte order mark on line 2', '\n\uFEFFsku,name\n1,A\n', 'sku,name\r\n1,A\r\n'],
    ['sep=;', 'sep=;\r\nsku;name\r\n1;A\r\n', 'sku,name\r\n1,A\r\n'],
    ['sep=,', 'sep=,\nsku,name\n1,A\n', 'sku,name\r\n1,A\r\n'],
    ['CR', 'sku,name\r1,A\r', 'sku,name\r\n1,A\r\n'],
    ['CR on some lines', 'sku,name\n1,A\r2,B\n', 'sku,name\r\n1,A\r\n2,B\r\n'],
    ['NUL characters', 'sku,name\n1,A\0\0\n2,B\n\0\0', 'sku,name\r\n1,A\r\n2,B\r\n'],
    ['blank lines at the end', 'sku,name\n1,A\n\n\r\n', 'sku,name\r\n1,A\r\n'],
    ['a title', 'Stock list\n\nsku,name,qty\n1,A,2\n2,B,3\n', 'sku,name,qty\r\n1,A,2\r\n2,B,3\r\n'],
    ['blank lines', 'sku,name\n\n1,A\n \n2,B\n', 'sku,name\r\n1,A\r\n2,B\r\n'],
    ['short rows', 'sku,name,qty\n1,A\n2,B,3\n', 'sku,name,qty\r\n1,A,\r\n2,B,3\r\n'],
    ['empty surplus cells', 'sku,name\n1,A,, \n2,B\n', 'sku,name\r\n1,A\r\n2,B\r\n'],
    ['inch marks', 'sku,name\n1,5" pipe\n2,"a, b"\n', 'sku,name\r\n1,"5"" pipe"\r\n2,"a, b"\r\n'],
    ['a cell that begins with a quote', 'sku,size\n1,"5\n2,6\n', 'sku,size\r\n1,"""5"\r\n2,6\r\n'],
    ['one column with blank lines', 'sku\n1\n\n""\n2\n', 'sku\r\n1\r\n""\r\n2\r\n'],
    ['spaces and formulas', 'sku;a\n 1 ;=1+1\n', 'sku,a\r\n 1 ,=1+1\r\n'],
    [
      'no header',
      '10012;Shirt;19,99\n10013;Hat;5,00\n10014;Sock;2,50\n',
      'column_1,column_2,column_3\r\n10012,Shirt,"19,99"\r\n10013,Hat,"5,00"\r\n10014,Sock,"2,50"\r\n',
    ],
    [
      'Windows-1250',
      iconv.encode('sku,název\n1,Žluťoučký kůň\n', 'windows-1250'),
      'sku,název\r\n1,Žluťoučký kůň\r\n',
    ],
    [
      'Windows-1252',
      iconv.encode('sku,nom\n1,Vêtements été\n', 'windows-1252'),
      'sku,nom\r\n1,Vêtements été\r\n',
    ],
    [
      'Windows-1252 with a cell in UTF-8',
      Buffer.concat([
        iconv.encode('sku,nom\n1,Vêtements été\n2,Crème brûlée\n3,', 'windows-1252'),
        Buffer.from('Gâteau\n'),
      ]),
      'sku,nom\r\n1,Vêtements été\r\n2,Crème brûlée\r\n3,Gâteau\r\n',
    ],
    [
      'UTF-16',
      iconv.encode('sku\tnazwa\r\n1\tŻarówka\r\n', 'utf-16le'),
      'sku,nazwa\r\n1,Żarówka\r\n',
    ],
  ]
  it.each(cases)('%s', async (_name, source, expected) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text).toBe(expected)
      expect(report.isRewritten).toBe(true)
      // The output is canonical: ingesting it again does not rewrite it.
      expect((await ingest(text)).report).toMatchObject({
        isRewritten: false,
        rowCount: report.rowCount,
      })
    }
  })

  it('reports each kind of problem with its first line and its count', async () => {
    const { report } = await ingest('sku,name,qty\n1,A\n2,B,3\n3,C\n4,D,1,\n\n5,E,2\n')
    expect(report.problems).toEqual([
      { line: 2, count: 2, message: expect.stringContaining('fewer cells') },
      { line: 5, count: 1, message: expect.stringContaining('more cells') },
      { line: 6, count: 1, message: expect.stringContaining('Blank lines') },
    ])
  })

  it('names the columns of a file without a header', async () => {
    const { report } = await ingest('10012;Shirt;19,99\n10013;Hat;5,00\n10014;Sock;2,50\n')
    expect(report).toMatchObject({ rowCount: 3, columns: ['column_1', 'column_2', 'column_3'] })
    expect(messagesOf(report)[0]).toContain('no header')
  })
})

const plainRows = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index},plain text,${index % 7}\n`).join('')

describe('quoting other than RFC 4180', () => {
  it('may have spaces around quotes, which are left out', async () => {
    const { text, report } = await ingest('sku, "name", qty\n1, "Boot, brown", 5\n')
    expect(text).toBe('sku,name, qty\r\n1,"Boot, brown", 5\r\n')
    expect(report.problems).toEqual([
      { line: 1, count: 1, message: expect.stringMatching(/^Spaces between delimiters/) },
    ])
  })

  it('may have a backslash before a quote in a cell', async () => {
    const { text, report } = await ingest('sku,name\n1,"Pipe 5\\" steel, long"\n2,"Nut"\n')
    expect(text).toBe('sku,name\r\n1,"Pipe 5"" steel, long"\r\n2,Nut\r\n')
    expect(report.problems).toEqual([
      { line: 2, count: 1, message: expect.stringMatching(/^A backslash stands before/) },
    ])
  })
})

describe('a deviation after the first 64 KiB', () => {
  const head = `sku,name,qty\n${plainRows(20_000)}`

  it('may be the first Windows-1250 character', async () => {
    const late = iconv.encode('x,Příliš žluťoučký kůň,1\n', 'windows-1250')
    const { text, report } = await ingest(Buffer.concat([Buffer.from(head), late]))
    expect(report.dialect.encoding).toBe('windows-1250')
    expect(text.endsWith('x,Příliš žluťoučký kůň,1\r\n')).toBe(true)
  })

  it('may be invalid bytes in UTF-8, which are reported with their line', async () => {
    const source = Buffer.concat([
      Buffer.from(`${head}a,Größe Müller Café,1\n`),
      Buffer.from([0x62, 0x2c, 0x4d, 0xfc, 0x6c, 0x2c, 0x80, 0x0a]),
    ])
    const { text, report } = await ingest(source)
    expect(text.endsWith('a,Größe Müller Café,1\r\nb,Mül,€\r\n')).toBe(true)
    expect(report.dialect.encoding).toBe('utf-8')
    expect(report.problems).toEqual([
      { line: 20_003, count: 2, message: expect.stringContaining('Windows-1252') },
    ])
  })

  it('may be an inch mark, which is kept', async () => {
    const { text, report } = await ingest(`${head}x,5" pipe,1\n`)
    expect(text.endsWith('x,"5"" pipe",1\r\n')).toBe(true)
    expect(report.problems[0]).toMatchObject({ line: 20_002 })
  })

  it('may be a row with too many cells, which is refused', async () => {
    const error = await refusalOf(`${head}x,y,1,2\n`)
    expect(error).toMatchObject({
      code: 'ragged-row',
      line: 20_002,
      message: 'Line 20002 has 4 cells, but the header has 3: “x,y,1,2”.',
    })
  })

  it('may be a UTF-8 character cut off at the end of the file, read as Windows-1252', async () => {
    const { text } = await ingest(Buffer.concat([Buffer.from('a,b\né,'), Buffer.of(0xc3)]))
    expect(text).toBe('a,b\r\né,Ã\r\n')
  })
})

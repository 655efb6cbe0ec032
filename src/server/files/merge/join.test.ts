import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Merged, openMerging } from '../../testing/stages/merging'

const FILE = 'sku,name,qty\n1,One,5\n2,"Two, too",6\n3,Three,7\n'

let stage: Awaited<ReturnType<typeof openMerging>>
beforeEach(async () => {
  stage = await openMerging()
})
afterEach(() => stage.close())

const notesOf = ({ result }: Merged) => result.report.problems.map(({ message }) => message)
const countsOf = ({ result }: Merged) => result.overlay?.counts

describe('an overlay', () => {
  it('has columns that replace those of the same name, and its others come after them', async () => {
    const overlay = 'price;QTY;sku;note\n9,50;0;3;"a;b"\n1,00;9;1;\n2,00;6;2;x\n'
    const joined = await stage.join(FILE, { bytes: overlay })
    expect(joined.text).toBe(
      'sku,name,qty,price,note\n1,One,9,"1,00",\n2,"Two, too",6,"2,00",x\n3,Three,0,"9,50",a;b\n',
    )
    expect(countsOf(joined)).toEqual({
      joined: 3,
      onlyInFile: { rows: 0, isKept: true },
      onlyInOverlay: { rows: 0, isKept: false },
    })
    expect(joined.result.report).toMatchObject({
      rowCount: 3,
      columns: ['sku', 'name', 'qty', 'price', 'note'],
      quantity: { column: 'qty', sum: 15 },
      dialect: { delimiter: ',' },
      isRewritten: true,
    })
    expect(joined.result.keys).toMatchObject({ column: 'sku', keyCount: 3 })
  })

  it.each([
    ['keep', 'leave-out', '1,One,5,\n2,"Two, too",6,\n3,Three,0,x\n'],
    ['leave-out', 'leave-out', '3,Three,0,x\n'],
    ['keep', 'keep', '1,One,5,\n2,"Two, too",6,\n3,Three,0,x\n9,,1,y\n'],
    ['leave-out', 'keep', '3,Three,0,x\n9,,1,y\n'],
  ] as const)(
    'leaves rows that only one has as is chosen: of the file %s, of the overlay %s',
    async (onlyInFile, onlyInOverlay, rows) => {
      const bytes = 'sku,qty,note\n9,1,y\n3,0,x\n'
      const joined = await stage.join(FILE, { bytes, onlyInFile, onlyInOverlay })
      expect(joined.text).toBe(`sku,name,qty,note\n${rows}`)
      expect(countsOf(joined)).toEqual({
        joined: 1,
        onlyInFile: { rows: 2, isKept: onlyInFile === 'keep' },
        onlyInOverlay: { rows: 1, isKept: onlyInOverlay === 'keep' },
      })
    },
  )

  it('without columns of its own leaves rows that it does not have byte for byte', async () => {
    const joined = await stage.join(FILE, { bytes: 'sku,qty\n3,0\n' })
    expect(joined.text).toBe('sku,name,qty\n1,One,5\n2,"Two, too",6\n3,Three,0\n')
    const fewer = await stage.join(FILE, { bytes: 'sku,qty\n2,0\n', onlyInFile: 'leave-out' })
    expect(fewer.text).toBe('sku,name,qty\n2,"Two, too",0\n')
  })

  it('has the same result twice, whatever the order of its rows', async () => {
    const once = await stage.join(FILE, { bytes: 'sku,price\n1,1\n2,2\n3,3\n' })
    const twice = await stage.join(FILE, { bytes: 'sku,price\n3,3\n1,1\n2,2\n' })
    expect(twice.result.content).toEqual(once.result.content)
  })

  it('keeps CRLF and a last line without an end', async () => {
    const joined = await stage.join('sku,qty\r\n1,5\r\n2,6', { bytes: 'sku,price\n2,7\n' })
    expect(joined.text).toBe('sku,qty,price\r\n1,5,\r\n2,6,7')
    const both = { bytes: 'sku,price\n2,7\n3,8\n', onlyInOverlay: 'keep' } as const
    expect((await stage.join('sku,qty\r\n1,5\r\n2,6', both)).text).toBe(
      'sku,qty,price\r\n1,5,\r\n2,6,7\r\n3,,8\r\n',
    )
  })

  it('is read in its own way, and its notes say that they are of the second address', async () => {
    const bytes = Buffer.from('Stock of today\n\nSKU;Gr\xf6\xdfe;Qty\n1;M;2\n', 'latin1')
    const joined = await stage.join('sku\tname\n1\tOne\n', { bytes })
    expect(joined.text).toBe('sku,name,Größe,Qty\r\n1,One,M,2\r\n')
    expect(joined.result.report.dialect).toMatchObject({ encoding: 'utf-8', delimiter: '\t' })
    expect(notesOf(joined)).toContainEqual(
      expect.stringMatching(/^At the second address: .* lines before the table/),
    )
    for (const { setting } of joined.result.report.problems) expect(setting).toBeUndefined()
  })

  it('is a table of its own form, of which the supplier may choose a part', async () => {
    const items = (stock: number) =>
      `<row><sku>1</sku><stock>${stock}</stock></row><row><sku>2</sku></row>`
    const bytes = `<r><old>${items(5)}</old><new>${items(9)}</new></r>`
    const records = { path: ['r', 'new', 'row'], variants: null }
    const joined = await stage.join(FILE, { bytes, reading: { records } })
    expect(joined.text).toContain('1,One,5,9\n')
  })

  it('is joined by the column of the same name, whichever else looks like one of keys', async () => {
    const bytes = 'sku,Artikel,qty\n9,1,5\n'
    const joined = await stage.join('Artikel,name\n1,One\n', { bytes }, { sku: 'Artikel' })
    expect(joined.text).toBe('Artikel,name,sku,qty\n1,One,9,5\n')
  })

  it('is joined by its own column of keys if it has none of that name, which is told', async () => {
    const joined = await stage.join(FILE, { bytes: 'Item No,qty\n2,0\n' })
    expect(joined.text).toContain('2,"Two, too",0\n')
    expect(notesOf(joined)).toEqual([
      'Rows are joined by “sku” of the first address and “Item No” of the second.',
    ])
  })

  it('leaves out columns without a name, and tells so', async () => {
    const joined = await stage.join('sku,name\n1,One\n', { bytes: 'sku,,price\n1,x,2\n' })
    expect(joined.text).toBe('sku,name,price\n1,One,2\n')
    expect(notesOf(joined)).toContain('Columns of the second address without a name were left out.')
  })

  it('gives its categories to the rows', async () => {
    const joined = await stage.join(FILE, { bytes: 'sku,category\n1,Hats\n2,Coats\n3,Hats\n' })
    expect(joined.result.report.categoryReading?.column).toBe('category')
    expect(joined.result.report.categoryCounts).toContainEqual({ cell: 'Hats', rows: 2 })
  })
})

describe('files that cannot be joined', () => {
  const overlay = { bytes: 'sku,qty\n1,1\n' }
  it.each([
    [
      'without a column of keys',
      FILE,
      'ean,qty\n1,1\n',
      'join-columns',
      'second address: The file lacks the column “sku”',
    ],
    [
      'without keys of its own',
      'name,qty\nOne,1\n',
      'sku,qty\n1,1\n',
      'join-keys',
      'first address: The file cannot be joined: it has no column of keys',
    ],
    [
      'with a key of the first that is repeated',
      'sku,name\n1,a\n1,b\n',
      overlay.bytes,
      'join-keys',
      'first address: The file cannot be joined: 1 row in it has a “sku” that another row has',
    ],
    [
      'with keys of the second that are repeated',
      FILE,
      'sku,qty\n1,1\n1,2\n1,3\n',
      'join-keys',
      'second address: The file cannot be joined: 2 rows in it have a “sku” that another row has',
    ],
    [
      'with a row of the second without a key',
      FILE,
      'sku,qty\n1,1\n,2\n',
      'join-keys',
      'second address: The file cannot be joined: 1 row in it has no “sku”',
    ],
    [
      'with no key in common',
      FILE,
      'sku,qty\n01,1\n02,1\n',
      'join-keys',
      'No row at the second address has a key',
    ],
    [
      'with other keys in a column that means something else',
      'Artikel,sku,qty\n1,x,2\n',
      'sku,qty\nx,1\n',
      'join-columns',
      'lacks the column “Artikel”',
    ],
    [
      'with two columns of a name that the other has once',
      FILE,
      'sku,qty,qty\n1,1,2\n',
      'join-columns',
      'it is not clear which is which',
    ],
    [
      'without rows',
      FILE,
      'sku,qty\n',
      'no-rows',
      'second address: The file has a header but no rows',
    ],
    [
      'that is a text',
      FILE,
      'Please sign in\nto go on\n',
      'not-csv-text',
      'At the second address: The file is a text',
    ],
    [
      'that is a web page',
      FILE,
      '<!doctype html><html><body>Sign in</body></html>',
      'not-csv-html',
      'At the second address: ',
    ],
    ['that is empty', FILE, '', 'empty', 'At the second address: '],
    ['of which the first is empty', '', 'sku,qty\n1,1\n', 'empty', 'At the first address: '],
  ])('%s', async (_, file, bytes, code, message) => {
    const sku = file.startsWith('Artikel') ? 'Artikel' : null
    const error = await stage.joinRefusal(file, { bytes }, { sku })
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(await stage.leftovers()).toEqual([])
  })

  it('without a header', async () => {
    const reading = { hasHeader: false }
    expect(await stage.joinRefusal(FILE, { ...overlay, reading })).toMatchObject({
      code: 'join-columns',
      message: expect.stringContaining('second address: The file has no header'),
    })
    expect(await stage.joinRefusal(FILE, overlay, { reading })).toMatchObject({
      message: expect.stringContaining('first address: The file has no header'),
    })
  })

  it('that are together larger than the limit', async () => {
    const maxBytes = FILE.length + 5
    expect(await stage.joinRefusal(FILE, overlay, { maxBytes })).toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('The files at both addresses are together larger than'),
    })
  })
})

import { describe, expect, it } from 'vitest'

import { ingest } from '../testing/stages/ingesting'

const HEADER = 'sku,name,price,qty\n'
const ROWS = '1,Boot,9.90,5\n2,Hat,5.50,6\n3,Sock,2.25,7\n'

describe('a line that repeats the header', () => {
  const NOTE = 'Lines that repeat the header were read as headers and left out.'
  const EXPECTED = (HEADER + ROWS + ROWS).replaceAll('\n', '\r\n')

  const cases: [string, string][] = [
    ['in the middle', HEADER + ROWS + HEADER + ROWS],
    ['with a byte order mark', `${HEADER}${ROWS}\uFEFF${HEADER}${ROWS}`],
    ['in quotes', `${HEADER}${ROWS}"sku",name,"price",qty\n${ROWS}`],
  ]
  it.each(cases)('is left out: %s', async (_name, source) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text).toBe(EXPECTED)
      expect(report.rowCount).toBe(6)
      expect(report.problems).toEqual([{ line: 5, count: 1, message: NOTE }])
    }
  })

  it('is counted each time', async () => {
    const { report } = await ingest(HEADER + HEADER + ROWS + HEADER)
    expect(report.problems).toEqual([{ line: 2, count: 2, message: NOTE }])
    expect(report.rowCount).toBe(3)
  })

  const kept: [string, string][] = [
    ['another header', `${HEADER}${ROWS}sku,name,cost,qty\n`],
    ['a row of a single column', 'name\nBoot\nname\n'],
    ['a row of empty cells', 'sku,,\nsku,,\n1,a,b\n'],
    ['a row below no header', '5,Shoes,5\n6,Shoes,6\n5,Shoes,5\n7,Hats,7\n'],
  ]
  it.each(kept)('is not %s', async (_name, source) => {
    const { report } = await ingest(source)
    expect(report.problems.map(({ message }) => message)).not.toContain(NOTE)
  })
})

describe('a second header below the first', () => {
  const NOTE = 'The line below the header looks like a second header; it was kept as a row.'

  it.each([
    ['units', ',,EUR,pieces\n'],
    ['translated names', 'Artikel,Bezeichnung,Preis,Menge\n'],
  ])('is noticed, and kept: %s', async (_name, line) => {
    const { text, report } = await ingest(HEADER + line + ROWS)
    expect(text).toBe(HEADER + line + ROWS)
    expect(report.problems).toEqual([{ line: 2, count: 1, message: NOTE }])
  })

  it('is named by its line in the file', async () => {
    const source = `sep=,\nStock list\n\n${HEADER},,EUR,pieces\n${ROWS}`
    expect((await ingest(source)).report.problems).toContainEqual({
      line: 5,
      count: 1,
      message: NOTE,
    })
  })

  it.each([
    ['a row of products', '0,Cap,1.00,2\n'],
    ['a row that lacks numbers', 'A,Cap,n/a,-\n'],
    ['a row with a word for one number', 'A,Cap,on request,4\n'],
  ])('is not %s', async (_name, line) => {
    expect((await ingest(HEADER + line + ROWS)).report.problems).toEqual([])
  })
})

describe('a last line of totals', () => {
  const NOTE = 'The last line looks like totals; it was kept as a row.'

  it.each([
    'Total,,17.65,18\n',
    ',Grand total:,17.65,18\n',
    'Summe (EUR),,"17,65",18',
    'Итого,,,18\n',
  ])('is noticed, and kept: %j', async (line) => {
    for (const chunkBytes of [1, 65_536]) {
      const { text, report } = await ingest(HEADER + ROWS + line, null, chunkBytes)
      expect(text).toBe(HEADER + ROWS + line)
      expect(report.problems).toEqual([{ line: 5, count: 1, message: NOTE }])
    }
  })

  it.each(['4,Total,17.65,18\n', 'Total,,,\n', 'Totally,Cap,1,2\n', `Total,,3,4\n${ROWS}`])(
    'is not %j',
    async (line) => {
      expect((await ingest(HEADER + ROWS + line)).report.problems).toEqual([])
    },
  )
})

describe('rows that say that they are removed', () => {
  it.each([
    [
      'deleted',
      'true',
      'Rows say in “deleted” that they are removed (“true”); they were kept as items.',
    ],
    [
      'Is deleted',
      'Yes',
      'Rows say in “Is deleted” that they are removed (“Yes”); they were kept as items.',
    ],
    [
      'action',
      'DELETE',
      'Rows say in “action” that they are removed (“DELETE”); they were kept as items.',
    ],
    [
      'Status',
      'gelöscht',
      'Rows say in “Status” that they are removed (“gelöscht”); they were kept as items.',
    ],
  ])('are told, and kept: %s of %s', async (name, value, message) => {
    const source = `sku,qty,${name}\nA1,5,${value}\nA2,6,\nA3,7,${value}\n`
    const { text, report } = await ingest(source)
    expect(text).toBe(source)
    expect(report.problems).toEqual([{ line: null, count: 2, message }])
  })

  it.each([
    ['deleted', 'false'],
    ['deleted', '0'],
    ['action', 'update'],
    ['status', 'active'],
    ['note', 'delete'],
  ])('are not those with %s of %s', async (name, value) => {
    const { report } = await ingest(`sku,qty,${name}\nA1,5,${value}\nA2,6,\n`)
    expect(report.problems).toEqual([])
  })
})

describe('a first row that may be a product', () => {
  const NOTE =
    'The first row was read as the header, but it may be a product. Check the names of the columns.'

  it.each(['RED-M,5\nBLUE-L,0\nGREEN-S,2\n', 'Boot,5\nHat,6\n', 'AB-1000,5\n'])(
    'is told: %j',
    async (source) => {
      const { text, report } = await ingest(source)
      expect(text).toBe(source)
      expect(report.problems).toEqual([{ line: 1, count: 1, message: NOTE, setting: 'hasHeader' }])
    },
  )

  it('is told with its line', async () => {
    const { report } = await ingest('sep=,\nRED-M,5\nBLUE-L,0\n')
    expect(report.problems).toContainEqual(expect.objectContaining({ line: 2, message: NOTE }))
  })

  it('is not told below names, nor of a product', async () => {
    for (const source of [HEADER + ROWS, 'AB-1000,5\nAB-1001,0\n']) {
      const { report } = await ingest(source)
      expect(report.problems.map(({ message }) => message)).not.toContain(NOTE)
    }
  })
})

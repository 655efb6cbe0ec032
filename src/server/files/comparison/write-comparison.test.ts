import { describe, expect, it } from 'vitest'

import type { ChangeFilter } from '../../../shared/schemas/comparison'
import { createRandom } from '../../testing/fixtures/file-fixtures'
import { ingestKeyed, NAMING } from '../../testing/fixtures/key-files'
import { createRowScanner } from '../keys/stored-rows'
import { cellCount, cellText, type RecordBatch } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { splitChunk } from '../read/table/table-reader'
import { writeComparison } from './write-comparison'

const { signal } = new AbortController()
const MARK = '\uFEFF'

async function changesOf(
  older: string,
  newer: string,
  options: Partial<ChangeFilter> & { maxBytes?: number } = {},
) {
  const [before, after] = [await ingestKeyed(older), await ingestKeyed(newer)]
  const chunks: Buffer[] = []
  const files = { older: before.file, newer: after.file }
  const { kind, q = '', ...limits } = options
  const chosen = { keyColumn: after.facts?.column ?? '', naming: NAMING, filter: { kind, q } }
  const count = await writeComparison(files, { ...chosen, signal, ...limits }, async (chunk) => {
    chunks.push(Buffer.from(chunk))
  })
  return { count, csv: Buffer.concat(chunks).toString('utf8') }
}

/** The lines of a CSV file with CRLF after each. */
const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1)

function readTable(csv: string): string[][] {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const rows: string[][] = []
  for (const piece of [...splitChunk(Buffer.from(csv)), null]) {
    const batch = piece ? scanner.push(piece) : scanner.end()
    for (let record = 0; record < batch.count; record++) {
      const cells = Array.from({ length: cellCount(batch, record) }, (_, column) =>
        cellText(batch, record, column),
      )
      rows.push(cells)
    }
  }
  return rows
}

type Row = Record<string, string>

function readRows(csv: string): Map<string, Row> {
  const [header = [], ...rows] = readTable(csv)
  const toRow = (cells: string[]) =>
    Object.fromEntries(header.map((name, place) => [name, cells[place] ?? '']))
  const place = header.indexOf('sku')
  return new Map(rows.map((cells) => [(cells[place] ?? '').trim(), toRow(cells)]))
}

const unescape = (text: string) => (/^'+[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text)

const COLUMNS = ['sku', 'qty', 'name', 'note']
const EMPTY: Row = Object.fromEntries(COLUMNS.map((name) => [name, '']))

/** Applies a list of changes; a cell is only replaced if it is what the list says it was. */
function apply(older: Map<string, Row>, csv: string): Map<string, Row> {
  const rows = new Map(older)
  const [header = [], ...lines] = readTable(csv.slice(MARK.length))
  for (const line of lines) {
    const [key = '', change, ...cells] = line.map(unescape)
    if (change === 'removed') rows.delete(key)
    const row: Row = { ...EMPTY, sku: key, ...rows.get(key) }
    for (let at = 0; at < cells.length; at += 2) {
      if (cells[at] === cells[at + 1]) continue
      const name = (header[at + 2] ?? '').replace(/ before$/, '')
      expect(older.get(key)?.[name] ?? '').toBe(cells[at])
      row[name] = cells[at + 1] ?? ''
    }
    if (change !== 'removed') rows.set(key, row)
  }
  return rows
}

const toFile = (columns: string[], rows: string[][]) =>
  [columns, ...rows]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\r\n') + '\r\n'

describe('the list of changes', () => {
  it('has a line for each key and the cells that differ, in the order of the newer file', async () => {
    const older = 'sku,name,colour,qty\n1,Boot,red,5\n2,Hat,red,3\n3,Sock,red,1\n4,Cap,red,2\n'
    const newer = 'sku,name,colour,qty\n9,Ski,,4\n3,Sock,red,0\n2,Top hat,red,3\n1,Boot,red,5\n'
    const { csv, count } = await changesOf(older, newer)
    expect(linesOf(csv)).toEqual([
      `${MARK}sku,change,name before,name after,colour before,colour after,qty before,qty after`,
      '9,added,,Ski,,,,4',
      '3,changed,,,,,1,0',
      '2,changed,Hat,Top hat,,,,',
      '4,removed,Cap,,red,,2,',
    ])
    expect(count).toBe(4)
  })

  it('has only the columns that differ, and no rows that differ in quotes or around the key', async () => {
    const older = 'sku,name,qty\n1,Boot,5\n2,Hat,3\n3,Cap,3\n'
    const newer = 'sku,name,qty\n1,"Boot",5\n2,Hat,4\n"3 ",Cap,3\n'
    const { csv, count } = await changesOf(older, newer)
    expect(linesOf(csv)).toEqual([`${MARK}sku,change,qty before,qty after`, '2,changed,3,4'])
    expect(count).toBe(1)
  })

  it('has only the items that are wanted, and the columns in which these differ', async () => {
    const older = 'sku,name,qty\nA1,Boot,5\nA2,Hat,3\nB3,Cap,3\n'
    const newer = 'sku,name,qty\nA1,Boots,5\nA2,Hat,4\nB3,Cap,4\n'
    const linesFor = async (filter: Partial<ChangeFilter>) =>
      linesOf((await changesOf(older, newer, filter)).csv)
    const header = `${MARK}sku,change,qty before,qty after`
    expect(await linesFor({ kind: 'quantity' })).toEqual([
      header,
      'A2,changed,3,4',
      'B3,changed,3,4',
    ])
    expect(await linesFor({ kind: 'quantity', q: 'b' })).toEqual([header, 'B3,changed,3,4'])
    expect(await linesFor({ kind: 'removed' })).toEqual([`${MARK}sku,change`])
  })

  it('is a header for files without a difference', async () => {
    const { csv, count } = await changesOf('sku,qty\n1,5\n2,6\n', 'sku,qty\n2,6\n1,5\n')
    expect([csv, count]).toEqual([`${MARK}sku,change\r\n`, 0])
  })

  it('pairs columns by name, those with the same name in order, and lists those of one file', async () => {
    const older = 'sku,image,image,gone\n1,a,b,x\n'
    const newer = 'Image,SKU,new,image\nA,1,y,b\n'
    const { csv } = await changesOf(older, newer)
    expect(linesOf(csv)).toEqual([
      `${MARK}SKU,change,Image before,Image after,new before,new after,gone before,gone after`,
      '1,changed,a,A,,y,x,',
    ])
  })

  it('lets no spreadsheet run a cell or the name of a column', async () => {
    const { csv } = await changesOf('sku,=n\n=1,a\n', 'sku,=n\n=1,=cmd()\n')
    expect(linesOf(csv)).toEqual([
      `${MARK}sku,change,'=n before,'=n after`,
      `'=1,changed,a,'=cmd()`,
    ])
  })

  it('turns the rows of the older file into those of the newer one', async () => {
    const random = createRandom(23)
    const texts = ['', 'x', '=x', "'=x", "''-1", 'a,b', 'a "b"', 'a\r\nb', ' é ', '-5']
    for (let round = 0; round < 30; round++) {
      const rowOf = (key: number) => [`K${key}`, ...COLUMNS.slice(1).map(() => random.pick(texts))]
      const keys = Array.from({ length: 300 }, (_, key) => key)
      const older = keys.filter(() => random.below(4) > 0).map(rowOf)
      const known = new Map(older.map((row) => [row[0], row]))
      const shuffled = keys.toSorted((one, other) => ((one * 7919) % 300) - ((other * 7919) % 300))
      const newer = shuffled
        .filter(() => random.below(4) > 0)
        .map((key) => (random.below(2) > 0 ? known.get(`K${key}`) : undefined) ?? rowOf(key))
      const [before, after] = [toFile(COLUMNS, older), toFile(COLUMNS, newer)]
      const { csv, count } = await changesOf(before, after)
      expect(apply(readRows(before), csv)).toEqual(readRows(after))
      const lines = readTable(csv).slice(1)
      expect(lines).toHaveLength(count ?? -1)
      const order = [...newer, ...older].map(([key]) => key)
      const found = lines.map(([key]) => order.indexOf(key))
      expect(found).toEqual(found.toSorted((one, other) => one - other))
    }
  })

  it('is refused when it is too long', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => `${row},5\n`).join('')
    const none = 'sku,qty\nx,1\n'
    expect(await changesOf(none, `sku,qty\n${rows}`, { maxBytes: 20_000 })).toMatchObject({
      count: null,
    })
    expect(await changesOf(none, `sku,qty\n${rows}`)).toMatchObject({ count: 3_001 })
  })
})

describe('the scanner of rows', () => {
  const cellsOf = (batch: RecordBatch) =>
    Array.from({ length: cellCount(batch, 0) }, (_, column) => cellText(batch, 0, column))

  it('splits rows one after the other, of any length', () => {
    const scan = createRowScanner()
    const long = 'x'.repeat(200_000)
    expect(cellsOf(scan(Buffer.from(`1,"${long}\r\n",b`)))).toEqual(['1', `${long}\r\n`, 'b'])
    expect(cellsOf(scan(Buffer.from('2,')))).toEqual(['2', ''])
    expect(cellsOf(scan(Buffer.from('"a ""b"""')))).toEqual(['a "b"'])
  })

  it.each(['1,a\n2,b', '1,"a', '1\n'])('refuses %j, which is no row', (row) => {
    expect(() => createRowScanner()(Buffer.from(row))).toThrow('another end')
  })
})

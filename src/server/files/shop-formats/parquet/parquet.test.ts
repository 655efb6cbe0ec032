import { parquetMetadata, parquetReadObjects, type FileMetaData } from 'hyparquet'
import { describe, expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { cellsOf, drawTable, toFile, writeIn } from '../../../testing/stages/written-workbooks'
import { FileError } from '../../file-error'
import { createProblemLog } from '../../read/problems'
import { createParquetOutput } from './parquet-output'

const toArrayBuffer = (bytes: Buffer) => new Uint8Array(bytes).buffer

/** The rows and types of a file as another program reads them; decimals by their digits. */
async function read(bytes: Buffer) {
  const file = toArrayBuffer(bytes)
  const metadata = parquetMetadata(file)
  const rows = (await parquetReadObjects({ file, metadata: withoutPoints(metadata) })) as Record<
    string,
    unknown
  >[]
  const names = metadata.schema.slice(1).map(({ name }) => name)
  return {
    types: metadata.schema.slice(1).map(({ type, scale }) => `${type} ${scale ?? ''}`.trim()),
    names,
    rows: rows.map((row) => names.map((name) => row[name])),
    groups: metadata.row_groups.map(({ num_rows }) => Number(num_rows)),
  }
}

/** The reader's decimals are floating-point numbers, in which 18 digits have no room. */
function withoutPoints(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ converted_type, ...element }) =>
    converted_type === undefined || converted_type === 'DECIMAL'
      ? element
      : { ...element, converted_type },
  )
  return { ...metadata, schema }
}

const typesOf = async (file: string, ...more: [profile?: object, policy?: object]) =>
  (await read((await writeIn('parquet', file, ...more)).bytes)).types

const TEXT = 'BYTE_ARRAY'

describe('a Parquet file', () => {
  it('has the cells of the file as texts, whatever they are', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const table = drawTable(createRandom(seed), 300)
      const found = await read((await writeIn('parquet', toFile(table))).bytes)
      expect(found.types).toEqual([TEXT, TEXT, TEXT, TEXT, TEXT])
      expect([found.names, ...found.rows]).toEqual(table)
    }
  })

  it('has numbers where all quantities and prices are exactly that, and null where they are empty', async () => {
    const file = 'sku,qty,price,ean\r\n01,5,9.5,400\r\n02,-7,,401\r\n03,,123456789012.25,\r\n'
    const { types, rows } = await read((await writeIn('parquet', file)).bytes)
    expect(types).toEqual([TEXT, 'INT64', 'INT64 2', TEXT])
    expect(rows).toEqual([
      ['01', 5n, 950n, '400'],
      ['02', -7n, null, '401'],
      ['03', null, 12345678901225n, ''],
    ])
  })

  it.each([
    ['1', '1.5', 'INT64 1'],
    ['1', '-0.125', 'INT64 3', 'point'],
    ['1', '1.234', TEXT],
    ['1', '<5', TEXT],
    ['1', '1,5', TEXT],
    ['1', '007', TEXT],
    ['1', ' 5', TEXT],
    ['1', '-0', TEXT],
    ['1', '1e3', TEXT],
    ['1', '1234567890123456', TEXT],
    ['12345678901', '0.12345678', TEXT],
    ['1234567890', '0.12345678', 'INT64 8'],
    ['', '', TEXT],
  ])('has prices %j and %j as %s', async (one, other, type, decimalMark?: string) => {
    const file = `sku,price\r\nA,${one.includes(',') ? `"${one}"` : one}\r\nB,"${other}"\r\n`
    const policy = decimalMark === undefined ? {} : { decimalMark, roles: undefined }
    expect(await typesOf(file, {}, policy)).toEqual([TEXT, type])
  })

  it('has the rows and columns of the shop format, with computed quantities as numbers', async () => {
    const file = 'sku,qty,price\r\nA,12,1.10\r\nB,high,x\r\n'
    const stock = await read((await writeIn('parquet', file, { kind: 'stock', buffer: 2 })).bytes)
    expect(stock).toMatchObject({
      names: ['sku', 'quantity'],
      types: [TEXT, 'INT64'],
      rows: [
        ['A', 10n],
        ['B', 0n],
      ],
    })
    const hidden = await read((await writeIn('parquet', file, {}, { hidden: ['qty'] })).bytes)
    expect(hidden.names).toEqual(['sku', 'price'])
  })

  it('has names that are distinct, and the same bytes for the same rows', async () => {
    const file = 'sku,a,a,,a.b\r\n1,2,3,4,5\r\n'
    const [one, other] = [await writeIn('parquet', file), await writeIn('parquet', file)]
    expect(await read(one.bytes)).toMatchObject({
      names: ['sku', 'a', 'a_2', '', 'a.b'],
      rows: [['1', '2', '3', '4', '5']],
    })
    expect(one.bytes.equals(other.bytes)).toBe(true)
  })

  it('can be without rows and without columns', async () => {
    expect(await read((await writeIn('parquet', 'sku,qty\r\n')).bytes)).toMatchObject({
      names: ['sku', 'qty'],
      rows: [],
    })
    const { bytes } = await writeIn('parquet', 'sku\r\n1\r\n', {}, { hidden: ['sku'] })
    expect(parquetMetadata(toArrayBuffer(bytes)).schema).toHaveLength(1)
  })

  it('is written in row groups, of which one is held', async () => {
    const rows = Array.from({ length: 12_000 }, (_, row) => [
      `${row}`,
      'x'.repeat(row % 900),
      `${row % 7}`,
    ])
    const file = toFile([['sku', 'name', 'qty'], ...rows])
    const { bytes } = await writeIn('parquet', file)
    const found = await read(bytes)
    expect(found.groups.length).toBeGreaterThan(1)
    expect(found.groups.reduce((sum, count) => sum + count)).toBe(12_000)
    expect(found.rows.map((row) => row.map(String))).toEqual(cellsOf(file).slice(1))
  })

  const layoutOf = (count: number) => ({
    lineEnd: '\n' as const,
    hasByteOrderMark: false,
    keyPlace: -1,
    columns: Array.from({ length: count }, (_, place) => ({
      header: `c${place}`,
      source: { kind: 'cell', place } as const,
    })),
  })

  it('is refused before what is kept of its row groups grows without bound', async () => {
    const output = createParquetOutput([], 4)
    const row = output.start({ layout: layoutOf(2), numbers: [], log: createProblemLog() })
    const writeRow = async () => {
      row(['x'.repeat(8 * 1024 * 1024), 'x'])
      await output.flush(async () => undefined)
    }
    await writeRow()
    await writeRow()
    await expect(writeRow()).rejects.toThrow(FileError)
  })

  it('fails where its bytes cannot be written', async () => {
    const output = createParquetOutput()
    output.start({ layout: layoutOf(1), numbers: [], log: createProblemLog() })(['x'])
    const full = () => Promise.reject(new Error('The disk is full'))
    await expect(output.finish(full)).rejects.toThrow('The disk is full')
  })
})

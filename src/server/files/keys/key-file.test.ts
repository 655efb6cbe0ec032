import { describe, expect, it } from 'vitest'

import { createRandom } from '../../testing/fixtures/file-fixtures'
import { ingestKeyed, NO_ROLES } from '../../testing/fixtures/key-files'
import { MAX_KEYED_ROWS } from './key-file'
import { RECORD_BYTES } from './key-records'
import { createStoredRows } from './stored-rows'

/** The rows that the records of a key file point at, and their quantities. */
async function readRecords({ file, keys }: Awaited<ReturnType<typeof ingestKeyed>>) {
  const rows = createStoredRows(file.readRows)
  const records = []
  for (let at = 0; at < keys.length; at += RECORD_BYTES) {
    const last = keys.readUInt32LE(at + 28)
    const offset = keys.readUInt32LE(at + 24) + 2 ** 32 * (last >>> 24)
    const quantity = keys.readDoubleLE(at + 16)
    const cells = await rows.cells({ offset, length: last & 0xffffff })
    records.push({ hash: keys.readBigUInt64LE(at), cells, quantity })
  }
  return records
}

const hashOrder = (keys: Buffer) =>
  Array.from({ length: keys.length / RECORD_BYTES }, (_, record) => {
    const at = record * RECORD_BYTES
    return (BigInt(keys.readUInt32LE(at)) << 32n) | BigInt(keys.readUInt32LE(at + 4))
  })

describe('a key file', () => {
  it('has a record for each distinct key, in the order of their hashes', async () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => `SKU-${row},${row % 7},"a ""b"", c"`)
    for (const runRecords of [1_000_000, 700]) {
      const made = await ingestKeyed(['sku,qty,name', ...rows, ''].join('\r\n'), {
        runRecords,
        chunkBytes: 5_000,
      })
      expect(made.facts).toEqual({
        column: 'sku',
        quantityColumn: 'qty',
        keyCount: 5_000,
        repeatedRows: 0,
        keylessRows: 0,
      })
      const hashes = hashOrder(made.keys)
      expect(hashes).toEqual(hashes.toSorted((one, other) => (one < other ? -1 : 1)))
      const records = await readRecords(made)
      const found = records.map(({ cells, quantity }) => `${cells[0]} ${cells[1]} ${quantity}`)
      const expected = rows.map((_, row) => `SKU-${row} ${row % 7} ${row % 7}`)
      expect(found.toSorted()).toEqual(expected.toSorted())
      expect(new Set(records.map(({ cells }) => cells[2]))).toEqual(new Set(['a "b", c']))
    }
  })

  it('points at the rows of the canonical file, not of its source', async () => {
    const source = 'Art;Artikelnummer;Bestand\nÄpfel;  7 ;1,5\n"x;y";8;viele\n'
    const made = await ingestKeyed(Buffer.from(source, 'latin1'))
    expect(made.text).toBe('Art,Artikelnummer,Bestand\r\nÄpfel,  7 ,"1,5"\r\nx;y,8,viele\r\n')
    const records = await readRecords(made)
    const cells = records.map((record) => record.cells)
    expect(cells).toHaveLength(2)
    expect(cells).toContainEqual(['x;y', '8', 'viele'])
    expect(cells).toContainEqual(['Äpfel', '  7 ', '1,5'])
    expect(new Set(records.map(({ quantity }) => quantity))).toEqual(new Set([1, Number.NaN]))
  })

  it('finds the same key however its cell is written', async () => {
    const cells = ['K', ' K', '"K"', '" K\t"', '\u00a0K', 'K\u3000']
    const hashes = []
    for (const cell of cells) {
      const made = await ingestKeyed(`sku,qty\n${cell},1\n`)
      hashes.push(...hashOrder(made.keys))
    }
    const quoted = await ingestKeyed('sku;qty\na"b;1\n')
    const doubled = await ingestKeyed('sku,qty\n"a""b",1\n')
    expect(new Set(hashes).size).toBe(1)
    expect(hashOrder(quoted.keys)).toEqual(hashOrder(doubled.keys))
  })

  it('counts rows without a key and those that repeat one, of which the first stays', async () => {
    for (const runRecords of [1_000, 2]) {
      const made = await ingestKeyed('sku,qty\n1,5\n,6\n 1 ,7\n2,8\n"  ",9\n1,10\n', {
        runRecords,
        chunkBytes: 6,
      })
      expect(made.facts).toMatchObject({ keyCount: 2, repeatedRows: 2, keylessRows: 2 })
      const quantities = (await readRecords(made)).map(({ quantity }) => quantity)
      expect(new Set(quantities)).toEqual(new Set([5, 8]))
    }
  })

  it('follows the columns that the supplier has chosen, and its texts for stock', async () => {
    const made = await ingestKeyed('sku,ean,qty,lager\n1,A,5,high\n2,B,6,7\n', {
      roles: { ...NO_ROLES, sku: 'EAN', quantity: 'Lager' },
      stockTexts: [{ text: 'High', quantity: 99 }],
    })
    expect(made.facts).toMatchObject({ column: 'ean', quantityColumn: 'lager' })
    const quantities = (await readRecords(made)).map(({ quantity }) => quantity)
    expect(new Set(quantities)).toEqual(new Set([7, 99]))
  })

  it('is not written without a column of keys', async () => {
    expect((await ingestKeyed('name,colour\na,b\n')).facts).toBeNull()
  })

  it('is not written for a file with more than 1,048,576 rows', async () => {
    const keys = Array.from({ length: MAX_KEYED_ROWS }, (_, row) => row)
    const text = `sku\n${keys.join('\n')}\n`
    const options = { runRecords: 300_000, chunkBytes: 64 * 1024 }
    const { facts } = await ingestKeyed(text, options)
    expect(facts).toMatchObject({ keyCount: MAX_KEYED_ROWS })
    expect((await ingestKeyed(`${text}x\n`, options)).facts).toBeNull()
  })

  it('has no quantities when the column with numbers changes below the first rows', async () => {
    const made = await ingestKeyed('sku,stock,quantity\n1,5,\n2,6,7\n')
    expect(made.facts).toMatchObject({ quantityColumn: null })
  })

  it('has different hashes for a hundred thousand keys that differ in one character', async () => {
    const random = createRandom(7)
    const keys = new Set<string>()
    while (keys.size < 100_000) keys.add(`${random.below(1_000_000)}`.padStart(6, '0'))
    const made = await ingestKeyed(`sku\n${[...keys].join('\n')}\n`)
    expect(made.facts).toMatchObject({ keyCount: 100_000, repeatedRows: 0 })
  })
})

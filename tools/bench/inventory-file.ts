import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

import iconv from 'iconv-lite'

/**
 * The first cell of the first row, which a source replaces in each response, so that every read finds
 * a new file.
 */
export const COUNTER = '00000000'

/** A kind of inventory file. */
type Kind = {
  encoding: string
  header: string
  /** A row without its first cell. */
  row(number: number): string
}

/** As the product stores it. */
const CANONICAL: Kind = {
  encoding: 'utf-8',
  header: 'sku,name,category,quantity',
  row: (number) => `"Boot, brown; size ${number % 50}",Shoes > Kind ${number % 500},${number % 97}`,
}

/** As spreadsheets in Central Europe write it; 73 bytes a row. */
const REGIONAL: Kind = {
  encoding: 'windows-1250',
  header: 'kód;název;kategorie;množství',
  row: (number) =>
    `Zimní bota hnědá, velikost ${10 + (number % 50)};Obuv > Kozačky číslo ${100 + (number % 500)};${1_000 + (number % 97)}`,
}

const PIECE_ROWS = 50_000
const ROW_END = '\r\n'

export const writeCanonicalFile = (path: string, sizeBytes: number) =>
  writeFile(path, CANONICAL, ',', sizeBytes)
export const writeRegionalFile = (path: string, sizeBytes: number) =>
  writeFile(path, REGIONAL, ';', sizeBytes)

/** Writes a file of about this size; the first row's number is `COUNTER`. */
async function writeFile(path: string, kind: Kind, delimiter: string, sizeBytes: number) {
  const { encoding, header, row } = kind
  const stream = createWriteStream(path)
  const toRow = (number: number) =>
    `${`${number}`.padStart(COUNTER.length, '0')}${delimiter}${row(number)}${ROW_END}`
  stream.write(iconv.encode(header + ROW_END, encoding))
  let written = 0
  for (let first = 0; written < sizeBytes; first += PIECE_ROWS) {
    const rows = Array.from({ length: PIECE_ROWS }, (_, index) => toRow(first + index))
    const piece = iconv.encode(rows.join(''), encoding).subarray(0, sizeBytes - written)
    // The last row is whole.
    const whole = piece.subarray(0, piece.lastIndexOf('\n') + 1)
    written += piece.length
    if (!stream.write(whole)) await new Promise((resolve) => stream.once('drain', resolve))
  }
  stream.end()
  await finished(stream)
}

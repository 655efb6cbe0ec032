import { createHasher } from '../keys/hash-bytes'
import { type Money, readMoney } from '../pricing/money'
import type { ProblemLog } from '../read/problems'
import { currencyOfPrice, readCurrency, UNKNOWN_CURRENCY } from '../read/quantities/currency'
import { displayCell } from '../read/scan/display-cell'
import { cellCount, cellText, type RecordBatch } from '../read/scan/scan'
import { createSeenKeys } from '../shop-formats/seen-keys'
import { createStockReader } from '../shop-formats/stock-reader'
import { readGtin } from './gtin'
import { MAX_KEY_BYTES } from './matching'
import type { PartColumns } from './part-columns'
import type { PartFacts, PartOptions, PartStyles } from './part-options'
import { KEY_KINDS, LONG_CELL, MAX_RECORD_BYTES, RECORD } from './part-records'
import type { RecordSorter } from './record-sorter'
import { createRowBytes, toCsvCell } from './row-bytes'

/** Texts that are told one by one. */
const MAX_TEXTS = 5

/** Turns the rows of a retailer's file into records of its part file. */
export interface PartRows {
  add(batch: RecordBatch, record: number): void
  counts(): Omit<PartFacts, 'problems'>
}

type RowOptions = PartOptions & { styles: PartStyles; log: ProblemLog }
type Key = { text: string; kind: number }

export function createPartRows(
  places: PartColumns,
  options: RowOptions,
  sorter: Pick<RecordSorter, 'add'>,
): PartRows {
  const { styles, log } = options
  const findKey = createKeyFinder(options)
  const readStock = createStockReader(options.stock, options.stockTexts, styles.quantity)
  const tellText = createTextLog(log)
  const hash = createHasher()
  const hashed = new Uint32Array(2)
  const output = createRowBytes()
  const counts = { rowCount: 0, byGtin: 0, byMatching: 0 }

  function readAmount(cell: string, kind: 'price' | 'cost'): Money | undefined {
    const money = readMoney(cell, styles[kind])
    if (!money && cell.trim() !== '')
      tellText(cell, `${kind} column is no price; it was left as it is`)
    return money
  }
  function readNamed(cell: string): string | undefined {
    const currency = readCurrency(cell)
    if (currency === UNKNOWN_CURRENCY) tellText(cell, 'currency column is no currency')
    return currency
  }
  function startRecord(key: Buffer, kind: number): void {
    hash(key, 0, key.length, hashed, 0)
    output.length = 0
    output.reserve(RECORD.key)
    const { bytes } = output
    bytes.writeUInt32LE(hashed[0] as number, RECORD.high)
    bytes.writeUInt32LE(hashed[1] as number, RECORD.low)
    bytes[RECORD.kind] = kind
    bytes.writeUInt16LE(key.length, RECORD.keyLength)
    output.length = RECORD.key
    output.copy(key, 0, key.length)
  }
  function putCell(cell: Buffer): void {
    putLength(cell.length)
    output.copy(cell, 0, cell.length)
  }
  function putLength(length: number): void {
    output.reserve(6)
    const at = output.length
    const isLong = length >= LONG_CELL
    output.bytes.writeUInt16LE(isLong ? LONG_CELL : length, at)
    if (isLong) output.bytes.writeUInt32LE(length, at + 2)
    output.length += isLong ? 6 : 2
  }
  /** A cell as it stands in the file, with its quotes. */
  function copyCell(batch: RecordBatch, record: number, place: number): void {
    if (place < 0 || place >= cellCount(batch, record)) return putLength(0)
    const cell = (batch.firstCells[record] as number) + place
    const isQuoted = batch.cellKinds[cell] !== 0
    const start = (batch.cellStarts[cell] as number) - (isQuoted ? 1 : 0)
    const end = (batch.cellEnds[cell] as number) + (isQuoted ? 1 : 0)
    putLength(end - start)
    output.copy(batch.bytes, start, end)
  }
  function putMoney(batch: RecordBatch, record: number, kind: 'price' | 'cost'): Found {
    const place = places[kind]
    const cell = place < 0 ? '' : cellText(batch, record, place)
    const money = readAmount(cell, kind)
    if (money) putCell(Buffer.from(money.text))
    else copyCell(batch, record, place)
    return { units: money?.units ?? Number.NaN, currency: money && currencyOfPrice(cell) }
  }

  return {
    add(batch, record) {
      const textAt = (place: number) => (place < 0 ? '' : cellText(batch, record, place).trim())
      const sku = textAt(places.sku)
      const key = findKey(sku, textAt(places.barcode))
      if (!key) return
      const keyBytes = Buffer.from(key.text)
      startRecord(keyBytes, key.kind)
      putCell(toCsvCell(sku))
      copyCell(batch, record, places.barcode)
      const price = putMoney(batch, record, 'price')
      const cost = putMoney(batch, record, 'cost')
      for (const place of places.others) copyCell(batch, record, place)
      if (output.length > MAX_RECORD_BYTES) return log.add(null, TOO_LONG)
      const cell = textAt(places.quantity)
      const { quantity, isUnknown } = readStock(cell)
      if (isUnknown) tellText(cell, 'quantity column is no number; 0 was taken')
      const { bytes } = output
      bytes.writeUInt32LE(output.length, 0)
      bytes.writeDoubleLE(quantity, RECORD.quantity)
      bytes.writeDoubleLE(cost.units, RECORD.cost)
      bytes.fill(0, RECORD.currency, RECORD.keyLength)
      const currency = readNamed(textAt(places.currency)) ?? cost.currency ?? price.currency
      if (currency !== undefined) putCurrency(bytes, currency)
      sorter.add(bytes, output.length)
      counts.rowCount++
      if (key.kind === KEY_KINDS.gtin) counts.byGtin++
      if (key.kind === KEY_KINDS.matched) counts.byMatching++
    },
    counts: () => counts,
  }
}

/** Of its few bytes, some signs have more. */
function putCurrency(bytes: Buffer, currency: string): void {
  const isShort = Buffer.byteLength(currency) <= RECORD.keyLength - RECORD.currency
  bytes.write(isShort ? currency : UNKNOWN_CURRENCY, RECORD.currency)
}

interface Found {
  units: number
  currency: string | undefined
}

const TOO_LONG = 'Rows that are longer than 128 KB were left out.'
const NO_KEY = 'Rows without an SKU or a barcode with a right check digit were left out.'
const LONG_SKU = `Rows with an SKU of more than ${MAX_KEY_BYTES} bytes were left out.`
const REPEATED_SKU = 'Rows that repeat the SKU of a row before were left out.'
const REPEATED_GTIN = 'Rows without an SKU that repeat the barcode of a row before were left out.'
const OWN_ROW = 'Items that have the barcode or your SKU of an item before kept a row of their own.'
const BAD_GTIN = 'Barcodes that are no GTIN with a right check digit were not used for matching.'

/** Finds the text by which an item is matched with those of other suppliers; undefined for a row that is left out. */
function createKeyFinder({ matching, prefix, log }: RowOptions) {
  const seen = createSeenKeys()
  const seenSkus = createSeenKeys()
  const isTooLong = (text: string) => Buffer.byteLength(text) > MAX_KEY_BYTES

  function findMatch(sku: string, barcode: string): Key | undefined {
    const gtin = barcode === '' ? undefined : readGtin(barcode)
    if (gtin === undefined && barcode !== '') log.add(null, BAD_GTIN)
    if (gtin !== undefined) return { text: matching.byGtin.get(gtin) ?? gtin, kind: KEY_KINDS.gtin }
    const own = sku === '' ? undefined : matching.bySku.get(sku)
    return own === undefined ? undefined : { text: own, kind: KEY_KINDS.matched }
  }
  const leaveOut = (message: string) => {
    log.add(null, message)
    return undefined
  }
  return (sku: string, barcode: string): Key | undefined => {
    if (isTooLong(prefix + sku)) return leaveOut(LONG_SKU)
    if (sku !== '' && seenSkus.add(sku) === false) return leaveOut(REPEATED_SKU)
    const match = findMatch(sku, barcode)
    if (match && seen.add(match.text) !== false) return match
    if (sku === '') return leaveOut(match ? REPEATED_GTIN : NO_KEY)
    const text = prefix + sku
    if (seen.add(text) === false) return leaveOut(REPEATED_SKU)
    if (match) log.add(null, OWN_ROW)
    return { text, kind: KEY_KINDS.sku }
  }
}

/** Tells of texts that are no numbers, a few one by one. */
function createTextLog(log: ProblemLog): (cell: string, what: string) => void {
  const texts = new Set<string>()
  return (cell, what) => {
    const text = displayCell(cell, 40)
    if (texts.size < MAX_TEXTS) texts.add(text)
    log.add(null, `${texts.has(text) ? `“${text}”` : 'Other text'} in the ${what}.`)
  }
}

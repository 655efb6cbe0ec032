import { MAX_MATCHES } from '../../../shared/merged-files'
import { FileError } from '../file-error'
import { findColumn } from '../read/categories/category-column'
import { readNames } from '../read/scan/display-cell'
import { cellText } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'
import { readGtin } from './gtin'

/** The columns of a matching file. */
const MATCHING_COLUMNS = ['prefix', 'supplier_sku', 'gtin', 'sku'] as const
/** Of an SKU; rows with longer ones are left out. */
export const MAX_KEY_BYTES = 500

/** Which SKU of the retailer's own an item of a supplier is. */
export interface Matching {
  bySku: Map<string, string>
  byGtin: Map<string, string>
}

/** What was found in a matching file. */
export interface MatchingCounts {
  /** Rows that say which item is which. */
  used: number
  /** Rows with an SKU of the retailer's own that name no item, or a wrong GTIN. */
  unusable: number
  /** Rows for what a row before has said already; the first counts. */
  repeated: number
}

export const NO_MATCHING: Matching = { bySku: new Map(), byGtin: new Map() }

/**
 * Reads a canonical matching file. A row with a GTIN says which SKU that has, with whichever supplier; one without,
 * which SKU the supplier's SKU has. Rows without an own SKU say nothing.
 * @param prefix that of the supplier whose rows are wanted; null for those of all, of which only the counts are right
 * @throws FileError `missing-column`, `too-large`
 */
export async function readMatching(
  source: AsyncIterable<Uint8Array>,
  prefix: string | null,
  signal: AbortSignal,
): Promise<Matching & { counts: MatchingCounts }> {
  const bySku = new Map<string, string>()
  const byGtin = new Map<string, string>()
  const counts: MatchingCounts = { used: 0, unusable: 0, repeated: 0 }
  const note = (map: Map<string, string>, key: string, sku: string) => {
    if (map.has(key)) {
      counts.repeated++
      return
    }
    map.set(key, sku)
    if (++counts.used > MAX_MATCHES) throw tooMany()
  }
  let places: MatchingPlaces | undefined
  for await (const batch of scanCanonical(source, signal)) {
    for (let record = 0; record < batch.count; record++) {
      if (!places) {
        places = findPlaces(readNames(batch, record))
        continue
      }
      const { prefix: prefixAt, supplier_sku: skuAt, gtin: gtinAt, sku: ownAt } = places
      const read = (place: number) => (place < 0 ? '' : cellText(batch, record, place).trim())
      const own = read(ownAt)
      if (own === '') continue
      const [gtinText, partPrefix, supplierSku] = [read(gtinAt), read(prefixAt), read(skuAt)]
      const gtin = readGtin(gtinText)
      const isUsable =
        gtinText === '' ? partPrefix !== '' && supplierSku !== '' : gtin !== undefined
      if (!isUsable || Buffer.byteLength(own) > MAX_KEY_BYTES) counts.unusable++
      else if (gtin !== undefined) note(byGtin, gtin, own)
      else if (prefix === null) note(bySku, JSON.stringify([partPrefix, supplierSku]), own)
      else if (partPrefix === prefix) note(bySku, supplierSku, own)
    }
  }
  return { bySku, byGtin, counts }
}

type MatchingPlaces = Record<(typeof MATCHING_COLUMNS)[number], number>

function findPlaces(names: string[]): MatchingPlaces {
  const find = (name: string) => findColumn(names, name)
  const [prefix, supplier_sku, gtin, sku] = [
    find('prefix'),
    find('supplier_sku'),
    find('gtin'),
    find('sku'),
  ]
  const hasItems = gtin >= 0 || (prefix >= 0 && supplier_sku >= 0)
  if (sku >= 0 && hasItems) return { prefix, supplier_sku, gtin, sku }
  throw new FileError(
    'missing-column',
    'A matching file needs the columns “prefix” and “supplier_sku”, or “gtin”, and “sku” with your own SKUs.',
  )
}

const tooMany = () =>
  new FileError('too-large', `A matching file can have at most ${MAX_MATCHES} rows with your SKUs.`)

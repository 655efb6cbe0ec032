import type { ReceivedWay } from './constants'
import type { Dialect, FileSource, Origin, Receipt } from './schemas/file'
import type { RecordPlace } from './schemas/record-place'
import { TABLE_FORM_LABELS } from './table-forms'

/**
 * Says where a file came from, besides the address of its connection: `sheet Stock of stock.xlsx`, `a.csv in
 * stock.zip, received by upload link`, `XML, product / variant`; nothing for a whole file that was fetched from
 * an address without a pattern.
 */
export function describeSource({ origin, received, fileName: found }: FileSource): string {
  const whole = received?.fileName ?? found
  const archive = origin?.member != null && whole !== undefined ? ` in ${whole}` : ''
  const file = (origin?.member ?? whole ?? '') + archive
  const part = origin ? namePart(origin) : ''
  const place = part + (part && file && ' of ') + file
  if (!received) return place
  return `${place}, received by ${nameWay(received)}`
}

export const WAY_LABELS: Record<ReceivedWay, string> = { sftp: 'SFTP', mail: 'mail' }

const nameWay = ({ way, isByLink }: Receipt) =>
  way ? WAY_LABELS[way] : isByLink ? 'upload link' : 'hand'

/** What of a file was read: its sheets or its records; nothing for a whole file. */
function namePart({ form, sheets, records }: Origin): string {
  if (records) return `${TABLE_FORM_LABELS[form]}, ${nameRecords(records)}`
  if (sheets.length === 0) return ''
  return `${sheets.length > 1 ? 'sheets' : 'sheet'} ${sheets.join(', ')}`
}

/** `product`, or `product / variant` where each variant is a row. */
export const nameRecords = ({ path, variants }: RecordPlace): string =>
  [path, ...(variants ? [variants] : [])].map(lastName).join(' / ')

/** The items of a list without a name are records. */
const lastName = (names: string[]) => names.findLast((name) => name !== '*') ?? 'records'

/** Whether columns are called by paths in a document: `stock/qty`. */
export const hasPathNames = ({ origin }: Pick<Dialect, 'origin'>): boolean =>
  origin?.records != null

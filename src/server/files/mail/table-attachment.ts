import { toFileName } from '../../../shared/file-name'

/** What of a part of a message tells whether it is a table. */
export interface Part {
  /** Its media type in lower case. */
  type: string
  /** Empty without one. */
  name: string
}

const TABLE_NAME =
  /\.(?:csv|txt|tsv|tab|xlsx|xlsm|xltx|xls|ods|fods|xml|json|ndjson|jsonl|html?|zip|gz|zst)$/i
/** What mail programs add of a message’s own texts. */
const OWN_TEXT = /^att\d{1,10}\.(?:txt|html?)$/i
const NEVER =
  /^(?:image|audio|video|multipart|message)\/|^text\/(?:calendar|x-amp-html|vcard)$|pkcs7|pgp/
const NEVER_NAMED = /\.(?:p7s|p7m|ics|vcf|asc|sig)$/i

/** What a table without a telling name is called, by its media type. */
const NAMES_BY_TYPE: Record<string, string> = {
  'text/csv': 'table.csv',
  'application/csv': 'table.csv',
  'text/tab-separated-values': 'table.tsv',
  'application/vnd.ms-excel': 'table.xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'table.xlsx',
  'application/vnd.oasis.opendocument.spreadsheet': 'table.ods',
  'application/zip': 'table.zip',
  'application/x-zip-compressed': 'table.zip',
  'application/gzip': 'table.gz',
  'application/x-gzip': 'table.gz',
  'application/zstd': 'table.zst',
  'application/json': 'table.json',
  'application/x-ndjson': 'table.ndjson',
  'application/xml': 'table.xml',
  'text/xml': 'table.xml',
}

/** What a part is called as a table; null when it is none. The texts of the message itself have no name. */
export function nameOfTable({ type, name: given }: Part): string | null {
  const name = toFileName(given)
  if (NEVER.test(type) || NEVER_NAMED.test(name) || OWN_TEXT.test(name)) return null
  if (TABLE_NAME.test(name)) return name
  const byType = NAMES_BY_TYPE[type]
  return byType === undefined ? null : name || byType
}

/** Whether a part is the container in which Outlook hides attachments. */
export const isWinmail = ({ type, name }: Part): boolean =>
  type === 'application/ms-tnef' ||
  type === 'application/vnd.ms-tnef' ||
  /^(?:winmail|win)\.dat$/i.test(name)

import type { FileSource } from './schemas/file'

/**
 * Says where a file came from, besides the address of its connection: `sheet Stock of stock.xlsx`, `a.csv in
 * stock.zip, received by upload link`; nothing for a whole file that was fetched.
 */
export function describeSource({ origin, received }: FileSource): string {
  const archive = origin?.member != null && received ? ` in ${received.fileName}` : ''
  const file = (origin?.member ?? received?.fileName ?? '') + archive
  const sheets = origin?.sheets ?? []
  const place = sheets.length > 0 ? nameSheets(sheets) + (file && ` of ${file}`) : file
  if (!received) return place
  return `${place}, received by ${received.isByLink ? 'upload link' : 'hand'}`
}

const nameSheets = (sheets: string[]) =>
  `${sheets.length > 1 ? 'sheets' : 'sheet'} ${sheets.join(', ')}`

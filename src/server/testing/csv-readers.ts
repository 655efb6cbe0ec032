import { Readable } from 'node:stream'

import { parse } from 'csv-parse/sync'
import csvParser from 'csv-parser'
import Papa from 'papaparse'
import { inferSchema, initParser } from 'udsv'

/** Reads a whole CSV file, its header included, with nothing told of it but that it has commas. */
type CsvReader = (file: string) => string[][] | Promise<string[][]>

/** Readers of others, each of which finds the line ends of a file by a rule of its own. */
export const CSV_READERS: Record<string, CsvReader> = {
  papaparse: (file) => {
    const { data, errors } = Papa.parse<string[]>(file, { delimiter: ',' })
    if (errors.length > 0) throw new Error(JSON.stringify(errors[0]))
    // It takes a line end at the end of the file for the beginning of a row.
    return /[\r\n]$/.test(file) ? data.slice(0, -1) : data
  },
  'csv-parse': (file) => parse(file),
  udsv: (file) => initParser(inferSchema(file, { header: () => [], col: ',' })).stringArrs(file),
  async 'csv-parser'(file) {
    const rows: string[][] = []
    for await (const row of Readable.from([Buffer.from(file)]).pipe(
      csvParser({ headers: false }),
    )) {
      rows.push(Object.values(row as Record<string, string>))
    }
    return rows
  },
}

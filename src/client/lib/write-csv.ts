const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** A CSV file of texts, every cell quoted. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

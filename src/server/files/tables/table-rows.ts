import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { ProblemLog } from '../read/problems'

/**
 * The rows of a table as CSV in UTF-8: commas, quotes where needed, LF. There is a record for each row, and a
 * blank line for a row without cells, so that the nth record is the nth row of the sheet.
 */
export interface TableRows {
  /** In chunks of at most 64 KiB; may be ended early. */
  read(): AsyncGenerator<Buffer>
  /** The cells of the widest row so far. */
  width(): number
  /** Whether the first record has the names of the columns, beyond doubt; no other row is part of a header then. */
  hasNames?: boolean
  /** Whether there are more rows, which are not read for a preview. */
  isCut?: boolean
  /** Whether the names are paths in a document. */
  arePaths?: boolean
  /** Tells what people should know of what was read so far; a line is a row of the sheet. */
  report(problems: ProblemLog): void
}

/** The first chunk of rows. */
export async function readFirstChunk(rows: TableRows): Promise<Buffer | undefined> {
  for await (const chunk of rows.read()) return chunk
  return undefined
}

/** How such bytes are read: what is chosen of bytes does not apply to them. */
export function readingOfRows(
  reading: SourceReading,
  { hasNames = false }: Pick<TableRows, 'hasNames'> = {},
): SourceReading {
  return {
    ...reading,
    encoding: 'utf-8',
    delimiter: ',',
    quoting: 'double',
    ...(hasNames && { hasHeader: true, skipLines: 0 }),
  }
}

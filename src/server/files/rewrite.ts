import { type CanonicalWriter, createCanonicalWriter } from './canonical-writer'
import { type FileError, noContent } from './file-error'
import { type CanonicalSource, type SourceView } from './intake'
import type { KeySink } from './keys/key-file'
import { reportSkippedLines } from './read/dialect/preamble'
import { createProblemLog } from './read/problems'
import type { Quoting } from './read/scan/scan'
import { type Summary, type TableChoices, createSummary } from './read/summary'
import type { RowSink } from './read/table/table'
import { createTableReader, reportQuotes, splitChunk } from './read/table/table-reader'
import { createYielder } from './yield-to-event-loop'

export interface RewriteOptions {
  view: SourceView
  quoting: Quoting
  /** Why strict quoting failed; undefined when `quoting` is strict. */
  strictFailure: FileError | undefined
  choices: TableChoices
  signal: AbortSignal
  write: (chunk: Uint8Array) => Promise<void>
  /** Receives the rows as they are written. */
  keys?: KeySink | undefined
  onRows: (rows: number) => void
}

/**
 * Reads a stored source with one quoting mode and writes it losslessly as canonical CSV: CRLF, quotes
 * only where needed, a final line end, cell text unchanged.
 * @throws FileError when the source cannot be read with this quoting mode
 */
export async function rewriteSource(
  source: AsyncIterable<Uint8Array>,
  options: RewriteOptions,
): Promise<CanonicalSource> {
  const { view, quoting, signal, onRows } = options
  const problems = createProblemLog()
  if (view.reading.skipLines === null)
    reportSkippedLines(view.dialect, problems, { isSheet: view.rows !== undefined })
  reportQuotes(quoting, options.strictFailure, problems, view.reading.quoting)
  const yieldToEventLoop = createYielder(signal)
  const writer = createCanonicalWriter(options.write)
  const output = createOutput(writer, options)
  const reader = createTableReader({ ...view, quoting }, problems, output.sink)
  for await (const chunk of source) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      reader.push(piece)
      await writer.flush()
      await options.keys?.flush()
    }
    onRows(reader.table.rowCount())
  }
  signal.throwIfAborted()
  reader.end()
  await writer.flush()
  const summary = output.summary()
  if (!summary) throw noContent()
  summary.reportNumbers(problems)
  return { rowCount: reader.table.rowCount(), summary: summary.result(problems), problems }
}

function createOutput(
  writer: CanonicalWriter,
  { choices, keys, view }: Pick<RewriteOptions, 'choices' | 'keys' | 'view'>,
) {
  let summary: Summary | undefined
  let width = 0
  const sink: RowSink = {
    start(columns, header) {
      width = columns.length
      const found = createSummary(columns, choices, view.rows?.arePaths)
      summary = found
      keys?.start(columns, found.quantities)
      if (header) writer.row(header.batch, header.record, width)
      else writer.names(columns)
    },
    row(batch, record) {
      writer.row(batch, record, width)
      summary?.add(batch, record)
      keys?.row(batch, record, writer.lastRow())
    },
  }
  return { sink, summary: () => summary }
}

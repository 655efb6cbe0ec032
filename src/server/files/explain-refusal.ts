import { FileError } from './file-error'
import { createProblemLog } from './read/problems'
import { createBadLines } from './read/table/bad-lines'
import { type TableFormat, createTableReader, splitChunk } from './read/table/table-reader'
import { createYielder } from './yield-to-event-loop'

interface RefusedSource {
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Whether these are all bytes of the source. */
  isWhole: boolean
  signal?: AbortSignal
  onRows?: (rows: number) => void
}

/** The errors that name a line which people can look up. */
const LINE_ERRORS = new Set(['bad-quotes', 'unclosed-quote', 'ragged-row'])

/**
 * Reads a source that was refused once more, and adds to the error the text of its line and how many
 * lines are like it.
 * @param format the reading that the error comes from
 */
export async function explainRefusal(
  error: FileError,
  format: TableFormat,
  { bytes, isWhole, signal, onRows }: RefusedSource,
): Promise<FileError> {
  if (!LINE_ERRORS.has(error.code) || error.line === undefined) return error
  const badLines = createBadLines(error)
  const sink = { start() {}, row() {} }
  const reader = createTableReader(format, createProblemLog(), sink, badLines)
  const yieldToEventLoop = createYielder(signal)
  try {
    for await (const chunk of bytes) {
      for (const piece of splitChunk(chunk)) {
        await yieldToEventLoop(piece.length)
        reader.push(piece)
      }
      onRows?.(reader.table.rowCount())
    }
    if (isWhole) reader.end()
  } catch (later) {
    // What has been counted up to another error is still true.
    if (!(later instanceof FileError)) throw later
    return badLines.explain(false)
  }
  return badLines.explain(isWhole)
}

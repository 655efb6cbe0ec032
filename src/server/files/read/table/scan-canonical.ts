import { createYielder } from '../../yield-to-event-loop'
import type { RecordBatch } from '../scan/scan'
import { createScanner } from '../scan/scanner'
import { splitChunk } from './table-reader'

/** Reads the records of a canonical file. A batch is valid until the next one. */
export async function* scanCanonical(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const yieldToEventLoop = createYielder(signal)
  for await (const chunk of source) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      yield scanner.push(piece)
    }
  }
  signal.throwIfAborted()
  yield scanner.end()
}

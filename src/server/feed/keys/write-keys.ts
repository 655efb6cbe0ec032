import { createProblemLog } from '../read/problems'
import { createScanner } from '../read/scanner'
import { createTable } from '../read/table'
import { splitChunk } from '../read/table-reader'
import { createYielder } from '../yield-to-event-loop'
import { type FileKeys, type KeyOptions, createKeyRows } from './file-keys'
import type { KeyScratch } from './key-collector'

/**
 * Reads a canonical file and writes its key file.
 * @returns null when the file has no column of keys, or too many rows
 */
export async function writeKeys(
  source: AsyncIterable<Uint8Array>,
  output: Pick<KeyScratch, 'write'>,
  { signal, ...options }: KeyOptions & { signal: AbortSignal },
): Promise<FileKeys | null> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const table = createTable({
    hasHeader: true,
    requireExactWidth: true,
    dropsRepeatedHeader: false,
    problems: createProblemLog(),
  })
  const yieldToEventLoop = createYielder(signal)
  const keys = createKeyRows(options)
  try {
    for await (const chunk of source) {
      for (const piece of splitChunk(chunk)) {
        await yieldToEventLoop(piece.length)
        table.read(scanner.push(piece), keys)
        await keys.flush()
      }
    }
    signal.throwIfAborted()
    table.read(scanner.end(), keys)
    return await keys.finish(output)
  } finally {
    await keys.discard()
  }
}

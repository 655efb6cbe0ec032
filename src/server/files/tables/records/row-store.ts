import type { ScratchFile } from '../../../storage/scratch-file'

/** Keeps the rows of a table, in memory as long as they are few. */
export interface RowStore {
  add(chunks: readonly Buffer[]): Promise<void>
  read(): AsyncGenerator<Uint8Array>
}

const MEMORY_BYTES = 1024 * 1024

/** @param openScratch opens a file for what is not kept in memory; null for rows that are few */
export function createRowStore(openScratch: (() => Promise<ScratchFile>) | null): RowStore {
  let kept: Buffer[] = []
  let bytes = 0
  let scratch: ScratchFile | undefined
  return {
    async add(chunks) {
      for (const chunk of chunks) {
        bytes += chunk.length
        kept.push(chunk)
      }
      if (bytes <= MEMORY_BYTES || !openScratch) return
      scratch ??= await openScratch()
      for (const chunk of kept) await scratch.write(chunk)
      kept = []
    },
    async *read() {
      if (scratch) yield* scratch.read()
      yield* kept
    },
  }
}

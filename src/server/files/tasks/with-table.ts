import type { Origin } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { ScratchFile } from '../../storage/scratch-file'
import { atAddress } from '../at-address'
import { decodeBody } from '../fetch/decoded-body'
import type { EncodingHints } from '../read/encoding/encoding'
import type { SourceContent } from '../sources/source'
import { openTable, type OpenedTable } from '../tables/open-table'
import type { TaskContext } from './task-context'

interface TableTask {
  reading: SourceReading
  hints: EncodingHints
  previousOrigin?: Origin | undefined
  isPreview: boolean
  /** Paths of the scratch files for a container and its parts. */
  scratchOf: (name: 'source' | 'member' | 'rows' | 'texts') => string
  /** Which of two addresses it comes from, for errors. */
  address?: 'first' | 'second' | undefined
}

/**
 * Opens the table of a task's source for as long as `use` takes.
 * @param use is also told how many bytes of the source have been read, decompressed
 */
export async function withTable<Result>(
  { reading, hints, previousOrigin: previous, isPreview, scratchOf, address }: TableTask,
  context: TaskContext,
  use: (table: OpenedTable, receivedBytes: () => number) => Promise<Result>,
): Promise<Result> {
  const { files, maxBytes, onProgress } = context
  const content = contentOf(context)
  const containers: ScratchFile[] = []
  let received = 0
  async function* decoded() {
    for await (const chunk of decodeBody(content, maxBytes)) {
      received += chunk.length
      yield chunk
    }
  }
  const open = () =>
    openTable(decoded(), {
      reading,
      hints,
      previous,
      isPreview,
      maxBytes,
      async openScratch(name) {
        const scratch = await files.openScratch(scratchOf(name))
        containers.push(scratch)
        return scratch
      },
      onUnpacked: (bytes) => onProgress?.({ bytes, rows: 0, expectedBytes: content.expectedBytes }),
    })
  try {
    const table = await (address ? atAddress(address, open) : open())
    return await use(table, () => received)
  } finally {
    await Promise.all(containers.map((scratch) => scratch.discard()))
  }
}

export function contentOf({ content }: TaskContext): SourceContent {
  if (!content) throw new Error('A task with a source has no content')
  return content
}

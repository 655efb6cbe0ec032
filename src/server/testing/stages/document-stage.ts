import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { Origin } from '../../../shared/schemas/file'
import type { RecordPlace } from '../../../shared/schemas/record-place'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { previewFile } from '../../files/preview'
import { createProblemLog } from '../../files/read/problems'
import { listCells } from '../../files/read/scan/scan'
import { createScanner } from '../../files/read/scan/scanner'
import { splitChunk } from '../../files/read/table/table-reader'
import { type OpenedTable, openTable } from '../../files/tables/open-table'
import type { ScratchFile } from '../../storage/scratch-file'
import { inChunks } from '../fixtures/file-fixtures'

interface DocumentOptions {
  records?: RecordPlace | null
  encoding?: SourceReading['encoding']
  previous?: Origin
  chunkBytes?: number
  maxBytes?: number
}

type Content = string | Buffer | AsyncIterable<Buffer>

const MAX_BYTES = 64 * 1024 * 1024

/** Opens the table of a file, with scratch files in memory. */
export function openDocument(
  content: Content,
  isPreview: boolean,
  options: DocumentOptions = {},
): Promise<OpenedTable> {
  const { records = null, encoding = null, previous, chunkBytes, maxBytes = MAX_BYTES } = options
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return openTable(Buffer.isBuffer(bytes) ? inChunks(bytes, chunkBytes) : bytes, {
    reading: { ...AUTOMATIC_READING, records, encoding },
    previous,
    isPreview,
    maxBytes,
    openScratch: async () => createMemoryScratch(),
    onUnpacked: () => undefined,
  })
}

/** Reads a document as a sync does, up to its cells. */
export async function readDocument(content: Content, options: DocumentOptions = {}) {
  const table = await openDocument(content, false, options)
  return { rows: await listRows(table), notes: notesOf(table), origin: table.origin }
}

/** Reads a document as a preview does. */
export async function previewDocument(content: Content, options: DocumentOptions = {}) {
  const table = await openDocument(content, true, options)
  return previewFile(table.body, 'none', { table })
}

/** A scratch file that is kept in memory. */
function createMemoryScratch(): ScratchFile {
  let bytes = Buffer.alloc(0)
  return {
    path: 'memory',
    async write(chunk) {
      bytes = Buffer.concat([bytes, chunk])
    },
    async *read() {
      yield* inChunks(bytes)
    },
    readAt: async (target, position) => bytes.copy(target, 0, position),
    finish: () => Promise.reject(new Error('A scratch file is not stored')),
    discard: async () => undefined,
  }
}

async function listRows({ body }: OpenedTable): Promise<string[][]> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const rows: string[][] = []
  for await (const chunk of body) {
    for (const piece of splitChunk(chunk)) {
      const batch = scanner.push(piece)
      for (let record = 0; record < batch.count; record++) rows.push(listCells(batch, record))
    }
  }
  return rows
}

function notesOf(table: OpenedTable): string[] {
  const problems = createProblemLog()
  table.report(problems)
  table.rows?.report(problems)
  return problems.list().map(({ message }) => message)
}

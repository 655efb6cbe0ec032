import { openFlatOds } from '../../files/tables/flat-ods'
import { openHtml } from '../../files/tables/html'
import { openSpreadsheetMl } from '../../files/tables/spreadsheetml'
import type { TextDocument } from '../../files/tables/text-document'
import type { Workbook } from '../../files/tables/workbook'
import type { ScratchFile } from '../../storage/scratch-file'
import { inChunks } from '../fixtures/file-fixtures'
import { readSheet } from '../fixtures/workbooks'

const MB = 1024 * 1024
const open = { html: openHtml, spreadsheetml: openSpreadsheetMl, fods: openFlatOds }

interface DocumentOptions {
  /** Of what is read at a time. */
  chunkBytes?: number
  maxBytes?: number
  encoding?: string | null
  /** The charset that the server declares. */
  declared?: string | null
  isEnough?: TextDocument['isEnough']
  onRead?: TextDocument['onRead']
}

/** Opens a workbook that is a text, with its scratch files in memory. */
export function openDocument(
  form: keyof typeof open,
  content: string | Buffer,
  {
    chunkBytes,
    maxBytes = 256 * MB,
    encoding = null,
    declared = null,
    onRead = () => undefined,
    ...options
  }: DocumentOptions = {},
): Promise<Workbook> {
  const document: TextDocument = {
    body: inChunks(Buffer.from(content as string), chunkBytes),
    openScratch: async () => createMemoryScratch(),
    maxBytes,
    encoding,
    hints: { declared, previous: null },
    onRead,
    ...options,
  }
  return open[form](document)
}

/** What its first sheet gives. */
export async function readDocument(...document: Parameters<typeof openDocument>) {
  return readSheet(await openDocument(...document))
}

function createMemoryScratch(): ScratchFile {
  let chunks: Buffer[] = []
  const join = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)]
    return chunks[0] ?? Buffer.alloc(0)
  }
  return {
    path: '',
    async write(chunk) {
      chunks.push(Buffer.from(chunk))
    },
    async *read() {
      yield join()
    },
    async readAt(target, position) {
      return join().copy(target, 0, position)
    },
    finish: () => Promise.reject(new Error('It is not finished')),
    discard: async () => undefined,
  }
}

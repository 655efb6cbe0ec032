import type { Archive, ArchiveEntry } from './archive'
import { openOds } from './ods'
import type { TextDocument } from './text-document'
import type { Workbook } from './workbook'

const READ_BYTES = 64 * 1024

/**
 * Opens an OpenDocument spreadsheet that is a single XML file (`.fods`): what archives have in several parts.
 * @throws FileError
 */
export async function openFlatOds({
  body,
  openScratch,
  maxBytes,
  onRead,
}: TextDocument): Promise<Workbook> {
  const scratch = await openScratch('document')
  let sizeBytes = 0
  for await (const chunk of body) {
    await scratch.write(chunk)
    sizeBytes += chunk.length
    onRead(sizeBytes)
  }
  let readBytes = sizeBytes
  const content: ArchiveEntry = {
    path: 'content.xml',
    sizeBytes,
    modifiedAt: null,
    isEncrypted: false,
  }
  const archive: Archive = {
    entries: [content],
    async *read() {
      for (let at = 0; at < sizeBytes; at += READ_BYTES) {
        const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, sizeBytes - at))
        await scratch.readAt(chunk, at)
        onRead((readBytes += chunk.length))
        yield chunk
      }
    },
  }
  return openOds(archive, { maxBytes })
}

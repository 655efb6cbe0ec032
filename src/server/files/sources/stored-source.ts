import { peek } from '../fetch/body-limits'
import { compressionOf, SIGNATURE_BYTES } from '../fetch/decompress'
import { toBody } from '../fetch/fetched-content'
import { localFiles } from '../task-files'
import type { NamedContent } from './source'

/** A file that was sent to us, and is stored. */
export interface StoredSource {
  type: 'STORED'
  /** Path of the stored file. */
  path: string
  /** As its sender calls it. */
  fileName: string
  sizeBytes: number
}

/** Opens it for a reader, which has no files. Its content alone says what it is. */
export async function openStored({
  path,
  fileName,
  sizeBytes,
}: StoredSource): Promise<NamedContent> {
  const file = await localFiles.open(path)
  try {
    const { head, all } = await peek(file.read() as AsyncIterable<Buffer>, SIGNATURE_BYTES)
    const compression = compressionOf(head)
    return {
      kind: 'content',
      fileName,
      body: toBody(all, () => void file.close()),
      etag: null,
      lastModified: null,
      mediaType: '',
      charset: null,
      compression,
      expectedBytes: compression === 'none' ? sizeBytes : null,
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

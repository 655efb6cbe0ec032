/** As much of a document is looked at to find its records. */
export const HEAD_BYTES = 2 * 1024 * 1024

/** A document that can be read from its beginning, once for a preview. */
export interface DocumentSource {
  /** The first `HEAD_BYTES`. */
  head: Buffer
  /** Whether they are all of it. */
  isWhole: boolean
  /** The one that the supplier chose; null to find it in the document. */
  encoding: string | null
  read(): AsyncIterable<Uint8Array>
}

export async function* headOf({ head }: DocumentSource): AsyncGenerator<Buffer> {
  yield head
}

import type { Compression } from '../../../shared/table-forms'

/** The bytes of a file as they were sent, in pieces that arrived together; can be read once. */
export interface FetchedBody extends AsyncIterable<readonly Buffer[]> {
  /** Aborts the transfer, as leaving a `for await` loop over the body does. */
  destroy(): void
}

export interface FetchedContent {
  kind: 'content'
  body: FetchedBody
  etag: string | null
  lastModified: string | null
  /** The `Content-Type` without parameters, in lower case; many servers send a wrong one for CSV. */
  mediaType: string
  /** The `charset` of the `Content-Type`, in lower case; often a server's default, not the file's. */
  charset: string | null
  compression: Compression
  /** Its size as its server says it; null if it does not, or if that is of the compressed file. */
  expectedBytes: number | null
  finalUrl: string
  /** As its server calls the file, or else its address; empty without one. */
  fileName: string
  /** That of the file which fits an address with a pattern; undefined without one. */
  foundName?: string | undefined
}

/** @param destroy called when the body has ended for any reason */
export function toBody(source: AsyncGenerator<Buffer>, destroy: () => void): FetchedBody {
  async function* read() {
    try {
      for await (const chunk of source) yield [chunk]
    } finally {
      destroy()
    }
  }
  return Object.assign(read(), { destroy })
}

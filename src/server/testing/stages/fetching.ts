import { decodeBody } from '../../files/fetch/decoded-body'
import {
  createFileFetcher,
  type FileFetcher,
  type FileFetcherOptions,
} from '../../files/fetch/fetch'
import type { FetchRequest } from '../../files/fetch/fetch-context'
import { FileError } from '../../files/file-error'
import type { SourceContent } from '../../files/sources/source'
import type { SourceServer } from '../servers/source-server'

/** A fetcher that may reach `server` but no other private address. */
export function createLocalFetcher(
  server: SourceServer,
  options: Partial<FileFetcherOptions> = {},
): FileFetcher {
  return createFileFetcher({
    now: Date.now,
    allow: [server.host],
    maxBytes: 8 * 1024 * 1024,
    ...options,
  })
}

/** @param maxBytes of the file, decompressed */
export async function fetchContent(
  fetcher: FileFetcher,
  url: string,
  {
    maxBytes = 8 * 1024 * 1024,
    ...gated
  }: Pick<FetchRequest, 'hosts' | 'enteredHost'> & { maxBytes?: number } = {},
) {
  const { signal } = new AbortController()
  const response = await fetcher.fetch({ url, signal, ...gated })
  if (response.kind !== 'content') throw new Error('Content was expected')
  const destroy = () => response.body.destroy()
  return { ...response, body: Object.assign(decodeBody(response, maxBytes), { destroy }) }
}

/** Reads a file that is fetched, as it was sent; `onBytes` is called with how many have come. */
export async function readWhole(
  response: Awaited<ReturnType<FileFetcher['fetch']>>,
  onBytes?: (bytes: number) => Promise<void>,
) {
  if (response.kind !== 'content') throw new Error('Content was expected')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const some of response.body) {
    pieces.push(...some)
    bytes += some.reduce((sum, { length }) => sum + length, 0)
    await onBytes?.(bytes)
  }
  return { ...response, bytes: Buffer.concat(pieces) }
}

/** The file error that `work` rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<FileError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof FileError)) throw new Error(`No FileError but ${String(error)}`)
  return error
}

/** A source that has been fetched, whose pieces arrive one after the other. */
export function contentOf(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): SourceContent {
  async function* body() {
    for await (const piece of pieces) yield [piece]
  }
  return {
    kind: 'content',
    body: Object.assign(body(), { destroy: () => undefined }),
    etag: null,
    lastModified: null,
    isNamedFull: false,
    mediaType: 'text/csv',
    charset: null,
    compression: 'none',
    expectedBytes: null,
  }
}

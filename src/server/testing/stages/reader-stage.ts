import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll } from 'vitest'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { FileReaders, IngestTask } from '../../files/file-readers'
import type { UrlSource } from '../../files/sources/url-source'
import { type SourceServer, startSourceServer } from '../servers/source-server'

/** What a reader may access. */
type Reach = { allow: string[]; maxBytes: number }
export type OpenReader = (reach: Reach) => FileReaders

export type ReaderStage = ReturnType<typeof openReaderStage>

export const CSV = 'sku,category\r\n1,Boots\r\n2,Hats\r\n'
export const sha256 = (content: string | Buffer) =>
  createHash('sha256').update(content).digest('hex')
export const NO_ROLES = { sku: null, quantity: null, barcode: null, price: null }

/**
 * Opens a file reader, a server of sources and a folder for files for all tests of a `describe`: a process
 * takes a while to start, and tasks do not change its state.
 */
export function openReaderStage(open: OpenReader) {
  let server: SourceServer
  let directory: string
  let reader: FileReaders
  const path = (file: string) => join(directory, file)

  beforeAll(async () => {
    server = await startSourceServer()
    directory = await mkdtemp(join(tmpdir(), 'stockbridge-reader-'))
    const maxBytes = 8 * 1024 * 1024
    reader = open({ allow: [server.host], maxBytes })
  })
  afterAll(async () => {
    await reader.close()
    await server.close()
    await rm(directory, { recursive: true })
  })
  afterEach(async () => {
    for (const file of await readdir(directory)) await rm(path(file))
    server.requests.length = 0
  })

  return {
    get reader() {
      return reader
    },
    get server() {
      return server
    },
    get directory() {
      return directory
    },
    /** Where a file of the folder is. */
    path,
    /** The server's `/feed.csv`, unless `changes` say otherwise. */
    feed: (changes: Partial<UrlSource> = {}): UrlSource => ({
      type: 'URL',
      url: server.url('/feed.csv'),
      ...changes,
    }),
    ingestTask: (): IngestTask => ({
      drafts: {
        source: path('source'),
        table: path('table'),
        rewritten: path('rewritten'),
        keys: path('keys'),
        keyRuns: path('keyRuns'),
        gone: path('gone-items'),
      },
      keys: { roles: NO_ROLES, stockTexts: [] },
      categoryReading: null,
      reading: AUTOMATIC_READING,
      previousEncoding: null,
    }),
  }
}

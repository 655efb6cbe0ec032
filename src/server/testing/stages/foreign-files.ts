import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parse } from 'csv-parse/sync'

import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { compressionOf } from '../../files/fetch/decompress'
import { localFiles } from '../../files/task-files'
import { runTask } from '../../files/tasks/tasks'
import { inChunks } from '../fixtures/file-fixtures'

/** Of a file that another program has written. */
export const MAX_FOREIGN_BYTES = 256 * 1024 * 1024
const { signal } = new AbortController()

/** Reads a file as a sync does. @throws FileError */
export function ingestForeign(bytes: Buffer, reading: SourceReading) {
  return inFolder(async (folder) => {
    const names = ['source', 'table', 'rewritten', 'keys', 'keyRuns', 'gone'] as const
    const drafts = Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Record<
      (typeof names)[number],
      string
    >
    const result = await runTask(
      'ingest',
      {
        drafts,
        keys: { roles: AUTOMATIC_ROLES, stockTexts: [] },
        categoryReading: null,
        reading,
        previousEncoding: null,
      },
      contextOf(bytes),
    )
    if (result.kind !== 'file') throw new Error('The source has no content')
    const rows = parse(await readFile(drafts[result.draft]), { relax_column_count: true })
    const { dialect, problems } = result.report
    return { rows, problems, origin: dialect.origin ?? { sheets: [], member: null } }
  })
}

/** What a supplier sees of a file before it is read. @throws FileError */
export function previewForeign(bytes: Buffer, reading: SourceReading): Promise<SourcePreview> {
  return inFolder(async (folder) => {
    const task = { draft: join(folder, 'source'), reading }
    return (await runTask('preview', task, contextOf(bytes))).preview
  })
}

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-file-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function contextOf(bytes: Buffer) {
  return { files: localFiles, maxBytes: MAX_FOREIGN_BYTES, signal, content: contentOf(bytes) }
}

/** What a fetched file brings, compressed or not. */
export function contentOf(bytes: Buffer) {
  async function* body() {
    for await (const chunk of inChunks(bytes)) yield [chunk]
  }
  return {
    kind: 'content' as const,
    body: Object.assign(body(), { destroy: () => undefined }),
    etag: null,
    lastModified: null,
    isNamedFull: false,
    mediaType: '',
    charset: null,
    compression: compressionOf(bytes),
    expectedBytes: bytes.length,
  }
}

export const withPlainLineEnds = (cell = '') => cell.replaceAll('\r\n', '\n')

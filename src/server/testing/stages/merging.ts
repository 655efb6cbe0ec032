import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { Removal } from '../../../shared/schemas/updates'
import { toBody } from '../../files/fetch/fetched-content'
import { FileError } from '../../files/file-error'
import type { FileTasks, UpdateBase } from '../../files/file-readers'
import { localFiles } from '../../files/task-files'
import { runTask } from '../../files/tasks/tasks'
import { inChunks } from '../fixtures/file-fixtures'

type Ingested = FileTasks['ingest']['result'] & { kind: 'file' }

export interface MergeSettings {
  removal?: Removal | null
  fullName?: string | null
  reading?: Partial<SourceReading>
  /** The column of keys of full files. */
  sku?: string | null
  chunkBytes?: number
  knownSha256?: string | null
}

export type Merged = { text: string; base: UpdateBase; result: Ingested }

/** Merges updates onto full files, as an ingest does, in a folder that `close` removes. */
export async function openMerging() {
  const folder = await mkdtemp(join(tmpdir(), 'merging-'))
  let count = 0

  async function ingest(
    source: string | Buffer,
    {
      base,
      isFull = null,
      ...settings
    }: MergeSettings & { base?: UpdateBase; isFull?: boolean | null },
  ) {
    const own = `${++count}`
    const path = (name: string) => join(folder, `${own}-${name}`)
    const drafts = {
      source: path('source'),
      table: path('table'),
      rewritten: path('rewritten'),
      keys: path('keys'),
      keyRuns: path('keyRuns'),
      gone: path('gone'),
    }
    const { removal = null, fullName = null, sku = null, knownSha256 = null } = settings
    const task = {
      drafts,
      keys: { roles: { ...AUTOMATIC_ROLES, sku }, stockTexts: [] },
      categoryReading: null,
      reading: { ...AUTOMATIC_READING, ...settings.reading },
      previousEncoding: null,
      updates: {
        removal,
        fullName,
        isFull,
        knownSha256,
        base: base ?? { whyNone: 'Nothing yet.' },
      },
    }
    const bytes = Buffer.from(source)
    const content = {
      kind: 'content' as const,
      body: toBody(inChunks(bytes, settings.chunkBytes), () => undefined),
      etag: null,
      lastModified: null,
      mediaType: 'text/csv',
      charset: null,
      compression: 'none' as const,
      expectedBytes: bytes.length,
      isNamedFull: false,
    }
    const { signal } = new AbortController()
    const context = { files: localFiles, content, maxBytes: 1e9, signal }
    const result = await runTask('ingest', task, context)
    return { result, drafts }
  }

  async function read(
    source: string | Buffer,
    given: Parameters<typeof ingest>[1],
  ): Promise<Merged> {
    const { result, drafts } = await ingest(source, given)
    if (result.kind !== 'file') throw new Error(`Nothing was merged: ${result.kind}`)
    const file = drafts[result.draft]
    const { keys, report } = result
    const base: UpdateBase = {
      file,
      keys: drafts.keys,
      keysBytes: keys?.content.sizeBytes ?? 0,
      keyColumn: keys?.column ?? '',
      hasHeader: report.dialect.hasHeader,
      categoryColumn: report.categoryReading?.column ?? null,
    }
    return { text: await readFile(file, 'utf8'), base, result }
  }

  return {
    ingest,
    /** Reads a full file. */
    full: (source: string | Buffer, settings: MergeSettings = {}) =>
      read(source, { ...settings, isFull: true }),
    /** Merges an update onto what came of another file. */
    update: ({ base }: Merged, source: string | Buffer, settings: MergeSettings = {}) =>
      read(source, { ...settings, base }),
    /** The error that an update is refused with. */
    async refusal({ base }: Merged, source: string | Buffer, settings: MergeSettings = {}) {
      const error = await ingest(source, { ...settings, base }).catch((reason: unknown) => reason)
      if (!(error instanceof FileError)) throw new Error(`No FileError but ${String(error)}`)
      return error
    },
    /** The scratch files that are left besides those of results. */
    leftovers: async () =>
      (await readdir(folder)).filter((name) => /-(?:update|runs)\b/.test(name)),
    close: () => rm(folder, { recursive: true }),
  }
}

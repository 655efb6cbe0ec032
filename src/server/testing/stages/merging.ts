import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { type JoinChoices, joinChoicesSchema } from '../../../shared/schemas/overlay'
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

/** A second file, whose rows are joined to those of the first. */
export interface JoinedOverlay extends Partial<JoinChoices> {
  bytes: string | Buffer
  reading?: Partial<SourceReading>
}

export type Merged = { text: string; base: UpdateBase; result: Ingested }

const CONTENT = {
  kind: 'content',
  etag: null,
  lastModified: null,
  mediaType: 'text/csv',
  charset: null,
  compression: 'none',
} as const

/** Stores an overlay as it is when a reader gets it. */
async function storeOverlay(file: string, { bytes, reading, ...choices }: JoinedOverlay) {
  const stored = Buffer.from(bytes)
  await writeFile(file, stored)
  return {
    task: {
      file,
      reading: { ...AUTOMATIC_READING, ...reading },
      choices: joinChoicesSchema.parse(choices),
    },
    content: { ...CONTENT, expectedBytes: stored.length, sizeBytes: stored.length },
  }
}

async function refusalOf(work: Promise<unknown>): Promise<FileError> {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof FileError)) throw new Error(`No FileError but ${String(error)}`)
  return error
}

/** Merges updates onto full files, and joins overlays to files, as an ingest does, in a folder that `close` removes. */
export async function openMerging() {
  const folder = await mkdtemp(join(tmpdir(), 'merging-'))
  let count = 0

  async function ingest(
    source: string | Buffer,
    {
      base,
      isFull = null,
      overlay,
      maxBytes = 1e9,
      ...settings
    }: MergeSettings & {
      base?: UpdateBase
      isFull?: boolean | null
      overlay?: JoinedOverlay
      maxBytes?: number
    },
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
    const joined = overlay && (await storeOverlay(path('overlay'), overlay))
    const task = {
      drafts,
      keys: { roles: { ...AUTOMATIC_ROLES, sku }, stockTexts: [] },
      categoryReading: null,
      reading: { ...AUTOMATIC_READING, ...settings.reading },
      previousEncoding: null,
      ...(joined
        ? { overlay: joined.task }
        : {
            updates: {
              removal,
              fullName,
              isFull,
              knownSha256,
              base: base ?? { whyNone: 'Nothing yet.' },
            },
          }),
    }
    const bytes = Buffer.from(source)
    const content = {
      ...CONTENT,
      body: toBody(inChunks(bytes, settings.chunkBytes), () => undefined),
      expectedBytes: bytes.length,
      isNamedFull: false,
      ...(joined && { overlay: joined.content }),
    }
    const { signal } = new AbortController()
    const context = { files: localFiles, content, maxBytes, signal }
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
    /** Joins an overlay to a file. */
    join: (source: string | Buffer, overlay: JoinedOverlay, settings: MergeSettings = {}) =>
      read(source, { ...settings, overlay }),
    /** The error that an update is refused with. */
    refusal: ({ base }: Merged, source: string | Buffer, settings: MergeSettings = {}) =>
      refusalOf(ingest(source, { ...settings, base })),
    /** The error that an overlay is refused with. */
    joinRefusal: (
      source: string | Buffer,
      overlay: JoinedOverlay,
      settings: MergeSettings & { maxBytes?: number } = {},
    ) => refusalOf(ingest(source, { ...settings, overlay })),
    /** The scratch files that are left besides those of results. */
    leftovers: async () =>
      (await readdir(folder)).filter((name) => /-(?:update|runs|part|overlay-.*)\b/.test(name)),
    close: () => rm(folder, { recursive: true }),
  }
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import type { CategoryReading } from '../../../../shared/schemas/file'
import { createFileFetcher } from '../../../files/fetch/fetch'
import { FileError } from '../../../files/file-error'
import type { FileTasks, TaskKind, UpdateTask } from '../../../files/file-readers'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import { raw } from '../../servers/fault-server'
import { startSourceServer } from '../../servers/source-server'
import { createInlineReader } from '../../stages/reader-inline'
import type { SentFile } from './sent-file'

/** An ingested file, with its key file if it has one. */
export interface StoredFile {
  file: string
  columns: string[]
  categoryReading: CategoryReading | null
  keyed: { file: string; keys: string; keysBytes: number; keyColumn: string } | null
}

/** The program's argument: where cases have their files. */
export const folder = process.argv[2] ?? ''

type Stage = Awaited<ReturnType<typeof startStage>>
let stage: Promise<Stage> | undefined

/** What tasks over files work with, in this process. */
export const openStage = (): Promise<Stage> => (stage ??= startStage())

async function startStage() {
  const server = await startSourceServer()
  const allow = [server.host]
  const maxBytes = 1e9
  const fetcher = createFileFetcher({ allow, maxBytes, now: Date.now })
  const readers = createInlineReader(fetcher, maxBytes)
  const stored = new Map<string, Promise<StoredFile | null>>()
  return {
    host: server.host,
    source: { type: 'URL', url: server.url('/file') } as const,
    overlay: { type: 'URL', url: server.url('/overlay') } as const,
    /** Sets the bytes of the next answers, with their head. */
    answer: (...parts: Uint8Array[]) => server.set('/file', { handler: sending(parts) }),
    answerOverlay: (...parts: Uint8Array[]) => server.set('/overlay', { handler: sending(parts) }),
    path: (name: string) => join(folder, name),
    run: <Kind extends TaskKind>(
      kind: Kind,
      task: FileTasks[Kind]['task'],
      onProgress: () => void,
      source?: OpenableSource,
    ) => readers.run(kind, task, { source, onProgress, signal: new AbortController().signal }),
    /** Ingests a file, once for all tasks; null when it is refused. */
    store(name: string, size: number, make: (size: number) => SentFile) {
      const id = `${name} ${size}`
      const file = stored.get(id) ?? store(make(size), join(folder, `stored-${stored.size}`))
      stored.set(id, file)
      return file
    },
  }
}

const sending = (parts: Uint8Array[]) =>
  raw((socket) => {
    for (const part of parts) socket.write(part)
    socket.end()
  })

const HEAD = Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')

/** A source that answers with a file. */
export async function openSource(bytes: Buffer) {
  const { answer, source } = await openStage()
  answer(HEAD, bytes)
  return source
}

async function store(file: SentFile, own: string): Promise<StoredFile | null> {
  const result = await ingest(file, own)
  if (result?.kind !== 'file') return null
  const { report, keys } = result
  const path = join(own, result.draft)
  return {
    file: path,
    columns: report.columns,
    categoryReading: report.categoryReading,
    keyed: keys && {
      file: path,
      keys: join(own, 'keys'),
      keysBytes: keys.content.sizeBytes,
      keyColumn: keys.column,
    },
  }
}

/** Reads a file from its source, and writes the drafts into a folder. */
export async function ingest(
  { bytes, reading }: SentFile,
  own: string,
  sample = () => {},
  { updates, overlay }: { updates?: UpdateTask; overlay?: SentFile } = {},
) {
  const { run, answerOverlay, overlay: second } = await openStage()
  await mkdir(own, { recursive: true })
  const draft = (name: string) => join(own, name)
  // Many of the files begin so.
  const isNamed = bytes.subarray(0, 4).toString() === 'a,b\n'
  const task = {
    drafts: {
      source: draft('source'),
      table: draft('table'),
      rewritten: draft('rewritten'),
      keys: draft('keys'),
      keyRuns: draft('keyRuns'),
      gone: draft('gone'),
    },
    keys: {
      roles: { ...AUTOMATIC_ROLES, ...(isNamed && { sku: 'a', quantity: 'b' }) },
      stockTexts: [],
    },
    categoryReading: null,
    reading,
    previousEncoding: null,
    updates,
    ...(overlay && {
      overlay: {
        file: draft('overlay'),
        reading: overlay.reading,
        choices: { onlyInFile: 'keep', onlyInOverlay: 'keep' } as const,
      },
    }),
  }
  if (overlay) answerOverlay(HEAD, overlay.bytes)
  const source = {
    ...(await openSource(bytes)),
    ...(overlay && { overlay: { source: second, file: draft('overlay') } }),
  }
  return unlessRefused(run('ingest', task, sample, source))
}

/** Ignores refusals: they end the work early. */
export function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof FileError) return undefined
    throw error
  })
}

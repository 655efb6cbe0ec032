import { createReadStream } from 'node:fs'

import { openScratchFile } from '../../storage/scratch-file'
import { browseFile } from '../browse'
import { compressBytes } from '../compress'
import type { FileFetcher } from '../fetch/fetch'
import type {
  BrowseTask,
  CompressTask,
  FileTasks,
  FilterTask,
  IngestTask,
  PreviewTask,
  SampleTask,
  StockTextsTask,
  TaskKind,
  TaskOptions,
  TaskProgress,
} from '../file-readers'
import { filterFile } from '../filter'
import { ingestFile } from '../ingest'
import { previewFile } from '../preview'
import { openCsv } from '../sources/open-csv'
import type { CsvContent } from '../sources/source'
import { countStockTexts } from '../stock-texts'
import { comparison, comparisonList, delta, goneItems, openSelection } from './keyed-tasks'

/** What a task needs, in whichever process it runs. */
export interface TaskContext extends TaskOptions {
  fetcher: FileFetcher
}

type Runners = {
  [Kind in TaskKind]: (
    task: FileTasks[Kind]['task'],
    context: TaskContext,
  ) => Promise<FileTasks[Kind]['result']>
}

const runners: Runners = {
  ingest,
  preview,
  filter,
  sample,
  stockTexts,
  browse,
  comparison,
  comparisonList,
  goneItems,
  delta,
  compress,
}

/** Runs a task in this process. @throws FileError, the signal's reason, or a file system error */
export function runTask<Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
  context: TaskContext,
): Promise<FileTasks[Kind]['result']> {
  return runners[kind](task, context)
}

async function ingest(
  { source, ...task }: IngestTask,
  { fetcher, signal, hosts, onProgress }: TaskContext,
): Promise<FileTasks['ingest']['result']> {
  const response = await openCsv(source, { fetcher, hosts, signal })
  if (response.kind === 'unchanged') return { kind: 'unchanged' }
  try {
    return await store(response, task, { signal, onProgress })
  } finally {
    // Ends the transfer when the body was not read to its end, after a disk error for example.
    response.body.destroy()
  }
}

async function store(
  { body, compression, expectedBytes, etag, lastModified, mediaType, charset }: CsvContent,
  {
    drafts,
    keys: keyColumns,
    previousEncoding,
    previousHeader,
    ...reading
  }: Omit<IngestTask, 'source'>,
  { signal, onProgress }: TaskOptions,
): Promise<FileTasks['ingest']['result']> {
  onProgress?.({ bytes: 0, rows: 0, expectedBytes })
  // The first draft holds the source; each attempt to rewrite it starts over in the second file.
  let isSourceOpen = false
  const openDraft = () => {
    const path = isSourceOpen ? drafts.rewritten : drafts.source
    isSourceOpen = true
    return openScratchFile(path)
  }
  const { draft, report, keys } = await ingestFile(body, {
    ...reading,
    openDraft,
    keys: {
      ...keyColumns,
      openDraft: (content) => openScratchFile(content === 'keys' ? drafts.keys : drafts.keyRuns),
    },
    compression,
    encodingHints: { declared: charset, previous: previousEncoding },
    knownHeader: previousHeader,
    signal,
    onProgress: (progress) => onProgress?.({ ...progress, expectedBytes }),
  })
  return {
    kind: 'file',
    draft: draft.path === drafts.source ? 'source' : 'rewritten',
    content: await draft.finish(),
    keys: keys && { ...keys.facts, content: await keys.draft.finish() },
    report,
    etag,
    lastModified,
    mediaType,
  }
}

async function preview(
  { source, reading, previousHeader: knownHeader }: PreviewTask,
  { fetcher, signal, onProgress }: TaskContext,
): Promise<FileTasks['preview']['result']> {
  const response = await openCsv(source, { fetcher, signal })
  // Without validators in the request, `unchanged` is impossible.
  if (response.kind === 'unchanged') throw new Error('The server sent no file for a preview')
  const { compression, charset, mediaType } = response
  const body = counted(response.body, onProgress)
  const hints = { declared: charset, previous: null }
  return {
    preview: await previewFile(body, compression, { hints, reading, knownHeader }),
    mediaType,
  }
}

async function filter(
  { file, draft: path, ...selection }: FilterTask,
  { signal, onProgress }: TaskContext,
): Promise<FileTasks['filter']['result']> {
  const draft = await openScratchFile(path)
  try {
    const opened = await openSelection(file, selection, signal)
    const { isWhole: _, ...rows } = await readStored(file, 0, onProgress, (bytes) =>
      filterFile(bytes, { ...opened, signal }, (chunk) => draft.write(chunk)),
    )
    return { content: await draft.finish(), ...rows }
  } catch (error) {
    await draft.discard()
    throw error
  }
}

async function sample({ file, ...options }: SampleTask, { signal, onProgress }: TaskContext) {
  const opened = await openSelection(file, options, signal)
  return readStored(file, 0, onProgress, (bytes) =>
    filterFile(bytes, { ...opened, signal }, async () => undefined),
  )
}

function stockTexts({ file, ...options }: StockTextsTask, { signal, onProgress }: TaskContext) {
  return readStored(file, 0, onProgress, (bytes) => countStockTexts(bytes, { ...options, signal }))
}

function browse({ file, ...options }: BrowseTask, { signal, onProgress }: TaskContext) {
  return readStored(file, options.from.offset, onProgress, (bytes) =>
    browseFile(bytes, { ...options, signal }),
  )
}

/** Reads a stored file from a byte on; no more of it than `read` takes. */
async function readStored<Result>(
  file: string,
  start: number,
  onProgress: TaskContext['onProgress'],
  read: (bytes: AsyncIterable<Buffer>) => Promise<Result>,
): Promise<Result> {
  const source = createReadStream(file, { start, highWaterMark: 64 * 1024 })
  try {
    return await read(counted(source as AsyncIterable<Buffer>, onProgress))
  } finally {
    source.destroy()
  }
}

async function compress(
  { file, draft: path, coding }: CompressTask,
  { signal, onProgress }: TaskContext,
): Promise<FileTasks['compress']['result']> {
  const draft = await openScratchFile(path)
  try {
    await readStored(file, 0, onProgress, (bytes) =>
      compressBytes(bytes, { coding, signal }, (chunk) => draft.write(chunk)),
    )
    return { content: await draft.finish() }
  } catch (error) {
    await draft.discard()
    throw error
  }
}

async function* counted(
  source: AsyncIterable<Buffer>,
  onProgress: ((progress: TaskProgress) => void) | undefined,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    yield chunk
    bytes += chunk.length
    onProgress?.({ bytes, rows: 0, expectedBytes: null })
  }
}

import { browseFile } from '../browse'
import { compressBytes } from '../compress'
import { decodeBody } from '../fetch/decoded-body'
import type {
  BrowseTask,
  CompressTask,
  FileTasks,
  FilterTask,
  SampleTask,
  StockTextsTask,
  TaskKind,
  TaskProgress,
} from '../file-readers'
import { filterFile } from '../filter'
import { ingestFile } from '../ingest'
import { previewFile } from '../preview'
import { countStockTexts } from '../stock-texts'
import { comparison, comparisonList, delta, goneItems, openSelection } from './keyed-tasks'
import type { ReadTask, TaskContext } from './task-context'

type Runners = {
  [Kind in TaskKind]: (
    task: ReadTask<Kind>,
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
  task: ReadTask<Kind>,
  context: TaskContext,
): Promise<FileTasks[Kind]['result']> {
  return runners[kind](task, context)
}

async function ingest(
  { drafts, keys: keyColumns, previousEncoding, previousHeader, ...reading }: ReadTask<'ingest'>,
  context: TaskContext,
): Promise<FileTasks['ingest']['result']> {
  const { files, signal, onProgress } = context
  const { body, compression, expectedBytes, etag, lastModified, mediaType, charset } =
    decodeContent(context)
  onProgress?.({ bytes: 0, rows: 0, expectedBytes })
  // The first draft holds the source; each attempt to rewrite it starts over in the second file.
  let isSourceOpen = false
  const openDraft = () => {
    const path = isSourceOpen ? drafts.rewritten : drafts.source
    isSourceOpen = true
    return files.openScratch(path)
  }
  const { draft, report, keys } = await ingestFile(body, {
    ...reading,
    openDraft,
    keys: {
      ...keyColumns,
      openDraft: (content) => files.openScratch(content === 'keys' ? drafts.keys : drafts.keyRuns),
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
  { reading, previousHeader: knownHeader }: ReadTask<'preview'>,
  context: TaskContext,
): Promise<FileTasks['preview']['result']> {
  const { body, compression, charset, mediaType } = decodeContent(context)
  const hints = { declared: charset, previous: null }
  const options = { hints, reading, knownHeader }
  return {
    preview: await previewFile(counted(body, context.onProgress), compression, options),
    mediaType,
  }
}

function decodeContent({ content, maxBytes }: TaskContext) {
  if (!content) throw new Error('A task with a source has no content')
  return { ...content, body: decodeBody(content, maxBytes) }
}

async function filter(
  { file, draft: path, ...selection }: FilterTask,
  context: TaskContext,
): Promise<FileTasks['filter']['result']> {
  const { files, signal } = context
  const draft = await files.openScratch(path)
  try {
    const opened = await openSelection(file, selection, context)
    const { isWhole: _, ...rows } = await readStored(file, 0, context, (bytes) =>
      filterFile(bytes, { ...opened, signal }, (chunk) => draft.write(chunk)),
    )
    return { content: await draft.finish(), ...rows }
  } catch (error) {
    await draft.discard()
    throw error
  }
}

async function sample({ file, ...options }: SampleTask, context: TaskContext) {
  const { signal } = context
  const opened = await openSelection(file, options, context)
  return readStored(file, 0, context, (bytes) =>
    filterFile(bytes, { ...opened, signal }, async () => undefined),
  )
}

function stockTexts({ file, ...options }: StockTextsTask, context: TaskContext) {
  const { signal } = context
  return readStored(file, 0, context, (bytes) => countStockTexts(bytes, { ...options, signal }))
}

function browse({ file, ...options }: BrowseTask, context: TaskContext) {
  const { signal } = context
  return readStored(file, options.from.offset, context, (bytes) =>
    browseFile(bytes, { ...options, signal }),
  )
}

/** Reads a stored file from a byte on; no more of it than `read` takes. */
async function readStored<Result>(
  path: string,
  start: number,
  { files, onProgress }: TaskContext,
  read: (bytes: AsyncIterable<Buffer>) => Promise<Result>,
): Promise<Result> {
  const file = await files.open(path)
  try {
    return await read(counted(file.read(start), onProgress))
  } finally {
    await file.close()
  }
}

async function compress(
  { file, draft: path, coding }: CompressTask,
  context: TaskContext,
): Promise<FileTasks['compress']['result']> {
  const { files, signal } = context
  const draft = await files.openScratch(path)
  try {
    await readStored(file, 0, context, (bytes) =>
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

import type { Origin } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { ScratchFile } from '../../storage/scratch-file'
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
import type { SourceContent } from '../sources/source'
import { countStockTexts } from '../stock-texts'
import { openTable, type OpenedTable } from '../tables/open-table'
import { comparePublished } from './compare-published'
import { comparison, comparisonList, delta, goneItems, openSelection } from './keyed-tasks'
import type { TaskContext } from './task-context'

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
  { previousEncoding, previousHeader, published, ...task }: FileTasks['ingest']['task'],
  context: TaskContext,
): Promise<FileTasks['ingest']['result']> {
  const { drafts } = task
  const { files, signal, onProgress } = context
  const { compression, expectedBytes, etag, lastModified, mediaType, charset } = contentOf(context)
  let progress: TaskProgress = { bytes: 0, rows: 0, expectedBytes }
  onProgress?.(progress)
  const choice = { ...task, draft: drafts.source, isPreview: false }
  return withTable(choice, context, async (table) => {
    // Each attempt to rewrite the table starts over in the second file.
    const names = [table.isContained ? 'table' : 'source', 'rewritten'] as const
    let opened = 0
    const openDraft = () => files.openScratch(drafts[names[opened++ === 0 ? 0 : 1]])
    const { draft, report, keys } = await ingestFile(table.body, {
      ...task,
      openDraft,
      table,
      keys: {
        ...task.keys,
        openDraft: (content) =>
          files.openScratch(content === 'keys' ? drafts.keys : drafts.keyRuns),
      },
      compression,
      encodingHints: { declared: charset, previous: previousEncoding },
      knownHeader: previousHeader,
      signal,
      onProgress(step) {
        progress = { ...step, expectedBytes: table.isContained ? null : expectedBytes }
        onProgress?.(progress)
      },
    })
    const written = {
      content: await draft.finish(),
      keys: keys && { ...keys.facts, content: await keys.draft.finish() },
      report,
    }
    const comparing = {
      ...context,
      onProgress: ({ bytes: storedBytes }: TaskProgress) =>
        onProgress?.({ ...progress, storedBytes }),
    }
    const changes = published
      ? await comparePublished(published, { path: draft.path, ...written }, task, comparing)
      : null
    const name = names.find((each) => drafts[each] === draft.path) ?? 'rewritten'
    return { kind: 'file', draft: name, ...written, changes, etag, lastModified, mediaType }
  })
}

async function preview(
  { previousHeader: knownHeader, ...task }: FileTasks['preview']['task'],
  context: TaskContext,
): Promise<FileTasks['preview']['result']> {
  const { compression, charset, mediaType } = contentOf(context)
  const hints = { declared: charset, previous: null }
  return withTable({ ...task, isPreview: true }, context, async (table) => ({
    preview: await previewFile(counted(table.body, context.onProgress), compression, {
      hints,
      reading: task.reading,
      knownHeader,
      table,
    }),
    mediaType,
  }))
}

function contentOf({ content }: TaskContext): SourceContent {
  if (!content) throw new Error('A task with a source has no content')
  return content
}

interface TableTask {
  reading: SourceReading
  previousOrigin?: Origin | undefined
  isPreview: boolean
  /** Path of the scratch file for a container. */
  draft: string
}

/** Opens the table of a task's source for as long as `use` takes. */
async function withTable<Result>(
  { reading, previousOrigin: previous, isPreview, draft }: TableTask,
  context: TaskContext,
  use: (table: OpenedTable) => Promise<Result>,
): Promise<Result> {
  const { files, maxBytes, onProgress } = context
  const content = contentOf(context)
  const containers: ScratchFile[] = []
  try {
    const table = await openTable(decodeBody(content, maxBytes), {
      reading,
      previous,
      isPreview,
      maxBytes,
      async openScratch(name) {
        const scratch = await files.openScratch(name === 'source' ? draft : `${draft}-${name}`)
        containers.push(scratch)
        return scratch
      },
      onUnpacked: (bytes) => onProgress?.({ bytes, rows: 0, expectedBytes: content.expectedBytes }),
    })
    return await use(table)
  } finally {
    await Promise.all(containers.map((scratch) => scratch.discard()))
  }
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

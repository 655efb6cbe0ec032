import type { ScratchFile } from '../../storage/scratch-file'
import { atAddress } from '../at-address'
import { browseFile } from '../browse'
import { compressBytes } from '../compress'
import { peek } from '../fetch/body-limits'
import { FileError } from '../file-error'
import type {
  BrowseTask,
  CompressTask,
  FilteredFile,
  FileTasks,
  FilterTask,
  IngestTask,
  PreviewTask,
  ReadOverlay,
  ReadUpdate,
  SampleTask,
  StockTextsTask,
  TaskKind,
  TaskProgress,
} from '../file-readers'
import { filterFile, type FilteredRows, filterTogether, type OpenedView } from '../filter'
import { ingestFile, type IngestOptions } from '../ingest'
import { readMail } from '../mail/read-mail'
import { MAX_PREVIEW_BYTES, previewFile } from '../preview'
import { countStockTexts } from '../stock-texts'
import { unlockKey } from '../unlock-key'
import { comparePublished } from './compare-published'
import { digest } from './digest'
import { historyChanges, historyFold, historyJoin } from './history'
import {
  changedItems,
  comparison,
  comparisonList,
  delta,
  goneItems,
  openSelection,
} from './keyed-tasks'
import { openInTurn } from './merged-file'
import { matching, mergedFile, partFile } from './merged-tasks'
import { ingestJoined, previewJoined } from './overlay-tasks'
import type { TaskContext } from './task-context'
import { ingestUpdate, previewUpdate } from './update-tasks'
import { contentOf, withTable } from './with-table'

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
  changedItems,
  comparisonList,
  goneItems,
  delta,
  digest,
  historyChanges,
  historyFold,
  historyJoin,
  partFile,
  mergedFile,
  matching,
  compress,
  readMail: ({ file, draft, authHost }, context) =>
    readStored(file, 0, context, (bytes) =>
      readMail(bytes, { authHost, openDraft: () => context.files.openScratch(draft) }),
    ),
  unlockKey: async (task) => ({ privateKey: await unlockKey(task) }),
}

/** Runs a task in this process. @throws FileError, the signal's reason, or a file system error */
export function runTask<Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
  context: TaskContext,
): Promise<FileTasks[Kind]['result']> {
  return runners[kind](task, context)
}

type Ingested = Awaited<ReturnType<typeof ingestFile<ScratchFile, ScratchFile>>> & {
  update?: ReadUpdate | null
  overlay?: ReadOverlay | null
}

/** Names scratch files after one, which has the source itself. */
const scratchAfter = (draft: string) => (name: string) =>
  name === 'source' ? draft : `${draft}-${name}`

/** The drafts that may have the canonical file. */
const DRAFTS = ['source', 'table', 'rewritten'] as const

async function ingest(
  {
    drafts,
    keys: keyColumns,
    previousEncoding,
    previousHeader,
    updates,
    overlay,
    published,
    ...task
  }: IngestTask,
  context: TaskContext,
): Promise<FileTasks['ingest']['result']> {
  const { signal, onProgress } = context
  const { compression, expectedBytes, etag, lastModified, mediaType, charset } = contentOf(context)
  let progress: TaskProgress
  const note = (step: TaskProgress) => {
    progress = step
    onProgress?.(step)
  }
  note({ bytes: 0, rows: 0, expectedBytes })
  const hints = { declared: charset, previous: previousEncoding }
  const choice = {
    ...task,
    hints,
    isPreview: false,
    scratchOf: scratchAfter(drafts.source),
    address: overlay && ('first' as const),
  }
  return withTable(choice, context, async (table, receivedBytes) => {
    const options: Omit<IngestOptions<ScratchFile, ScratchFile>, 'openDraft' | 'keys'> = {
      ...task,
      table,
      compression,
      encodingHints: hints,
      knownHeader: previousHeader,
      signal,
      onProgress: (step) =>
        note({ ...step, expectedBytes: table.isContained ? null : expectedBytes }),
    }
    const ingestTable = () => {
      // Each attempt to rewrite the table starts over in the second file.
      const openDraft = openInTurn(context, {
        rows: [table.isContained ? drafts.table : drafts.source, drafts.rewritten],
        keys: [drafts.keys],
        runs: [drafts.keyRuns],
      })
      const keys = { ...keyColumns, openDraft }
      return ingestFile(table.body, { ...options, openDraft: () => openDraft('rows'), keys })
    }
    const chosen = { drafts, keys: keyColumns }
    const noting = { ...context, onProgress: note }
    const ingested = updates
      ? await ingestUpdate({ table, updates }, chosen, options, noting)
      : overlay
        ? await ingestJoined({ table, receivedBytes, overlay }, chosen, options, noting)
        : await ingestTable()
    if (!ingested) return { kind: 'known', etag, lastModified }
    const { draft, report, keys, update = null, overlay: joined = null }: Ingested = ingested
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
      ? await comparePublished(published, { path: draft.path, ...written }, chosen, comparing)
      : null
    const name = DRAFTS.find((each) => drafts[each] === draft.path) ?? 'rewritten'
    const read = { ...written, changes, update, overlay: joined }
    return { kind: 'file', draft: name, ...read, etag, lastModified, mediaType }
  })
}

async function preview(
  { previousHeader: knownHeader, updates, overlay, draft, ...task }: PreviewTask,
  context: TaskContext,
): Promise<FileTasks['preview']['result']> {
  const { compression, charset, mediaType } = contentOf(context)
  const { reading } = task
  const hints = { declared: charset, previous: null }
  const choice = {
    ...task,
    hints,
    isPreview: true,
    scratchOf: scratchAfter(draft),
    address: overlay && ('first' as const),
  }
  return withTable(choice, context, async (table, receivedBytes) => {
    const body = counted(table.body, context.onProgress)
    const options = { reading, knownHeader, table }
    if (!updates && !overlay) {
      return { preview: await previewFile(body, compression, { ...options, hints }), mediaType }
    }
    const { head, all } = await peek(body, MAX_PREVIEW_BYTES + 1)
    const removesRows = updates !== undefined && updates.removal !== null
    const read = () => previewFile(all, compression, { ...options, hints, removesRows })
    const found = await (overlay ? atAddress('first', read) : read())
    const { signal } = context
    const given = { ...options, compression, encodingHints: hints, signal }
    const part = { preview: found, bytes: head, draft }
    const merged = updates
      ? previewUpdate({ table, updates }, part, given, context)
      : overlay && previewJoined({ table, receivedBytes, overlay }, part, given, context)
    return { preview: (await merged) ?? found, mediaType }
  })
}

async function filter(
  { file, categoryReading, views }: FilterTask,
  context: TaskContext,
): Promise<FileTasks['filter']['result']> {
  const { files, signal } = context
  const drafts: ScratchFile[] = []
  try {
    const opened: (OpenedView | FileError)[] = []
    for (const { draft: path, ...selection } of views) {
      const draft = await files.openScratch(path)
      drafts.push(draft)
      const found = await openSelection(file, selection, context).catch(asFileError)
      const write: OpenedView['write'] = (chunk) => draft.write(chunk)
      opened.push(found instanceof FileError ? found : { ...found, write })
    }
    const readable = opened.filter((view): view is OpenedView => !(view instanceof FileError))
    const read = await readStored(file, 0, context, (bytes) =>
      filterTogether(bytes, readable, { categoryReading, until: undefined, signal }),
    )
    const results = opened.map((view) => (view instanceof FileError ? view : read.shift()))
    const written = results.map((rows, place) => finishFiltered(rows, drafts[place] as ScratchFile))
    return { files: await Promise.all(written) }
  } catch (error) {
    for (const draft of drafts) await draft.discard()
    throw error
  }
}

async function finishFiltered(
  rows: FilteredRows | FileError | undefined,
  draft: ScratchFile,
): Promise<FilteredFile> {
  if (!rows || rows instanceof FileError) {
    await draft.discard()
    if (!rows) throw new Error('A filtered file has no rows')
    return { kind: 'refused', code: rows.code, message: rows.message }
  }
  const { isWhole: _, ...written } = rows
  return { kind: 'written', content: await draft.finish(), ...written }
}

/** @throws any other error */
function asFileError(error: unknown): FileError {
  if (error instanceof FileError) return error
  throw error
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

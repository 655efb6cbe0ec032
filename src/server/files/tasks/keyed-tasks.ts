import type { ScratchFile } from '../../storage/scratch-file'
import { listChanges } from '../comparison/list-changes'
import { writeComparison } from '../comparison/write-comparison'
import { type DeltaSource, writeDelta } from '../delta'
import type {
  ChangedItemsTask,
  ComparisonListTask,
  DeltaTask,
  ComparisonTask,
  FileTasks,
  FilteredView,
  GoneItemsTask,
  KeyedPaths,
} from '../file-readers'
import { filterFile } from '../filter'
import { findGone } from '../gone/find-gone'
import { compareFiles, type KeyedFile } from '../keys/compare-files'
import { createStoredRows } from '../keys/stored-rows'
import { judgeCosts } from '../pricing/judge-costs'
import { findPricedColumns } from '../pricing/priced-columns'
import { readPriced } from '../pricing/priced-rows'
import { findKeyPlace } from '../shop-formats/key-place'
import { judgeScales } from '../shop-formats/parquet/judge-scales'
import { judgeNumbers } from '../shop-formats/quantity-numbers'
import type { OpenFile } from '../task-files'
import type { TaskContext } from './task-context'

type StoredFiles = ReturnType<typeof createStoredFiles>

/** Files that are opened when they are first read, once each; counts the bytes that are read of them. */
function createStoredFiles({ files, onProgress }: Pick<TaskContext, 'files' | 'onProgress'>) {
  const opened = new Map<string, Promise<OpenFile>>()
  let bytes = 0
  const open = (path: string) => {
    const file = opened.get(path) ?? files.open(path)
    opened.set(path, file)
    return file
  }
  const count = (length: number) => {
    bytes += length
    onProgress?.({ bytes, rows: 0, expectedBytes: null })
  }
  return {
    at: (path: string): DeltaSource => ({
      async readAt(target, position) {
        count(target.byteLength)
        return (await open(path)).readAt(target, position)
      },
      async *read() {
        for await (const chunk of (await open(path)).read()) {
          count(chunk.length)
          yield chunk
        }
      },
    }),
    close: () => Promise.allSettled([...opened.values()].map(async (file) => (await file).close())),
  }
}

/** Files are closed after `use`. */
export async function withStoredFiles<Result>(
  context: Pick<TaskContext, 'files' | 'onProgress'>,
  use: (files: StoredFiles) => Promise<Result>,
): Promise<Result> {
  const files = createStoredFiles(context)
  try {
    return await use(files)
  } finally {
    await files.close()
  }
}

const keyedAt = (files: StoredFiles, { file, keys, keysBytes }: KeyedPaths): KeyedFile => ({
  readRows: files.at(file).readAt,
  readKeys: files.at(keys).readAt,
  keysBytes,
})

const pairAt = (files: StoredFiles, older: KeyedPaths, newer: KeyedPaths) => ({
  older: keyedAt(files, older),
  newer: keyedAt(files, newer),
})

export function compare(
  files: StoredFiles,
  { older, newer, ...options }: ComparisonTask,
  { signal }: TaskContext,
): Promise<FileTasks['comparison']['result']> {
  return compareFiles(pairAt(files, older, newer), { ...options, signal })
}

export const comparison = (task: ComparisonTask, context: TaskContext) =>
  withStoredFiles(context, (files) => compare(files, task, context))

export const changedItems = (
  { older, newer, ...options }: ChangedItemsTask,
  context: TaskContext,
): Promise<FileTasks['changedItems']['result']> =>
  withStoredFiles(context, (files) =>
    listChanges(pairAt(files, older, newer), { ...options, signal: context.signal }),
  )

export async function comparisonList(
  { older, newer, draft: path, ...chosen }: ComparisonListTask,
  context: TaskContext,
): Promise<FileTasks['comparisonList']['result']> {
  const output = await context.files.openScratch(path)
  try {
    const options = { ...chosen, signal: context.signal }
    const rowCount = await withStoredFiles(context, (files) =>
      writeComparison(pairAt(files, older, newer), options, output.write),
    )
    return { content: await output.finish(), rowCount }
  } catch (error) {
    await output.discard()
    throw error
  }
}

export async function listGoneItems(
  files: StoredFiles,
  { older, newer, draft: path, ...options }: GoneItemsTask,
  { files: taskFiles, signal }: TaskContext,
): Promise<FileTasks['goneItems']['result']> {
  const output = await taskFiles.openScratch(path)
  const keysAt = ({ keys, keysBytes: bytes }: Pick<KeyedPaths, 'keys' | 'keysBytes'>) => ({
    readAt: files.at(keys).readAt,
    bytes,
  })
  const { rows } = newer
  const sources = {
    older: {
      file: files.at(older.file),
      keys: keysAt(older),
      gone: older.gone === null ? null : files.at(older.gone),
    },
    newer: {
      ...keysAt(newer),
      rows: rows && { ...files.at(rows.file), categoryReading: rows.categoryReading },
    },
  }
  let keyFiles = 0
  const openDraft = () => taskFiles.openScratch(`${path}-keys${++keyFiles}`)
  try {
    const found = await findGone(sources, { ...options, openDraft, signal }, output.write)
    if (found.count > 0) return { content: await output.finish(), ...found }
    await output.discard()
    return { content: null, ...found }
  } catch (error) {
    await output.discard()
    throw error
  }
}

export const goneItems = (task: GoneItemsTask, context: TaskContext) =>
  withStoredFiles(context, (files) => listGoneItems(files, task, context))

/** Opens the list of a selection's items that have left the file, and judges its numbers if that is needed. */
export async function openSelection<
  Selected extends Pick<FilteredView, 'gone' | 'format' | 'pricing'>,
>(
  path: string,
  { gone, format: chosen, pricing: wanted, ...selection }: Selected,
  { files, signal }: TaskContext,
) {
  const readFile = () => streamFile(files, path)
  const pricing = await judgeCosts(readFile, wanted, signal)
  const read = () => (pricing ? readPriced(readFile(), pricing, signal) : readFile())
  const judged = chosen && (await judgeNumbers(read, chosen, signal))
  const format = judged && (await judgeScales(read, judged, signal))
  if (!gone) return { ...selection, pricing, format }
  const { file, keyColumn } = gone
  return { ...selection, pricing, format, gone: { keyColumn, read: () => streamFile(files, file) } }
}

async function* streamFile(files: TaskContext['files'], path: string) {
  const file = await files.open(path)
  try {
    yield* file.read()
  } finally {
    await file.close()
  }
}

export async function delta(
  { older, newer, version, delimiter, draft: path }: DeltaTask,
  context: TaskContext,
): Promise<FileTasks['delta']['result']> {
  const { signal } = context
  const files = createStoredFiles(context)
  const output = await context.files.openScratch(path)
  let filtered: ScratchFile | undefined
  let keyFiles = 0
  try {
    const stored = await createStoredRows(files.at(version.file).readAt).header()
    const { pricing } = version
    const { names } = pricing ? findPricedColumns(stored, pricing) : { names: stored }
    const keyPlace = findKeyPlace(names, version.keyColumn, version.format)
    const source = files.at(older.file)
    if (older.selection) {
      filtered = await context.files.openScratch(`${path}-older`)
      const selection = await openSelection(older.file, older.selection, context)
      await filterFile(source.read(), { ...selection, signal }, filtered.write)
    }
    const openDraft = () => context.files.openScratch(`${path}-keys${++keyFiles}`)
    const sources = { older: filtered ?? source, newer: files.at(newer) }
    const options = { delimiter, keyPlace, openDraft, signal }
    const rowCount = await writeDelta(sources, options, output.write)
    return { content: await output.finish(), rowCount }
  } catch (error) {
    await output.discard()
    throw error
  } finally {
    await Promise.all([files.close(), filtered?.discard()])
  }
}

import type { ScratchFile } from '../../storage/scratch-file'
import { writeComparison } from '../comparison/write-comparison'
import { type DeltaSource, writeDelta } from '../delta'
import type {
  ComparisonListTask,
  DeltaTask,
  ComparisonTask,
  FileTasks,
  FilterTask,
  GoneItemsTask,
  KeyedPaths,
} from '../file-readers'
import { filterFile } from '../filter'
import { findGone } from '../gone/find-gone'
import { compareFiles, type KeyedFile } from '../keys/compare-files'
import { createStoredRows } from '../keys/stored-rows'
import { findKeyPlace } from '../shop-formats/key-place'
import { judgeNumbers } from '../shop-formats/quantity-numbers'
import type { TaskContext } from './task-context'

/** Opens files for as long as they are used, and counts the bytes that are read of them. */
function createOpenFiles({ files, onProgress }: TaskContext) {
  const closers: (() => Promise<void>)[] = []
  let bytes = 0
  const count = (length: number) => {
    bytes += length
    onProgress?.({ bytes, rows: 0, expectedBytes: null })
  }
  return {
    async open(path: string): Promise<DeltaSource> {
      const file = await files.open(path)
      closers.push(() => file.close())
      return {
        async readAt(target, position) {
          count(target.byteLength)
          return file.readAt(target, position)
        },
        async *read() {
          for await (const chunk of file.read()) {
            count(chunk.length)
            yield chunk
          }
        },
      }
    },
    close: () => Promise.all(closers.map((close) => close())),
  }
}

async function openKeyed(
  files: ReturnType<typeof createOpenFiles>,
  { file, keys, keysBytes }: KeyedPaths,
): Promise<KeyedFile> {
  const [rows, sorted] = await Promise.all([files.open(file), files.open(keys)])
  return { readRows: rows.readAt, readKeys: sorted.readAt, keysBytes }
}

async function openPair(
  files: ReturnType<typeof createOpenFiles>,
  older: KeyedPaths,
  newer: KeyedPaths,
): Promise<{ older: KeyedFile; newer: KeyedFile }> {
  const [one, other] = await Promise.all([openKeyed(files, older), openKeyed(files, newer)])
  return { older: one, newer: other }
}

export async function comparison(
  { older, newer, ...options }: ComparisonTask,
  context: TaskContext,
): Promise<FileTasks['comparison']['result']> {
  const files = createOpenFiles(context)
  try {
    const keyed = await openPair(files, older, newer)
    return await compareFiles(keyed, { ...options, signal: context.signal })
  } finally {
    await files.close()
  }
}

export async function comparisonList(
  { older, newer, keyColumn, draft: path }: ComparisonListTask,
  context: TaskContext,
): Promise<FileTasks['comparisonList']['result']> {
  const files = createOpenFiles(context)
  const output = await context.files.openScratch(path)
  try {
    const keyed = await openPair(files, older, newer)
    const options = { keyColumn, signal: context.signal }
    const rowCount = await writeComparison(keyed, options, output.write)
    return { content: await output.finish(), rowCount }
  } catch (error) {
    await output.discard()
    throw error
  } finally {
    await files.close()
  }
}

export async function goneItems(
  { older, newer, draft: path, ...options }: GoneItemsTask,
  context: TaskContext,
): Promise<FileTasks['goneItems']['result']> {
  const files = createOpenFiles(context)
  const output = await context.files.openScratch(path)
  const toKeys = async ({ keys, keysBytes: bytes }: Pick<KeyedPaths, 'keys' | 'keysBytes'>) => ({
    readAt: (await files.open(keys)).readAt,
    bytes,
  })
  const openRows = async (rows: GoneItemsTask['newer']['rows']) =>
    rows && { ...(await files.open(rows.file)), categoryReading: rows.categoryReading }
  let keyFiles = 0
  try {
    const sources = {
      older: {
        file: await files.open(older.file),
        keys: await toKeys(older),
        gone: older.gone === null ? null : await files.open(older.gone),
      },
      newer: { ...(await toKeys(newer)), rows: await openRows(newer.rows) },
    }
    const openDraft = () => context.files.openScratch(`${path}-keys${++keyFiles}`)
    const { signal } = context
    const found = await findGone(sources, { ...options, openDraft, signal }, output.write)
    if (found.count > 0) return { content: await output.finish(), ...found }
    await output.discard()
    return { content: null, ...found }
  } catch (error) {
    await output.discard()
    throw error
  } finally {
    await files.close()
  }
}

/** Opens the list of a selection's items that have left the file, and judges its numbers if that is needed. */
export async function openSelection<Selected extends Pick<FilterTask, 'gone' | 'format'>>(
  path: string,
  { gone, format: chosen, ...selection }: Selected,
  { files, signal }: TaskContext,
) {
  const format = chosen && (await judgeNumbers(() => streamFile(files, path), chosen, signal))
  if (!gone) return { ...selection, format }
  const { file, keyColumn } = gone
  return { ...selection, format, gone: { keyColumn, read: () => streamFile(files, file) } }
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
  const files = createOpenFiles(context)
  const output = await context.files.openScratch(path)
  let filtered: ScratchFile | undefined
  let keyFiles = 0
  try {
    const names = await createStoredRows((await files.open(version.file)).readAt).header()
    const keyPlace = findKeyPlace(names, version.keyColumn, version.format)
    const source = await files.open(older.file)
    if (older.selection) {
      filtered = await context.files.openScratch(`${path}-older`)
      const selection = await openSelection(older.file, older.selection, context)
      await filterFile(source.read(), { ...selection, signal }, filtered.write)
    }
    const openDraft = () => context.files.openScratch(`${path}-keys${++keyFiles}`)
    const sources = { older: filtered ?? source, newer: await files.open(newer) }
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

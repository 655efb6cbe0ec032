import { isDeepStrictEqual } from 'node:util'

import type {
  FileChanges,
  GoneItemsTask,
  IngestTask,
  PublishedFile,
  WrittenContent,
  WrittenKeys,
} from '../file-readers'
import { toGoneItems, toGoneItemsTask } from '../gone-items'
import type { FileReport } from '../ingest'
import { chooseComparison } from '../keys/comparable'
import { compare, listGoneItems, withStoredFiles } from './keyed-tasks'
import type { TaskContext } from './task-context'

/** A file that an ingest has written, which is not stored yet. */
interface NewFile {
  path: string
  content: WrittenContent
  keys: WrittenKeys | null
  report: FileReport
}

/** Compares a new file with the published one, and lists the items that leave with it. */
export async function comparePublished(
  older: PublishedFile,
  { path: file, content, keys, report }: NewFile,
  { drafts, keys: { roles } }: Pick<IngestTask, 'drafts' | 'keys'>,
  context: TaskContext,
): Promise<FileChanges> {
  const { numbers, categoryReading } = report
  const isSameReading = isDeepStrictEqual(older.categoryReading, categoryReading)
  if (older.sha256 === content.sha256 && isSameReading) {
    return { difference: null, gone: { kind: 'kept', failure: null } }
  }
  const comparison =
    keys &&
    chooseComparison(older, {
      numbers,
      keyColumn: keys.column,
      keyQuantityColumn: keys.quantityColumn,
    })
  if (!comparison || !older.paths) return { difference: null, gone: { kind: 'none' } }
  const { paths } = older
  const newer = { file, keys: drafts.keys, keysBytes: keys.content.sizeBytes }
  const { list, tracksCategories } = older.gone
  const goneItems = toGoneItemsTask(
    { ...older, paths },
    { ...newer, categoryReading },
    { keyColumn: comparison.keyColumn, roles, draft: drafts.gone },
  )
  return withStoredFiles(context, async (files) => {
    const task = { older: paths, newer, ...comparison, naming: null }
    const { difference } = await compare(files, task, context)
    const hasGone = difference.removed > 0 || list !== null || tracksCategories
    const gone = hasGone ? await findGone(files, goneItems, context) : ({ kind: 'none' } as const)
    return { difference, gone }
  })
}

/** Without its list a file can be published all the same. */
async function findGone(
  files: Parameters<typeof listGoneItems>[0],
  task: GoneItemsTask,
  context: TaskContext,
): Promise<FileChanges['gone']> {
  try {
    return toGoneItems(await listGoneItems(files, task, context))
  } catch (error) {
    context.signal.throwIfAborted()
    return { kind: 'kept', failure: String(error).slice(0, 2_000) }
  }
}

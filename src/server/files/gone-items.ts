import type { CategoryReading } from '../../shared/schemas/file'
import type {
  FileChanges,
  FileTasks,
  GoneItemsTask,
  KeyedPaths,
  PublishedFile,
} from './file-readers'

type Older = Pick<PublishedFile, 'arePaths' | 'categoryReading' | 'gone'> & { paths: KeyedPaths }
type Newer = KeyedPaths & { categoryReading: CategoryReading | null }

/** The task that lists the items which leave with a file that takes the place of another one. */
export function toGoneItemsTask(
  { paths, arePaths, categoryReading, gone }: Older,
  { file, keys, keysBytes, categoryReading: newReading }: Newer,
  rest: Pick<GoneItemsTask, 'keyColumn' | 'roles' | 'draft'>,
): GoneItemsTask {
  const tracksRows = gone.tracksCategories && (categoryReading !== null || newReading !== null)
  return {
    ...rest,
    older: { ...paths, gone: gone.list },
    newer: { keys, keysBytes, rows: tracksRows ? { file, categoryReading: newReading } : null },
    arePaths,
    categoryReading,
    now: gone.now,
  }
}

/** What came of that task. */
export const toGoneItems = ({
  content,
  ...counts
}: FileTasks['goneItems']['result']): FileChanges['gone'] =>
  content ? { kind: 'written', content, ...counts } : { kind: 'none' }

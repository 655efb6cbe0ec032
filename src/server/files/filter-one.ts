import { FileError } from './file-error'
import type { FilteredFile, FilteredView, FilterTask } from './file-readers'
import type { TaskRunner } from './tasks/task-context'

type Written = Extract<FilteredFile, { kind: 'written' }>

/** Writes rows of a stored file to one scratch file. @throws FileError why it could not be written */
export async function filterOne(
  readers: Pick<TaskRunner, 'run'>,
  { file, categoryReading, ...view }: FilteredView & Omit<FilterTask, 'views'>,
  options: Parameters<TaskRunner['run']>[2],
): Promise<Written> {
  const { files } = await readers.run('filter', { file, categoryReading, views: [view] }, options)
  const [filtered] = files
  if (filtered?.kind === 'refused') throw new FileError(filtered.code, filtered.message)
  return filtered as Written
}

import type { FileFetcher } from './fetch/fetch'
import type { FileTasks, TaskKind, TaskOptions } from './file-readers'
import { fetchSource, type OpenableSource } from './sources/fetch-source'
import type { ReadTask, TaskRunner } from './tasks/task-context'

/**
 * Fetches the source of a task, if it has one, and then has the task run: whoever runs it needs no network and
 * no credentials. A source that has not changed needs nobody to read it.
 */
export async function fetchAndRun<Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
  { hosts, ...options }: TaskOptions,
  { fetcher, tasks }: { fetcher: FileFetcher; tasks: TaskRunner },
): Promise<FileTasks[Kind]['result']> {
  if (!hasSource(task)) return tasks.run(kind, task as ReadTask<Kind>, options)
  const { source, ...rest } = task
  const content = await fetchSource(source, { fetcher, hosts, signal: options.signal })
  // Without validators in the request, which a preview never sends, this is impossible.
  if (content.kind === 'unchanged') return { kind: 'unchanged' } as FileTasks[Kind]['result']
  try {
    return await tasks.run(kind, rest as ReadTask<Kind>, { ...options, content })
  } finally {
    // Ends the transfer when the body was not read to its end.
    content.body.destroy()
  }
}

const hasSource = (task: object): task is { source: OpenableSource } => 'source' in task

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
  const { signal, onProgress } = options
  let storedBytes = 0
  const content = await fetchSource(source, {
    fetcher,
    hosts,
    signal,
    onStored(bytes) {
      storedBytes = bytes
      onProgress?.({ bytes, rows: 0, expectedBytes: null })
    },
  })
  // Without validators in the request, which a preview never sends, this is impossible.
  if (content.kind === 'unchanged') return { kind: 'unchanged' } as FileTasks[Kind]['result']
  try {
    return await tasks.run(kind, rest as ReadTask<Kind>, {
      signal,
      content,
      // What is read comes after what has been stored: progress never goes back.
      onProgress: (progress) => onProgress?.({ ...progress, bytes: storedBytes + progress.bytes }),
    })
  } finally {
    // Ends the transfer when the body was not read to its end.
    content.body.destroy()
  }
}

const hasSource = (task: object): task is { source: OpenableSource } => 'source' in task

import type { FileFetcher } from './fetch/fetch'
import type { FileTasks, TaskKind, TaskOptions, TaskOrMaker } from './file-readers'
import { fetchSource } from './sources/fetch-source'
import type { TaskRunner } from './tasks/task-context'

/**
 * Fetches the source of a task, if it has one, and then has the task run: whoever runs it needs no network and
 * no credentials. A source that has not changed needs nobody to read it.
 */
export async function fetchAndRun<Kind extends TaskKind>(
  kind: Kind,
  task: TaskOrMaker<Kind>,
  { source, hosts, ...options }: TaskOptions,
  { fetcher, tasks }: { fetcher: FileFetcher; tasks: TaskRunner },
): Promise<FileTasks[Kind]['result']> {
  const make = async () => (typeof task === 'function' ? task() : task)
  if (!source) return tasks.run(kind, await make(), options)
  const { signal, onProgress } = options
  let storedBytes = 0
  const content = await fetchSource(source, {
    fetcher,
    // Whoever looks at a preview waits for it, and nothing of it is published.
    isAwaited: kind !== 'preview',
    hosts,
    signal,
    onStored(bytes) {
      storedBytes = bytes
      onProgress?.({ bytes, rows: 0, expectedBytes: null })
    },
  })
  // Without validators in the request, which a preview never sends, this is impossible.
  if (content.kind === 'unchanged') return { kind: 'unchanged' } as FileTasks[Kind]['result']
  // Names are for who has asked, and not for who reads.
  const { foundName, ...read } = content
  try {
    const result = await tasks.run(kind, await make(), {
      signal,
      content: read,
      // What is read comes after what has been stored: progress never goes back.
      onProgress: (progress) => onProgress?.({ ...progress, bytes: storedBytes + progress.bytes }),
    })
    return foundName === undefined ? result : { ...result, foundName }
  } finally {
    // Ends the transfer when the body was not read to its end.
    content.body.destroy()
  }
}

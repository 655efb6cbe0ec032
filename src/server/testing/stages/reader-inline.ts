import type { Config } from '../../config'
import { fetchAndRun } from '../../files/fetch-and-run'
import { createFileFetcher, type FileFetcher } from '../../files/fetch/fetch'
import type { FileReaders } from '../../files/file-readers'
import { localFiles } from '../../files/task-files'
import type { TaskRunner } from '../../files/tasks/task-context'
import { runTask } from '../../files/tasks/tasks'

/** Reads files in this process instead of a child process; for tests with trusted input. */
export function createInlineReader(fetcher: FileFetcher, maxBytes: number): FileReaders {
  const tasks: TaskRunner = {
    run: (kind, task, options) => runTask(kind, task, { ...options, files: localFiles, maxBytes }),
  }
  return {
    run: (kind, task, options) => fetchAndRun(kind, task, options, { fetcher, tasks }),
    close: () => fetcher.close(),
  }
}

/** An inline reader that may fetch what the configuration allows. */
export function openInlineReader(config: Config, now: () => number): FileReaders {
  const { fetchAllow: allow, maxFileBytes: maxBytes } = config
  return createInlineReader(createFileFetcher({ allow, maxBytes, now }), maxBytes)
}

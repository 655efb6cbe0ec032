import type { Config } from '../../config'
import { runTask } from '../../files/children/tasks'
import { createFileFetcher, type FileFetcher } from '../../files/fetch/fetch'
import type { FileReaders } from '../../files/file-readers'

/** Reads files in this process instead of a child process; for tests with trusted input. */
export function createInlineReader(fetcher: FileFetcher): FileReaders {
  return {
    run: (kind, task, options) => runTask(kind, task, { ...options, fetcher }),
    close: () => fetcher.close(),
  }
}

/** An inline reader that may fetch what the configuration allows. */
export function openInlineReader(config: Config, now: () => number): FileReaders {
  const { fetchAllow: allow, maxFileBytes: maxBytes } = config
  return createInlineReader(createFileFetcher({ allow, maxBytes, now }))
}

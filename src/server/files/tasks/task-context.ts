import type { FileTasks, TaskKind, TaskProgress } from '../file-readers'
import type { SourceContent } from '../sources/source'
import type { TaskFiles } from '../task-files'

/** What a task needs, in whichever process it runs. */
export interface TaskContext {
  files: TaskFiles
  /** What has been fetched, for the tasks that have a source. */
  content?: SourceContent | undefined
  /** The maximum size of a source, decompressed. */
  maxBytes: number
  signal: AbortSignal
  onProgress?: ((progress: TaskProgress) => void) | undefined
}

/** What of its context a task is given from outside of the process that runs it. */
type ReadOptions = Omit<TaskContext, 'files' | 'maxBytes'>

/** Runs tasks of which the source, if they have one, has been fetched. */
export interface TaskRunner {
  /**
   * The task writes nothing after the promise has settled.
   * @throws as `FileReaders`
   */
  run<Kind extends TaskKind>(
    kind: Kind,
    task: FileTasks[Kind]['task'],
    options: ReadOptions,
  ): Promise<FileTasks[Kind]['result']>
}

import type { IngestTask, TaskProgress } from '../../../files/file-readers'
import { currentSpan, type Span } from '../../../observability/spans'

type MakeTask = () => Promise<IngestTask>
type OnProgress = (progress: TaskProgress) => void

/**
 * Follows the process that fetches and the one that reads, which tell nobody but us: the first is done once all has
 * been received, the second begins when it is asked for its task.
 */
export async function followIngest<T>(
  makeTask: MakeTask,
  onProgress: OnProgress,
  run: (makeTask: MakeTask, onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const span = currentSpan()
  const fetching = span.begin('fetch')
  let reading: Span | undefined
  try {
    return await run(
      () => {
        reading ??= span.begin('read')
        return makeTask()
      },
      (progress) => {
        onProgress(progress)
        if (!progress.isReceived) return
        fetching.set({ bytes: progress.bytes })
        fetching.end()
      },
    )
  } catch (error) {
    const failed = reading ?? fetching
    failed.end(error)
    throw error
  } finally {
    fetching.end()
    reading?.end()
  }
}

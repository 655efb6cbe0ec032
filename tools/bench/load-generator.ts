import type { Cleanups } from './cleanups'
import { startProgram } from './program'
import type { LoadFailure, LoadResult, LoadTask } from './programs/load'

export type LoadGenerator = (task: LoadTask) => Promise<LoadResult>

/** Starts a process that sends requests. */
export async function startLoadGenerator(cleanups: Cleanups): Promise<LoadGenerator> {
  const program = await startProgram<LoadTask, LoadResult | LoadFailure>('load', [], cleanups)
  return async (task) => {
    const result = await program.ask(task)
    if ('message' in result) throw new Error(result.message)
    const { expectedStatus = 200, url } = task
    if (result.statuses.some((status) => status !== expectedStatus)) {
      throw new Error(`${url} answered with ${result.statuses.join(', ')}, not ${expectedStatus}`)
    }
    return result
  }
}

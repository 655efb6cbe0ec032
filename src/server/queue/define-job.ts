import type { z } from 'zod'

import type { Deps } from '../domain/deps'
import type { WorkHandler } from './queue'

export type Job = {
  id: string
  toHandler(deps: Deps): WorkHandler
}

/**
 * Describes a kind of background work. `payload` holds ids only: the state is in the database.
 * A run that takes longer than `timeoutMs` is asked to stop through its signal.
 */
export function defineJob<Payload extends z.ZodType>(definition: {
  id: string
  payload: Payload
  /** How many may run at once in a process. */
  concurrency: number | ((deps: Deps) => number)
  timeoutMs: number | ((deps: Deps) => number)
  run(deps: Deps, payload: z.infer<Payload>, signal: AbortSignal): Promise<void>
}): Job {
  const { id, payload, concurrency, timeoutMs, run } = definition
  return {
    id,
    toHandler(deps) {
      const limitMs = resolveSetting(timeoutMs, deps)
      return {
        job: id,
        concurrency: resolveSetting(concurrency, deps),
        run: (work, signal) =>
          run(deps, payload.parse(work), AbortSignal.any([signal, AbortSignal.timeout(limitMs)])),
      }
    },
  }
}

function resolveSetting(setting: number | ((deps: Deps) => number), deps: Deps): number {
  return typeof setting === 'number' ? setting : setting(deps)
}

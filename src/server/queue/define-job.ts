import type { z } from 'zod'

import { asWorker } from '../domain/caller'
import type { Deps } from '../domain/deps'
import type { WorkHandler } from './queue'

export type Job = {
  id: string
  toHandler(deps: Deps): WorkHandler
}

/**
 * Defines a kind of background work. `payload` has ids only, because the state is in the database. The
 * signal of a run fires after `timeoutMs`.
 */
export function defineJob<Payload extends z.ZodType>(definition: {
  id: string
  payload: Payload
  /** The maximum number of concurrent runs in a process. */
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
          asWorker(() =>
            run(deps, payload.parse(work), AbortSignal.any([signal, AbortSignal.timeout(limitMs)])),
          ),
      }
    },
  }
}

function resolveSetting(setting: number | ((deps: Deps) => number), deps: Deps): number {
  return typeof setting === 'number' ? setting : setting(deps)
}

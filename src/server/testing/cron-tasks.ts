import type { CronTask } from '../domain/deps'

/** A cron task that does nothing unless overridden. */
export function createCronTask(task: Partial<CronTask> = {}): CronTask {
  return {
    name: 'tidy-up',
    description: 'Tidies up',
    schedule: '0 * * * *',
    timeoutMs: 60_000,
    run: async () => 'Done',
    ...task,
  }
}

/** Runs until the signal aborts, then rejects with its reason. */
export function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

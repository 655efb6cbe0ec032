import type { CronTask } from '../domain/deps'

/** A cron job that has nothing to do but what a test gives it. */
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

/** What a task that is stopped does: it ends when it is asked to. */
export function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

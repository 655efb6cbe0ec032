/**
 * Delivers work to a process that can do it. Schedules and state are in the database, so that nothing
 * is lost with the content of a queue. Every implementation passes `queue.contract.ts`.
 */
export interface Queue {
  /**
   * Queues work, which is logged with the id of the current request. Work whose `key` is already
   * waiting is not queued again.
   */
  add(work: QueuedWork): Promise<void>
  /** Starts doing work in this process. */
  start(handlers: readonly WorkHandler[]): void
  /** @throws when work cannot be queued at the moment */
  check(): Promise<void>
  /** The number of processes that take this job; null when it cannot be known at the moment. */
  countProcesses(job: string): Promise<number | null>
  /** Resolves when no work is waiting or running; for tests and for a clean stop. */
  idle(): Promise<void>
  /**
   * Accepts no more work and waits for running work, whose signal fires after `graceMs`. Waiting work
   * is dropped; the scheduler finds it again in the database.
   */
  close(graceMs: number): Promise<void>
}

export type QueuedWork = {
  job: string
  key?: string
  payload: unknown
  /** Must be done by this process, which has reserved a slot for it. */
  isLocal?: boolean
}

/** What a queue needs to know about a job; created by `define-job.ts`. */
export type WorkHandler = {
  job: string
  /** The maximum number of concurrent runs in this process. */
  concurrency: number
  run(payload: unknown, signal: AbortSignal): Promise<void>
}

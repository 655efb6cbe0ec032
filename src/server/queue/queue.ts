/**
 * Carries work to a process that can do it. It owns nothing: every schedule and state is in the
 * database, so that losing what waits here loses nothing. Every driver passes `queue.contract.ts`.
 */
export interface Queue {
  /**
   * Hands work over; it is done on behalf of the request that adds it. Work with a `key` that
   * already waits is not queued again.
   */
  add(work: QueuedWork): Promise<void>
  /** Starts doing work in this process. */
  start(handlers: readonly WorkHandler[]): void
  /** @throws when work cannot be handed over now */
  check(): Promise<void>
  /** Resolves when nothing waits or runs; for tests and for a clean stop. */
  idle(): Promise<void>
  /**
   * Takes no more work and waits for what runs; after `graceMs` it is asked to stop through its
   * signal. What waits is left to the database.
   */
  close(graceMs: number): Promise<void>
}

export type QueuedWork = {
  job: string
  key?: string
  payload: unknown
  /** Is done by this process and no other: it has kept room for it. */
  isLocal?: boolean
}

/** What a queue needs to know of a job; `define-job.ts` makes these. */
export type WorkHandler = {
  job: string
  /** How many may run at once in this process. */
  concurrency: number
  run(payload: unknown, signal: AbortSignal): Promise<void>
}

import type { Deps } from './deps'

/** What a cron job does; `cron-jobs.ts` lists them all, runs them and records how it went. */
export type CronTask = {
  name: string
  /** What it does, in a sentence for the administrator. */
  description: string
  /** A cron expression of five fields, read in UTC. */
  schedule: string
  timeoutMs: number
  /**
   * Does the work.
   * @returns what was done, in a line for the administrator
   * @throws DomainError whose text the administrator reads; anything else is logged as our own fault
   */
  run(deps: Deps, run: CronRun): Promise<string>
}

/** A run of a cron job, as its task sees it. */
export type CronRun = {
  /** Owns the scratch files of this run. */
  leaseToken: string
  signal: AbortSignal
  /** Says what is being done now; the administrator sees it live. */
  report(step: string): Promise<void>
}

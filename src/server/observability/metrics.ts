import type { CronJobOutcome, SyncOutcome } from '../../shared/constants'

/**
 * Counts what happens, for whoever runs the product. Labels are few and known beforehand: route
 * patterns, never addresses; no ids, no names.
 */
export interface Metrics {
  requestFinished(request: {
    method: string
    route: string
    statusCode: number
    seconds: number
  }): void
  /** `outcome` is ok, or the code of the error. */
  procedureFinished(call: { procedure: string; outcome: string; seconds: number }): void
  syncFinished(sync: {
    outcome: SyncOutcome
    seconds: number
    sizeBytes: number
    rowCount: number
  }): void
  cronRunFinished(run: { job: string; outcome: CronJobOutcome; seconds: number }): void
  /** A file went out whole. */
  fileSent(sizeBytes: number): void
  /** Everything, as a scraper reads it. */
  scrape(): Promise<{ contentType: string; text: string }>
}

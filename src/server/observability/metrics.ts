import type { CronJobOutcome, SyncOutcome } from '../../shared/constants'
import type { DestinationKind } from '../../shared/destinations'
import type { Backlog } from '../db/backlog.queries'

/**
 * Metrics for the operator. Labels have few, known values: route patterns but no paths, ids or
 * names.
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
  /** A file was sent completely. */
  fileSent(sizeBytes: number): void
  /** Somebody has tried to sign in by SFTP. */
  sftpSignIn(outcome: 'ok' | 'failed'): void
  sftpBytes(direction: 'received' | 'sent', bytes: number): void
  /** What the SFTP server of this machine has open, and has turned away since its start. */
  sftpConnections(state: { connections: number; turnedAway: number }): void
  /** Whether there is a way in for files: open now, or waiting for its port. */
  inboxListens(way: 'sftp' | 'smtp', isListening: boolean): void
  /** What became of a mail with a file, or of a report. */
  mailReceived(outcome: MailOutcome): void
  /** A try to send a file to a destination has ended. */
  dispatchTried(dispatch: {
    kind: DestinationKind
    outcome: 'sent' | 'failed'
    sizeBytes: number
  }): void
  /**
   * Begins to measure memory, CPU and event loop delay of this process, which takes most of the time of one that has
   * nothing to do: for whoever serves the metrics. May be called again.
   */
  measureProcess(): void
  /** All metrics as values. */
  collect(): Promise<MetricFamily[]>
  /** All metrics in the text format of the scraper. */
  scrape(): Promise<{ contentType: string; text: string }>
}

/** What is measured under a name. */
export interface MetricFamily {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: MetricPoint[]
}

export interface MetricPoint {
  /** That of its family; of a histogram with an ending, as in the text: `_bucket`, `_sum`, `_count`. */
  name: string
  value: number
  labels: Record<string, string | number>
}

/** `later`: it is to be sent again; `noted`: a report on a mail of ours; `dropped`: one that tells nothing. */
export type MailOutcome = 'taken' | 'waiting' | 'refused' | 'later' | 'noted' | 'dropped'

/** What metrics tell of the database: the same in every process, and after a restart. */
export type StoredState = Backlog & {
  /** Active connections; one may be counted in several of these. */
  feeds: { failing: number; held: number; late: number }
}

/** The disk of the data folder of this machine. */
export type DiskState = {
  freeBytes: number
  /** Syncs wait while less than this is free. */
  reservedBytes: number
}

/** What is measured at every scrape. */
export type MeasuredState = {
  readStored(): Promise<StoredState>
  readDisk(): Promise<DiskState>
}

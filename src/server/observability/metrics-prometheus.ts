import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

import type { Backlog } from '../db/backlog.queries'
import type { Metrics } from './metrics'

const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const WORK_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800]
/** After a process was frozen, the client catches up on all that it could not measure, at once. */
const UTILIZATION_EVERY_MS = 1_000

type Options = {
  /** Called at every scrape. */
  readBacklog(): Promise<Backlog>
  /** Whether to include memory, CPU and event loop delay of this process. */
  measuresProcess: boolean
}

/** Metrics in Prometheus' text format. */
export function createPrometheusMetrics({ readBacklog, measuresProcess }: Options): Metrics {
  const registry = new Registry()
  if (measuresProcess) {
    collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: UTILIZATION_EVERY_MS })
  }
  const showBacklog = createBacklogGauges([registry])
  const { requests, procedures, syncs, cronRuns } = createHistograms([registry])
  const count = (name: string, help: string) => new Counter({ name, help, registers: [registry] })
  const syncBytes = count('stockbridge_sync_bytes_total', 'Bytes of the files that syncs read.')
  const syncRows = count('stockbridge_sync_rows_total', 'Rows of the files that syncs read.')
  const files = count('stockbridge_downloads_total', 'Files sent completely.')
  const fileBytes = count('stockbridge_download_bytes_total', 'Bytes of the files sent completely.')
  return {
    requestFinished({ route, method, statusCode, seconds }) {
      requests.observe({ route, method, status: `${Math.floor(statusCode / 100)}xx` }, seconds)
    },
    procedureFinished({ seconds, ...labels }) {
      procedures.observe(labels, seconds)
    },
    syncFinished({ outcome, seconds, sizeBytes, rowCount }) {
      syncs.observe({ outcome }, seconds)
      syncBytes.inc(sizeBytes)
      syncRows.inc(rowCount)
    },
    cronRunFinished({ seconds, ...labels }) {
      cronRuns.observe(labels, seconds)
    },
    fileSent(sizeBytes) {
      files.inc()
      fileBytes.inc(sizeBytes)
    },
    async scrape() {
      showBacklog(await readBacklog().catch(() => undefined))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

function createHistograms(registers: Registry[]) {
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({
      name: `stockbridge_${name}_duration_seconds`,
      help,
      labelNames,
      buckets,
      registers,
    })
  return {
    requests: histogram(
      'http_request',
      'Requests by route, method and class of status.',
      ['route', 'method', 'status'],
      CALL_BUCKETS,
    ),
    procedures: histogram(
      'procedure',
      'Calls of procedures, over tRPC and REST, by outcome: ok or the code of the error.',
      ['procedure', 'outcome'],
      CALL_BUCKETS,
    ),
    syncs: histogram('sync', 'Syncs by outcome.', ['outcome'], WORK_BUCKETS),
    cronRuns: histogram('cron_run', 'Runs of cron jobs.', ['job', 'outcome'], WORK_BUCKETS),
  }
}

/** The backlog comes from the database, so it covers all processes; NaN while it cannot be read. */
function createBacklogGauges(registers: Registry[]): (backlog: Backlog | undefined) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const waiting = gauge('stockbridge_syncs_waiting', 'Syncs that are due but not running yet.')
  const running = gauge('stockbridge_syncs_running', 'Syncs running now, in all processes.')
  const oldest = gauge(
    'stockbridge_sync_oldest_due_seconds',
    'Time since the longest waiting sync became due.',
  )
  const variants = gauge('stockbridge_variants_waiting', 'Filtered files waiting to be built.')
  const sinceTick = gauge(
    'stockbridge_scheduler_tick_age_seconds',
    'Time since a scheduler last claimed due work, in any process.',
  )
  return (backlog) => {
    waiting.set(backlog?.waitingSyncs ?? NaN)
    running.set(backlog?.runningSyncs ?? NaN)
    oldest.set(backlog ? backlog.oldestDueMs / 1_000 : NaN)
    variants.set(backlog?.waitingVariants ?? NaN)
    sinceTick.set((backlog?.sinceTickMs ?? NaN) / 1_000)
  }
}

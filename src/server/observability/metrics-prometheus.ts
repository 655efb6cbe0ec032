import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from '@prometheus-io/client'

import type {
  DiskState,
  MailOutcome,
  MeasuredState,
  MetricFamily,
  MetricPoint,
  Metrics,
  StoredState,
} from './metrics'

const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const WORK_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800]
/** After a process was frozen, the client catches up on all that it could not measure, at once. */
const UTILIZATION_EVERY_MS = 1_000

type Options = MeasuredState & {
  build: { version: string; revision: string | undefined }
  /** As of when the newest daily backup has everything, in Unix milliseconds; null when there is none. */
  readLastBackup(): Promise<number | null>
}

/** Metrics in Prometheus' text format. */
export function createPrometheusMetrics(options: Options): Metrics {
  const { build, readStored, readDisk, readLastBackup } = options
  const registry = new Registry()
  let isMeasured = false
  showBuild(build, [registry])
  const showStored = createStoredGauges([registry])
  const showDisk = createDiskGauges([registry])
  const showBackup = createBackupGauge([registry])
  const { requests, procedures, syncs, cronRuns } = createHistograms([registry])
  const count = (name: string, help: string) => new Counter({ name, help, registers: [registry] })
  const syncBytes = count('stockbridge_sync_bytes_total', 'Bytes of the files that syncs read.')
  const syncRows = count('stockbridge_sync_rows_total', 'Rows of the files that syncs read.')
  const files = count('stockbridge_downloads_total', 'Files sent completely.')
  const fileBytes = count('stockbridge_download_bytes_total', 'Bytes of the files sent completely.')
  const inbox = createInboxMetrics([registry])
  const dispatches = new Counter({
    name: 'stockbridge_dispatches_total',
    help: 'Tries to send files to destinations, by kind of destination and outcome: sent or failed.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const dispatched = count(
    'stockbridge_dispatched_bytes_total',
    'Bytes of the files that destinations have got.',
  )
  const measure = async () => {
    const [stored, disk, backup] = await Promise.allSettled([
      readStored(),
      readDisk(),
      readLastBackup(),
    ])
    showStored(stored.status === 'fulfilled' ? stored.value : undefined)
    showDisk(disk.status === 'fulfilled' ? disk.value : undefined)
    showBackup(backup.status === 'fulfilled' ? backup.value : undefined)
  }
  return {
    ...inbox,
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
    dispatchTried({ kind, outcome, sizeBytes }) {
      dispatches.inc({ kind, outcome })
      if (outcome === 'sent') dispatched.inc(sizeBytes)
    },
    measureProcess() {
      if (isMeasured) return
      isMeasured = true
      collectDefaultMetrics({
        register: registry,
        eventLoopUtilizationTimeout: UTILIZATION_EVERY_MS,
      })
    },
    async collect() {
      await measure()
      return (await registry.getMetricsAsJSON()).flatMap(toFamily)
    },
    async scrape() {
      await measure()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

type Collected = MetricObjectWithValues<MetricValueWithName<string>>

/** The only summary, of the event loop, is left out: a histogram tells the same. */
function toFamily({ name, help, type, values }: Collected): MetricFamily[] {
  if (type !== 'counter' && type !== 'gauge' && type !== 'histogram') return []
  const points = values.map(({ value, labels, metricName = name }) => ({
    name: metricName,
    value,
    labels: labels as MetricPoint['labels'],
  }))
  return [{ name, help, type, values: points }]
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

function createInboxMetrics(registers: Registry[]) {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `stockbridge_sftp_${name}_total`, help, labelNames, registers })
  const signIns = counter('sign_ins', 'Sign-ins by SFTP, by outcome: ok or failed.', 'outcome')
  const bytes = counter('bytes', 'Bytes of files over SFTP, received or sent.', 'direction')
  const turnedAway = counter('turned_away', 'SFTP connections that were closed unheard: too many.')
  const connections = new Gauge({
    name: 'stockbridge_sftp_connections',
    help: 'Open SFTP connections.',
    registers,
  })
  const listening = new Gauge({
    name: 'stockbridge_inbox_listening',
    help: 'Whether this process has the port open for sftp or smtp: 1, or 0 while it waits for it.',
    labelNames: ['way'],
    registers,
  })
  const mails = new Counter({
    name: 'stockbridge_mails_total',
    help: 'Mails with files, by outcome: taken, waiting, refused or later; reports on ours: noted or dropped.',
    labelNames: ['outcome'],
    registers,
  })
  let knownTurnedAway = 0
  return {
    inboxListens(way: 'sftp' | 'smtp', isListening: boolean) {
      listening.set({ way }, Number(isListening))
    },
    mailReceived(outcome: MailOutcome) {
      mails.inc({ outcome })
    },
    sftpSignIn(outcome: 'ok' | 'failed') {
      signIns.inc({ outcome })
    },
    sftpBytes(direction: 'received' | 'sent', count: number) {
      bytes.inc({ direction }, count)
    },
    sftpConnections(state: { connections: number; turnedAway: number }) {
      connections.set(state.connections)
      // It counts anew in each process.
      turnedAway.inc(Math.max(0, state.turnedAway - knownTurnedAway))
      knownTurnedAway = state.turnedAway
    },
  }
}

/** What runs: the value is always 1. */
function showBuild({ version, revision = '' }: Options['build'], registers: Registry[]): void {
  const labels = { version, revision, node: process.version }
  const name = 'stockbridge_build_info'
  const help = 'The version of the product and its revision, and the version of Node.'
  new Gauge({ name, help, labelNames: Object.keys(labels), registers }).set(labels, 1)
}

const FEED_STATES = ['failing', 'held', 'late'] as const

/** They come from the database, so they cover all processes; NaN while it cannot be read. */
function createStoredGauges(registers: Registry[]): (stored: StoredState | undefined) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const waiting = gauge('stockbridge_syncs_waiting', 'Syncs that are due but not running yet.')
  const running = gauge('stockbridge_syncs_running', 'Syncs running now, in all processes.')
  const oldest = gauge(
    'stockbridge_sync_oldest_due_seconds',
    'Time since the longest waiting sync became due.',
  )
  const variants = gauge('stockbridge_variants_waiting', 'Filtered files waiting to be built.')
  const dispatches = gauge('stockbridge_dispatches_waiting', 'Files to be sent to destinations.')
  const sinceTick = gauge(
    'stockbridge_scheduler_tick_age_seconds',
    'Time since a scheduler last claimed due work, in any process.',
  )
  const feeds = new Gauge({
    name: 'stockbridge_feeds',
    help: 'Active feeds whose last sync failed, whose newest file is held, or whose data are late.',
    labelNames: ['state'],
    registers,
  })
  return (stored) => {
    waiting.set(stored?.waitingSyncs ?? NaN)
    running.set(stored?.runningSyncs ?? NaN)
    oldest.set((stored?.oldestDueMs ?? NaN) / 1_000)
    variants.set(stored?.waitingVariants ?? NaN)
    dispatches.set(stored?.waitingDispatches ?? NaN)
    sinceTick.set((stored?.sinceTickMs ?? NaN) / 1_000)
    for (const state of FEED_STATES) feeds.set({ state }, stored?.feeds[state] ?? NaN)
  }
}

/** Of the folder or bucket of backups; NaN while it cannot be read. */
function createBackupGauge(registers: Registry[]): (lastAt: number | null | undefined) => void {
  const lastBackup = new Gauge({
    name: 'stockbridge_last_backup_timestamp_seconds',
    help: 'When the last verified backup was made, in Unix seconds; 0 when there is none.',
    registers,
  })
  return (lastAt) => {
    lastBackup.set(lastAt === undefined ? NaN : (lastAt ?? 0) / 1_000)
  }
}

/** Of this machine; NaN while it cannot be read. */
function createDiskGauges(registers: Registry[]): (disk: DiskState | undefined) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const free = gauge('stockbridge_disk_free_bytes', 'Free space where DATA_DIR is.')
  const reserved = gauge(
    'stockbridge_disk_reserved_bytes',
    'Syncs wait while less than this is free (MIN_FREE_BYTES).',
  )
  return (disk) => {
    free.set(disk?.freeBytes ?? NaN)
    reserved.set(disk?.reservedBytes ?? NaN)
  }
}

import { REMEMBERED_FEEDS } from '../../src/server/features/distribution/downloads/feed-file'
import { RECORDS_PER_TRANSACTION } from '../../src/server/features/distribution/downloads/pulls'
import { DELETED_AT_ONCE } from '../../src/server/features/distribution/stored-files/storage-cleaning'
import { MAX_FILTERED_TOGETHER } from '../../src/server/files/file-readers'
import { OPERATION_COSTS, type OperationCost } from './costs'
import {
  countFileBytes,
  countFiles,
  countRows,
  CPU_MS,
  ROW_BYTES,
  type Days,
  type StoredFiles,
  type Table,
} from './laws'
import { shareOfBackup, shareOfCleanUp } from './limits'
import { createRandom, drawNormal } from './random'
import type { Prices, Workload } from './workload'

const MEGABYTE = 1e6
const DAY_SECONDS = 86_400
const MONTH_DAYS = 30
/** Of a processor, so that waiting stays short. */
const USED_SHARE = 0.6
const ROW_BYTES_OF_FILE = 80
/** How many deviations a second of the busiest hour is above its mean, once in a thousand. */
const RARE = 3.1
const CLEAN_UPS_PER_DAY = 24

/** What an installation of so many suppliers does and needs, a year after it began. */
export type Outcome = {
  suppliers: number
  retailers: number
  /** In a second of the busiest hour, and at most but for one second in a thousand. */
  syncs: number
  mostSyncs: number
  reads: number
  mostReads: number
  writes: number
  /** Rows inserted, updated and deleted in a second of the busiest hour. */
  writtenRows: number
  /** Processors at the busiest hour. */
  workerCores: number
  /** Of these, what workbooks take beyond CSV. */
  workbookCores: number
  webCores: number
  rows: Record<Table, number>
  databaseBytes: number
  fileBytes: number
  /** In a month. */
  sentBytes: number
  bucketWrites: number
  bucketReads: number
  dollars: number
  /** Of these, for what is sent. */
  sentDollars: number
  /** Of the time that these have. */
  cleanUpShare: number
  backupShare: number
}

/** What all connections do on a day. */
type Totals = {
  syncs: number
  reads: number
  /** The first ones of each retailer after a sync. */
  firstReads: number
  writes: number
  workerMs: number
  workbookMs: number
  webMs: number
  sentBytes: number
  filtered: number
  copiesOfFiltered: number
  removals: number
  writtenRows: number
  bucketWrites: number
  bucketReads: number
}

/**
 * Draws suppliers at random, adds up what each does and leaves behind, and derives what that takes.
 * @param seed the same seed draws the same suppliers
 */
export function simulate(
  suppliers: number,
  workload: Workload,
  prices: Prices,
  { days = 365, seed = 1 } = {},
): Outcome {
  const random = createRandom(seed)
  const rows: Partial<Record<Table, number>> = {}
  const totals: Totals = {
    syncs: 0,
    reads: 0,
    firstReads: 0,
    writes: 0,
    workerMs: 0,
    workbookMs: 0,
    webMs: 0,
    sentBytes: 0,
    filtered: 0,
    copiesOfFiltered: 0,
    removals: 0,
    writtenRows: 0,
    bucketWrites: 0,
    bucketReads: 0,
  }
  const files: StoredFiles = { ofVersions: 0, filtered: 0, copies: 0 }
  const newFiles: StoredFiles = { ...files }
  let fileBytes = 0
  let newFileBytes = 0
  let retailers = 0
  for (let number = 0; number < suppliers; number += 1) {
    const day = drawDays(workload, random)
    retailers += day.retailers
    for (const [table, count] of Object.entries(countRows(day, days)) as [Table, number][]) {
      rows[table] = (rows[table] ?? 0) + count
    }
    addFiles(files, countFiles(day, days))
    addFiles(newFiles, countFiles(day, 1))
    const quotaBytes = workload.quotaGigabytes * 1e9
    fileBytes += countFileBytes(day, days, quotaBytes)
    newFileBytes += countFileBytes(day, 1, quotaBytes)
    addDay(totals, day, workload)
  }
  const all = rows as Record<Table, number>
  const perSecond = (count: number) => (count / DAY_SECONDS) * workload.peakFactor
  const most = (mean: number) => mean + RARE * Math.sqrt(mean)
  const databaseBytes = sum(
    (Object.keys(all) as Table[]).map((name) => all[name] * ROW_BYTES[name]),
  )
  const needs = {
    workerCores: perSecond(totals.workerMs) / 1_000 / USED_SHARE,
    workbookCores: perSecond(totals.workbookMs) / 1_000 / USED_SHARE,
    webCores:
      perSecond(totals.webMs + countLookUps(totals, retailers) * CPU_MS.lookUp) /
      1_000 /
      USED_SHARE,
    databaseBytes,
    fileBytes,
    sentBytes: totals.sentBytes * MONTH_DAYS,
    bucketWrites: totals.bucketWrites * MONTH_DAYS,
    bucketReads: totals.bucketReads * MONTH_DAYS,
  }
  return {
    suppliers,
    retailers,
    syncs: perSecond(totals.syncs),
    mostSyncs: most(perSecond(totals.syncs)),
    reads: perSecond(totals.reads),
    mostReads: most(perSecond(totals.reads)),
    writes: perSecond(totals.writes),
    writtenRows: perSecond(totals.writtenRows),
    rows: all,
    ...needs,
    ...price(needs, prices),
    cleanUpShare: shareOfCleanUp(suppliers, files, totals),
    backupShare: shareOfBackup({
      databaseBytes,
      files: { bytes: fileBytes, counts: files },
      newFiles: { bytes: newFileBytes, counts: newFiles },
    }),
  }
}

function addFiles(total: StoredFiles, { ofVersions, filtered, copies }: StoredFiles): void {
  total.ofVersions += ofVersions
  total.filtered += filtered
  total.copies += copies
}

/**
 * How many reads find nothing remembered: those after a sync, and others of retailers that were forgotten
 * meanwhile. Each web process has as many retailers as all others.
 */
function countLookUps({ reads, firstReads }: Totals, retailers: number): number {
  const rememberedShare = Math.min(1, REMEMBERED_FEEDS / Math.max(retailers, 1))
  return firstReads + (reads - firstReads) * (1 - rememberedShare)
}

/** A supplier's day, drawn at random. */
function drawDays(workload: Workload, random: () => number): Days {
  const { quarterHourlyShare, hourlyShare, unchangedShare, readsPerDay } = workload
  const kind = random()
  const isHourly = kind < quarterHourlyShare + hourlyShare
  const syncs = kind < quarterHourlyShare ? 96 : isHourly ? 24 : 1
  const published = syncs * (1 - unchangedShare)
  const megabytes =
    workload.medianFileMegabytes * Math.exp(workload.fileSizeSpread * drawNormal(random))
  // Few have many: the numbers fall off exponentially.
  const retailers = Math.round(-Math.log(1 - random()) * workload.retailersPerSupplier)
  const newFiles = Math.min(readsPerDay, published)
  const { conditionalShare, filteredShare } = workload
  const views = Math.min(workload.maxViews, Math.round(retailers * filteredShare))
  // How many shops read a file before the next one.
  const readersOf = (shops: number) =>
    published > 0 ? shops * Math.min(1, readsPerDay / published) : 0
  const readersOfVersion = readersOf(retailers * (1 - filteredShare))
  const readersOfView = views > 0 ? readersOf((retailers * filteredShare) / views) : 0
  return {
    syncs,
    published,
    fileBytes: Math.min(megabytes, workload.maxFileMegabytes) * MEGABYTE,
    rowBytes: ROW_BYTES_OF_FILE,
    retailers,
    reads: readsPerDay,
    sent: conditionalShare * newFiles + (1 - conditionalShare) * readsPerDay,
    views,
    viewShare: workload.filteredRowShare,
    copiesOfVersion: countCopies(readersOfVersion, workload),
    copiesOfView: countCopies(readersOfView, workload),
    actions: workload.actionsPerDay,
  }
}

/** How many copies a file gets: of each content coding one, if one of its readers prefers it. */
function countCopies(readers: number, { gzipShare, brotliShare }: Workload): number {
  return 2 - (1 - gzipShare) ** readers - (1 - brotliShare) ** readers
}

function addDay(
  totals: Totals,
  day: Days,
  { filteredShare, workbookShare, gzipShare, brotliShare, copySize }: Workload,
): void {
  const sentShare = 1 - (gzipShare + brotliShare) * (1 - copySize)
  const megabytes = day.fileBytes / MEGABYTE
  const reads = day.retailers * day.reads
  const sent = day.retailers * day.sent
  const filtered = day.published * day.views
  const meanShare = 1 - filteredShare * (1 - day.viewShare)
  const sentBytes = sent * day.fileBytes * meanShare * sentShare
  const newReads = day.retailers * Math.min(day.reads, day.published)
  totals.syncs += day.syncs
  totals.reads += reads
  const removals = day.views > 0 ? Math.min(CLEAN_UPS_PER_DAY, day.published) : 0
  const readings = day.published * Math.ceil(day.views / MAX_FILTERED_TOGETHER)
  const copiesOfFiltered = filtered * day.copiesOfView
  const copies = day.published * day.copiesOfVersion + copiesOfFiltered
  totals.firstReads += day.retailers * Math.min(day.reads, day.syncs)
  totals.filtered += filtered
  totals.copiesOfFiltered += copiesOfFiltered
  totals.removals += removals
  addCosts(totals, {
    unchangedAnswer: day.syncs - day.published,
    published: day.published,
    view: filtered,
    viewsTogether: readings,
    viewRemoval: filtered,
    viewsRemoval: removals,
    compression: copies,
    copyRemoval: copies,
    cleanUp: CLEAN_UPS_PER_DAY,
    move: newReads,
    sent,
    notModified: reads - sent,
  })
  totals.writes += day.actions
  const workbookMs =
    day.published * workbookShare * (CPU_MS.workbook + CPU_MS.workbookMegabyte * megabytes)
  totals.workbookMs += workbookMs
  totals.workerMs +=
    workbookMs +
    day.published * (CPU_MS.sync + CPU_MS.syncMegabyte * megabytes) +
    (day.syncs - day.published) * CPU_MS.unchanged +
    filtered * (CPU_MS.filtered + CPU_MS.filteredMegabyte * megabytes) +
    readings * CPU_MS.filteredReading * megabytes
  totals.webMs +=
    (reads - sent) * (CPU_MS.read304 + CPU_MS.record304) +
    sent * (CPU_MS.read + CPU_MS.record) +
    (sentBytes / MEGABYTE) * CPU_MS.sentMegabyte
  totals.sentBytes += sentBytes
}

/** Adds what operations write. Reads are recorded together with others. */
function addCosts(totals: Totals, counts: Record<keyof typeof OPERATION_COSTS, number>): void {
  for (const [name, cost] of Object.entries(OPERATION_COSTS) as [
    keyof typeof counts,
    OperationCost,
  ][]) {
    const { transactions, rows, bucket } = cost
    const isRecord = name === 'sent' || name === 'notModified'
    totals.writes += (counts[name] * transactions) / (isRecord ? RECORDS_PER_TRANSACTION : 1)
    totals.writtenRows += counts[name] * rows
    totals.bucketWrites +=
      counts[name] * (bucket.put + bucket.copy + bucket.delete / DELETED_AT_ONCE)
    totals.bucketReads += counts[name] * (bucket.head + bucket.get)
  }
}

function price(
  needs: Pick<
    Outcome,
    | 'workerCores'
    | 'webCores'
    | 'databaseBytes'
    | 'fileBytes'
    | 'sentBytes'
    | 'bucketWrites'
    | 'bucketReads'
  >,
  prices: Prices,
): Pick<Outcome, 'dollars' | 'sentDollars'> {
  const gigabytes = (bytes: number) => bytes / 1e9
  const sentDollars = gigabytes(needs.sentBytes) * prices.sentGigabyte
  const dollars = sum([
    sentDollars,
    (Math.ceil(needs.workerCores) + Math.ceil(needs.webCores)) * prices.coreMonth,
    gigabytes(needs.databaseBytes) * prices.databaseGigabyteMonth,
    gigabytes(needs.fileBytes) * prices.fileGigabyteMonth,
    (needs.bucketWrites / 1_000) * prices.thousandWrites,
    (needs.bucketReads / 1_000) * prices.thousandReads,
  ])
  return { dollars, sentDollars }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

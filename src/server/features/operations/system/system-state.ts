import { DAY_MS } from '../../../../shared/durations'
import type { SystemState } from '../../../../shared/schemas/system'
import { describeDatabase } from '../../../db/database-place'
import { engineOf } from '../../../db/engine'
import type { DataSizesRow, ProcessRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import { reservedBytesOf } from '../../../storage/reserved-space'
import { describeBucket } from '../../../storage/s3/bucket-place'
import { listDataSizes } from './data-sizes.queries'
import { forecastDisk, growthOf } from './forecast'
import { isMixed, listRunning } from './processes'

const SHOWN_DAYS = 60
/** From longer ago, what happened tells little of what will. */
const FORECAST_DAYS = 30

/** What the installation is, where its data are, and how these grow. Only for administrators. */
export async function readSystemState(deps: Deps): Promise<SystemState> {
  const { config, clock, db } = deps
  const running = await listRunning(deps)
  const { name, version } = await readEngine(deps)
  const sizes = await listDataSizes(db, clock.now() - SHOWN_DAYS * DAY_MS)
  const recent = sizes.filter(({ startedAt }) => startedAt > clock.now() - FORECAST_DAYS * DAY_MS)
  return {
    version: config.productVersion,
    revision: config.productRevision ?? null,
    runtime: `Node ${process.version}`,
    database: { engine: name, version, place: describeDatabase(config) },
    files: toPlace(config.bucket, config.filesDir),
    backups: toPlace(config.backupBucket, config.backupsDir),
    queue: config.redisUrl ? 'redis' : 'database',
    hasMail: deps.mail !== null,
    processes: running.map(toRunningProcess),
    isMixed: isMixed(running),
    disk: await readDisk(deps, recent),
    sizes: sizes.map(({ startedAt, databaseBytes, filesBytes, backupsBytes }) => ({
      day: toInstant(startedAt),
      databaseBytes,
      filesBytes,
      backupsBytes,
    })),
    growth: readGrowth(recent),
  }
}

async function readEngine({ db }: Deps): Promise<{ name: string; version: string }> {
  const { name } = engineOf(db)
  return { name, version: (await engineOf(db).readServer()).version }
}

const toPlace = (bucket: Deps['config']['bucket'], folder: string) => ({
  place: bucket ? describeBucket(bucket) : folder,
  isBucket: bucket !== undefined,
})

const toRunningProcess = ({ startedAt, seenAt, ...row }: ProcessRow) => ({
  ...row,
  startedAt: toInstant(startedAt),
  seenAt: toInstant(seenAt),
})

async function readDisk(
  { files, config }: Deps,
  sizes: DataSizesRow[],
): Promise<SystemState['disk']> {
  const { freeBytes, totalBytes } = await files.measureSpace()
  const reservedBytes = reservedBytesOf(totalBytes, config.minFreeBytes)
  // A disk that has been made larger was used otherwise before.
  const used = sizes
    .filter((row) => row.totalBytes === totalBytes)
    .map((row) => ({ day: row.startedAt / DAY_MS, bytes: row.totalBytes - row.freeBytes }))
  return {
    freeBytes,
    totalBytes,
    reservedBytes,
    forecast: forecastDisk(used, freeBytes - reservedBytes),
  }
}

function readGrowth(sizes: DataSizesRow[]): SystemState['growth'] {
  const grow = (read: (row: DataSizesRow) => number | null) =>
    growthOf(
      sizes.flatMap((row) => {
        const bytes = read(row)
        return bytes === null ? [] : [{ day: row.startedAt / DAY_MS, bytes }]
      }),
    )
  const databaseBytes = grow((row) => row.databaseBytes)
  const filesBytes = grow((row) => row.filesBytes)
  if (databaseBytes === null || filesBytes === null) return null
  return { databaseBytes, filesBytes, backupsBytes: grow((row) => row.backupsBytes) }
}

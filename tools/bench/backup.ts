import { sql } from 'kysely'

import { timeResponses } from '../../src/e2e/support/response-times'
import { until, type RestClient } from '../../src/e2e/support/rest-client'
import { inTransaction, openDatabase } from '../../src/server/db/open'
import type { BackupFile, CronJob } from '../../src/shared/schemas/cron-job'
import { atLeast, atMost } from './goal'
import { compareTimes } from './interleave'
import { timeCommand } from './peers'
import { toMilliseconds } from './rates'
import type { Row } from './row'
import { openStage } from './stage'
import { median, percentile } from './statistics'
import { toSeconds } from './sync-rows'

const ROW_BYTES = 20_000

export const backupRows: readonly Row[] = [
  {
    number: 16,
    name: 'backup',
    parts: [
      { what: 'backup of a database of 1 GB, verified: cp and sync', goal: atLeast(0.3) },
      { what: 'p99 of GET /api/user meanwhile', goal: atMost(100, 'ms') },
    ],
    async measure({ folder, cleanups, sizes, runs }) {
      const { admin, dataDir } = await openStage(`${folder}/large-data`, cleanups)
      const database = `${dataDir}/app.db`
      await enlarge(database, sizes.huge)
      const p99s: number[] = []
      const copy = `cp ${database} ${folder}/copy.db && sync ${folder}/copy.db && rm ${folder}/copy.db`
      const compared = await compareTimes({
        runs,
        async ours() {
          const ask = () => admin.send('GET', '/api/user')
          p99s.push(percentile(await timeResponses(ask, makeBackup(admin)), 0.99))
          return readNewestDuration(admin)
        },
        peer: () => timeCommand(copy),
      })
      return [toSeconds(compared), toMilliseconds(median(p99s))]
    },
  },
]

/** Adds sessions that mean nothing. */
async function enlarge(file: string, sizeBytes: number): Promise<void> {
  const db = openDatabase(file)
  const count = sizeBytes / ROW_BYTES
  await inTransaction(db, (trx) =>
    sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
      insert into sessions (idHash, data, createdAt, touchedAt, expiresAt)
      select n, hex(randomblob(${ROW_BYTES / 2})), 0, 0, 9e15 from counted`.execute(trx),
  )
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  await db.destroy()
}

async function makeBackup(admin: RestClient): Promise<void> {
  const before = await readNewest(admin)
  await admin.send('POST', '/api/admin/trigger-backup', {})
  const newest = () => readNewest(admin)
  await until(newest, (backup) => backup?.filename !== before?.filename)
  const job = async () =>
    ((await admin.send('GET', '/api/admin/cron-jobs')).body as CronJob[]).find(
      ({ name }) => name === 'backup',
    )
  await until(job, (found) => found?.status !== 'running')
}

async function readNewest(admin: RestClient): Promise<BackupFile | undefined> {
  const { body } = await admin.send('GET', '/api/admin/backup-files?jobName=backup')
  return (body as BackupFile[])[0]
}

const readNewestDuration = async (admin: RestClient) =>
  ((await readNewest(admin))?.durationMs ?? NaN) / 1_000

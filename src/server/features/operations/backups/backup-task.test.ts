import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../../../shared/constants'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import {
  MAX_FILE_LIST_BYTES,
  MAX_FILES_IN_LIST,
  MAX_FILES_IN_MANIFEST,
  MAX_MANIFEST_BYTES,
} from '../../../storage/backup-manifest'
import { openFileDeps, runBackup, seedStock } from '../../../testing/fixtures/stock'
import { loseContent, storeContent } from '../../../testing/fixtures/stored-files'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { cleanStorage, deleteUnneededFiles } from '../../distribution/stored-files/storage-cleaning'
import { insertCronJob, updateCronJob } from '../cron-jobs/cron-jobs.queries'
import { listBackupFiles } from './backups'
import { makeBackup } from './make-backup'

const SIGNAL = new AbortController().signal
const FILES = ['sku,qty\r\n1,5\r\n', 'sku,qty\r\n2,7\r\n', 'sku,qty\r\n3,9\r\n']

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
})
afterEach(() => deps.close())

const drafts = () => readdir(join(deps.config.backupsDir, 'drafts'))
const countRows = async (table: 'users' | 'versions' | 'retailers') =>
  (await deps.db.selectFrom(table).selectAll().execute()).length

/** Holds the lease of the backup job, as a run would. */
async function holdLease(leaseToken: string) {
  const leaseUntil = deps.clock.now() + 30_000
  await inTransaction(deps.db, async (trx) => {
    await insertCronJob(trx, { name: BACKUP_JOB, schedule: '0 3 * * *', nextRunAt: null })
    await updateCronJob(trx, BACKUP_JOB, { leaseToken, leaseUntil, isRunning: true })
  })
}

describe('a backup', () => {
  it('lists the database and every file that the database names in its manifest', async () => {
    const { stored } = await seedStock(deps, { files: FILES, retailers: 20 })
    const { summary } = await runBackup(deps)
    expect(summary).toMatch(/^\S+ [KM]B, 3 files; database and 3 files read back in 0 s$/)
    const [backup] = await deps.backups.list()
    expect(backup?.manifest.database.rowCounts).toMatchObject({
      users: await countRows('users'),
      retailers: 20,
      versions: 3,
    })
    expect(backup?.manifest.files.toSorted(bySha256)).toEqual(stored.toSorted(bySha256))
    expect(await drafts()).toEqual([])
  })

  it('reports each step', async () => {
    await seedStock(deps, { files: FILES })
    const { steps } = await runBackup(deps)
    expect(steps).toEqual([
      'Checking the free space',
      'Copying the database',
      'Checking the database',
      'Copying files (1 of 3)',
      'Copying files (2 of 3)',
      'Copying files (3 of 3)',
      'Checking files (1 of 3)',
      'Checking files (2 of 3)',
      'Checking files (3 of 3)',
      'Publishing',
      'Removing old backups',
    ])
  })

  it('has the lists of gone items', async () => {
    await seedStock(deps, { files: FILES })
    const { sha256, sizeBytes } = await storeContent(deps.files, 'key,category,barcode,left_at\n')
    await deps.db
      .updateTable('versions')
      .set({ goneSha256: sha256, goneBytes: sizeBytes })
      .execute()
    await runBackup(deps)
    const [backup] = await deps.backups.list()
    expect(backup?.manifest.files).toContainEqual({ sha256, sizeBytes })
  })

  it('can be made of an empty database', async () => {
    await runBackup(deps)
    expect(await listBackupFiles(deps)).toHaveLength(1)
  })

  it('contains the database as of one instant, including the write-ahead log', async () => {
    await seedStock(deps, { files: FILES })
    await runBackup(deps, {
      report: async (step) => {
        if (step === 'Copying files (1 of 3)') await seedStock(deps, { files: ['later'] })
      },
    })
    const [backup] = await deps.backups.list()
    expect(backup?.manifest.database.rowCounts).toMatchObject({ users: 1, versions: 3 })
  })

  it('reuses unchanged files of the earlier backup', async () => {
    await seedStock(deps, { files: FILES })
    await runBackup(deps)
    deps.clock.advance(DAY_MS)
    let copied = 0
    const files: Deps['files'] = {
      ...deps.files,
      copyTo: async () => {
        copied += 1
      },
    }
    await runBackup({ ...deps, files })
    expect([copied, (await deps.backups.list()).length]).toEqual([0, 2])
  })

  it('copies a file again when the earlier backup’s copy is damaged', async () => {
    const { stored } = await seedStock(deps, { files: FILES })
    await runBackup(deps)
    const [first] = await deps.backups.list()
    const part = join(deps.config.backupsDir, first!.name, 'files', `${stored[0]!.sha256}.csv`)
    await writeFile(part, 'rotten')
    deps.clock.advance(DAY_MS)
    await runBackup(deps)
    const [second] = await deps.backups.list()
    const copy = join(deps.config.backupsDir, second!.name, 'files', `${stored[0]!.sha256}.csv`)
    expect(await readFile(copy, 'utf8')).toBe(FILES[0])
  })
})

describe('what was read back in the last week', () => {
  /** Lets each night's backup tell which files it reads. */
  function recordReads() {
    const read: string[] = []
    const backups: Deps['backups'] = {
      ...deps.backups,
      async createDraft(owner) {
        const draft = await deps.backups.createDraft(owner)
        const measureFile: typeof draft.measureFile = (sha256, signal) => {
          read.push(sha256)
          return draft.measureFile(sha256, signal)
        }
        return { ...draft, measureFile }
      },
    }
    const night = async () => {
      deps.clock.advance(DAY_MS)
      read.length = 0
      await runBackup({ ...deps, backups })
      return read.toSorted()
    }
    return night
  }

  const MANY = Array.from({ length: 20 }, (_, number) => `sku,qty\r\n${number},5\r\n`)

  it('is not read again, so that each file is read in one of seven nights', async () => {
    const { stored } = await seedStock(deps, { files: MANY })
    const all = stored.map(({ sha256 }) => sha256).toSorted()
    const night = recordReads()
    expect(await night()).toEqual(all)
    const week = []
    for (let count = 0; count < 7; count += 1) week.push(await night())
    expect(week.flat().toSorted()).toEqual(all)
    expect(Math.max(...week.map((read) => read.length))).toBeLessThan(all.length / 2)
  })

  it('is told of each backup', async () => {
    await seedStock(deps, { files: MANY })
    const night = recordReads()
    await night()
    const [first] = await listBackupFiles(deps)
    expect(first?.filesReadSince).toBe(first?.createdAt)
    for (let count = 0; count < 3; count += 1) await night()
    const [newest] = await listBackupFiles(deps)
    expect(newest?.filesReadSince).toBe(first?.createdAt)
  })

  it('does not include what has come since', async () => {
    const { stored } = await seedStock(deps, { files: MANY })
    const night = recordReads()
    await night()
    const { sha256, sizeBytes } = await storeContent(deps.files, 'key,category,barcode,left_at\n')
    await deps.db
      .updateTable('versions')
      .set({ goneSha256: sha256, goneBytes: sizeBytes })
      .execute()
    const read = await night()
    expect(read).toContain(sha256)
    expect(read.length).toBeLessThan(stored.length / 2)
  })

  it('does not keep a damaged file from being replaced within a week', async () => {
    const { stored } = await seedStock(deps, { files: MANY })
    const night = recordReads()
    await night()
    const [first] = await deps.backups.list()
    const { sha256 } = stored[0]!
    const partOf = (name: string) => join(deps.config.backupsDir, name, 'files', `${sha256}.csv`)
    await writeFile(partOf(first!.name), MANY[0]!.replace('5', '6'))
    for (let count = 0; count < 7; count += 1) await night()
    const [newest] = await deps.backups.list()
    expect(await readFile(partOf(newest!.name), 'utf8')).toBe(MANY[0])
  })
})

describe('a backup that cannot be complete', () => {
  const expectNoBackup = async () => {
    expect(await listBackupFiles(deps)).toEqual([])
    expect(await drafts()).toEqual([])
  }

  it('is not listed when a file was copied wrongly', async () => {
    await seedStock(deps, { files: FILES })
    const copyTo = (_sha256: string, path: string) => writeFile(path, 'sku,qty\r\n1,6\r\n')
    const files = { ...deps.files, copyTo }
    await expect(runBackup({ ...deps, files })).rejects.toThrow(
      /^The backup is damaged: the inventory/,
    )
    await expectNoBackup()
  })

  it('is not listed when its database is damaged', async () => {
    await seedStock(deps, { files: FILES, retailers: 200 })
    const backups: Deps['backups'] = {
      ...deps.backups,
      async createDraft(owner) {
        const draft = await deps.backups.createDraft(owner)
        const damage = async () => {
          const content = await readFile(draft.databasePath)
          content.fill(0xff, 5_000, 40_000)
          await writeFile(draft.databasePath, content)
        }
        // Damaged before the hash is taken, so that only SQLite can detect it.
        const measureDatabase = (signal: AbortSignal) =>
          damage().then(() => draft.measureDatabase(signal))
        return { ...draft, measureDatabase }
      },
    }
    await expect(runBackup({ ...deps, backups })).rejects.toThrow('The backup is damaged')
    await expectNoBackup()
  })

  it('fails when a file is missing', async () => {
    const { stored } = await seedStock(deps, { files: FILES })
    await loseContent(deps.files, stored[0]!.sha256)
    await expect(runBackup(deps)).rejects.toThrow(
      `The inventory file ${stored[0]!.sha256} is missing`,
    )
    await expectNoBackup()
  })

  it('has lists of more files than a manifest has, and keeps them until it has half as many', async () => {
    await seedStock(deps, { files: FILES })
    const hasLists = async (mostInManifest: number) => {
      deps.clock.advance(DAY_MS)
      const run = { leaseToken: 'run', signal: SIGNAL, report: async () => undefined }
      const { backup } = await makeBackup(deps, run, 'daily', mostInManifest)
      return backup.manifest.fileLists !== undefined
    }
    const found = []
    for (const most of [3, 2, 3, 5, 6, 5]) found.push(await hasLists(most))
    expect(found).toEqual([false, true, true, true, false, false])
  })

  it('has no longer manifest or list than a restore reads', () => {
    const file = { sha256: 'f'.repeat(64), sizeBytes: 1_000_000_000_000 }
    const fileBytes = JSON.stringify([file], null, 1).length + '  '.length * 4
    expect(MAX_FILES_IN_MANIFEST * fileBytes).toBeLessThan(MAX_MANIFEST_BYTES)
    expect(MAX_FILES_IN_LIST * fileBytes).toBeLessThan(MAX_FILE_LIST_BYTES)
  })

  it('does not start when the disk has too little space', async () => {
    await seedStock(deps, { files: FILES })
    const backups = { ...deps.backups, freeBytes: async () => 40 * 1024 * 1024 }
    await expect(runBackup({ ...deps, backups })).rejects.toThrow(
      /^A backup needs \d+ MB of disk space, and 40 MB are free$/,
    )
    await expectNoBackup()
  })

  it.each(['ENOSPC', 'EDQUOT'])('reports that the disk was full: %s', async (code) => {
    await seedStock(deps, { files: FILES })
    const copyTo = () => Promise.reject(Object.assign(new Error(code), { code }))
    await expect(runBackup({ ...deps, files: { ...deps.files, copyTo } })).rejects.toThrow(
      'The disk became full during the backup',
    )
    await expectNoBackup()
  })

  it.each([
    'Copying the database',
    'Copying files (2 of 3)',
    'Checking files (1 of 3)',
    'Publishing',
  ])('leaves nothing behind when it is stopped at: %s', async (last) => {
    await seedStock(deps, { files: FILES })
    const stop = new AbortController()
    const report = async (step: string) => {
      if (step === last) stop.abort(new Error('Stopped'))
    }
    await expect(runBackup(deps, { signal: stop.signal, report })).rejects.toThrow('Stopped')
    await expectNoBackup()
  })
})

describe('old backups and drafts', () => {
  it('are removed but for the newest backup of each of seven days and four weeks', async () => {
    await runBackup(deps)
    const [{ manifest, readTimes } = { manifest: undefined, readTimes: undefined }] =
      await deps.backups.list()
    for (let day = 0; day < 12; day++) {
      deps.clock.advance(DAY_MS)
      const draft = await deps.backups.createDraft('earlier')
      const createdAt = new Date(deps.clock.now()).toISOString()
      await draft.writeManifest({ ...manifest!, createdAt })
      await draft.publish({ kind: 'daily', readTimes: readTimes! })
    }
    deps.clock.advance(DAY_MS / 2)
    await runBackup(deps)
    // From Thursday 15 January: seven days, and the Sunday of the week before.
    expect((await listBackupFiles(deps)).map((file) => file.createdAt.slice(0, 16))).toEqual([
      '2026-01-27T20:30',
      '2026-01-26T08:30',
      '2026-01-25T08:30',
      '2026-01-24T08:30',
      '2026-01-23T08:30',
      '2026-01-22T08:30',
      '2026-01-21T08:30',
      '2026-01-18T08:30',
    ])
  })

  it('are removed when their process has died, and kept while it lives', async () => {
    await deps.backups.createDraft('a dead run')
    await deps.backups.createDraft('a live run')
    await holdLease('a live run')
    await cleanStorage(deps, SIGNAL)
    expect(await drafts()).toEqual([expect.stringMatching(/^a live run\./)])
    deps.clock.advance(MINUTE_MS)
    await cleanStorage(deps, SIGNAL)
    expect(await drafts()).toEqual([])
  })
})

describe('while a backup is being made', () => {
  it('keeps every file that its database may name', async () => {
    const { stored, connectionId } = await seedStock(deps, { files: FILES })
    await holdLease('run')
    const clean = async () => {
      await inTransaction(deps.db, (trx) =>
        trx.deleteFrom('versions').where('connectionId', '=', connectionId).execute(),
      )
      await deleteUnneededFiles(deps, [stored[0]!.sha256])
      await cleanStorage(deps, SIGNAL)
    }
    await runBackup(deps, {
      leaseToken: 'run',
      report: async (step) => (step === 'Copying files (1 of 3)' ? clean() : undefined),
    })
    expect((await deps.backups.list())[0]?.manifest.files).toHaveLength(3)
    expect(await countRows('versions')).toBe(0)
    expect(await deps.files.has(stored[0]!.sha256)).toBe(true)
    deps.clock.advance(MINUTE_MS)
    await cleanStorage(deps, SIGNAL)
    expect(await deps.files.has(stored[0]!.sha256)).toBe(false)
  })
})

function bySha256(one: { sha256: string }, other: { sha256: string }): number {
  return one.sha256 < other.sha256 ? -1 : 1
}

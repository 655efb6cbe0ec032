import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DRILL_JOB } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import type { Deps } from '../../../domain/deps'
import { createSecretBox } from '../../../secrets/secret-box'
import type { BackupManifest } from '../../../storage/backup-manifest'
import { signManifest } from '../../../storage/backup-signature'
import { untilStopped } from '../../../testing/fixtures/cron-tasks'
import { createAdmin } from '../../../testing/fixtures/factories'
import { openFileDeps, runBackup, seedStock } from '../../../testing/fixtures/stock'
import { TEST_KEY, type TestDeps } from '../../../testing/stages/test-deps'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { claimCronJob } from '../cron-jobs/cron-claiming'
import {
  deleteCronJob,
  ensureCronJobs,
  listCronJobRuns,
  runCronJobNow,
} from '../cron-jobs/cron-jobs'
import { runCronJob } from '../cron-jobs/cron-run'
import { requestDrill } from './backup-drills'
import { listBackupFiles } from './backups'

const SIGNAL = new AbortController().signal
const FILES = ['sku,qty\r\n1,5\r\n', 'sku,qty\r\n2,7\r\n']
const NOTHING = { isRunning: false, finishedAt: null, outcome: null, reason: null }

let deps: TestDeps
let admin: { id: number }

beforeEach(async () => {
  deps = await openFileDeps({ encryptionKey: TEST_KEY })
  await ensureCronJobs(deps)
  admin = await createAdmin(deps)
  await seedStock(deps, { files: FILES, retailers: 3 })
  await runBackup(deps)
})
afterEach(() => deps.close())

const drafts = () => readdir(join(deps.config.backupsDir, 'drafts'))
const listDrills = async () => (await listBackupFiles(deps)).map(({ drill }) => drill)
const newest = async () => (await deps.backups.list())[0]!
const fileNameOf = async (position: number) => (await listBackupFiles(deps))[position]!.filename
const listTold = async () => {
  await deps.work()
  const events = await deps.db
    .selectFrom('notifications')
    .innerJoin('events', 'events.id', 'notifications.eventId')
    .select(['notifications.userId', 'events.kind', 'events.details'])
    .execute()
  return events.filter(({ kind }) => kind === 'backup.test-failed')
}

async function runDrill() {
  await runCronJobNow(deps, DRILL_JOB)
  await deps.work()
  return (await listCronJobRuns(deps, DRILL_JOB))[0]
}

/** Runs the job with a rehearsal of the test's own. */
async function runWith(rehearseRestore: Deps['rehearseRestore'], stop: AbortSignal = SIGNAL) {
  const lease = await claimCronJob(deps, DRILL_JOB)
  await runCronJob({ ...deps, rehearseRestore }, lease!, stop)
}

/** Changes what the newest backup says of itself, and signs it with the key that it was made with. */
async function changeManifest(change: (manifest: BackupManifest) => void) {
  const { name, manifest } = await newest()
  const { formatVersion: _, verifiedAt, signature: __, ...contents } = structuredClone(manifest)
  change(contents as BackupManifest)
  const path = join(deps.config.backupsDir, name, 'manifest.json')
  await writeFile(path, JSON.stringify(signManifest(deps.secrets, contents, verifiedAt)))
}

async function fileOfNewest() {
  const { name, manifest } = await newest()
  const { sha256 } = manifest.files[0]!
  return { sha256, path: join(deps.config.backupsDir, name, 'files', `${sha256}.csv`) }
}

describe('a good backup', () => {
  it('passes, leaves no scratch, and touches neither data nor backup', async () => {
    const before = await deps.db.selectFrom('retailers').selectAll().execute()
    expect(await listDrills()).toEqual([NOTHING])
    const run = await runDrill()
    expect(run).toMatchObject({
      outcome: 'succeeded',
      summary: '1 backup restored and compared in 0 s',
    })
    const finishedAt = new Date(deps.clock.now()).toISOString()
    expect(await listDrills()).toEqual([{ ...NOTHING, finishedAt, outcome: 'passed' }])
    expect(await drafts()).toEqual([])
    expect(await deps.db.selectFrom('retailers').selectAll().execute()).toEqual(before)
    expect(await listTold()).toEqual([])
  })

  it('is the newest one each week, and any one that is asked for', async () => {
    deps.clock.advance(DAY_MS)
    await runBackup(deps)
    await runDrill()
    expect((await listDrills()).map(({ outcome }) => outcome)).toEqual(['passed', null])
    await requestDrill(deps, admin, await fileNameOf(1))
    await deps.work()
    expect((await listDrills()).map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
    expect(await listCronJobRuns(deps, DRILL_JOB)).toHaveLength(2)
  })

  it('is not tested where there is none', async () => {
    await deps.backups.delete((await newest()).name)
    expect(await runDrill()).toMatchObject({ summary: 'There is no backup to test' })
  })

  it('is tested when somebody asks although the job is deleted', async () => {
    await deleteCronJob(deps, DRILL_JOB)
    await requestDrill(deps, admin, await fileNameOf(0))
    await deps.work()
    expect((await listDrills())[0]).toMatchObject({ outcome: 'passed' })
  })
})

describe('a backup that cannot be restored', () => {
  /** Runs the job, which must tell of the failure everywhere. @returns the reason that it tells */
  async function runToFailure() {
    const run = await runDrill()
    const { name } = await newest()
    const [drill] = await listDrills()
    expect(drill).toMatchObject({ outcome: 'failed', isRunning: false })
    expect(run).toMatchObject({ outcome: 'failed', error: `${name}: ${drill?.reason}` })
    expect(await listTold()).toEqual([
      {
        userId: admin.id,
        kind: 'backup.test-failed',
        details: { backupName: name, reason: drill?.reason },
      },
    ])
    expect(await drafts()).toEqual([])
    return drill?.reason
  }

  it('fails with a damaged file', async () => {
    const { path, sha256 } = await fileOfNewest()
    const content = await readFile(path, 'utf8')
    await writeFile(path, content.replace('5', '6').replace('7', '8'))
    expect(await runToFailure()).toMatch(
      `The backup is damaged: the inventory file ${sha256} was changed`,
    )
  })

  it('fails with a missing file', async () => {
    const { path, sha256 } = await fileOfNewest()
    await rm(path)
    expect(await runToFailure()).toMatch(
      `This backup cannot be used: files/${sha256}.csv is missing`,
    )
  })

  it('fails with another number of rows than it says', async () => {
    await changeManifest(({ database }) => void (database.rowCounts.retailers = 4))
    expect(await runToFailure()).toMatch('The backup is damaged: retailers has 3 rows instead of 4')
  })

  it('fails with a database that was changed', async () => {
    const { name } = await newest()
    const path = join(deps.config.backupsDir, name, 'app.db')
    const content = await readFile(path)
    content[content.length - 1]! ^= 1
    await writeFile(path, content)
    expect(await runToFailure()).toMatch('The backup is damaged: the database was changed')
  })

  it('fails with a manifest that was not signed', async () => {
    const { name, manifest } = await newest()
    const { signature: _, ...unsigned } = manifest
    const path = join(deps.config.backupsDir, name, 'manifest.json')
    await writeFile(path, JSON.stringify(unsigned))
    expect(await runToFailure()).toMatch(/^This backup cannot be used: it is not signed: [^\n]*$/)
  })

  it('fails without the key that it was signed with', async () => {
    deps.config.encryptionKey = Buffer.alloc(32, 8)
    const { keyId } = createSecretBox(TEST_KEY)
    expect(await runToFailure()).toMatch(
      `it is signed with key ${keyId}, which is not available here. Provide that key`,
    )
  })

  it('fails before anything is unpacked where there is too little space', async () => {
    await changeManifest(({ database }) => void (database.sizeBytes = 2 ** 52))
    expect(await runToFailure()).toMatch(/^Restoring needs .* of disk space, and .* are free in /)
  })

  it('fails before it takes the room that syncs need', async () => {
    Object.assign(deps.config, { minFreeBytes: 2 ** 52 })
    expect(await runToFailure()).toMatch(/^Restoring needs .* of disk space, and .* are free in /)
  })

  it('is told once, and not any more once it passes', async () => {
    const { path } = await fileOfNewest()
    const content = await readFile(path, 'utf8')
    await rm(path)
    await runDrill()
    await runDrill()
    expect(await listTold()).toHaveLength(1)
    await writeFile(path, content)
    await runDrill()
    const [problem] = await deps.db.selectFrom('problems').selectAll().execute()
    expect(problem).toMatchObject({ kind: 'backup.test-failed', closedAt: deps.clock.now() })
    expect((await listDrills())[0]).toMatchObject({ outcome: 'passed', reason: null })
  })

  it('is not told when it was removed meanwhile, and its results go with it', async () => {
    const { name } = await newest()
    await runDrill()
    await runWith(async () => {
      await deps.backups.delete(name)
      throw new Error('It is gone')
    })
    expect(await listTold()).toEqual([])
    await runDrill()
    expect(await deps.db.selectFrom('backupDrills').selectAll().execute()).toEqual([])
  })
})

describe('two drills at once', () => {
  it('are one: a second request joins the first, and another backup has to wait', async () => {
    deps.clock.advance(DAY_MS)
    await runBackup(deps)
    const [first, second] = [await fileNameOf(0), await fileNameOf(1)]
    const answers: unknown[] = []
    await runWith(async () => {
      expect(await claimCronJob(deps, DRILL_JOB)).toBeUndefined()
      answers.push((await listDrills())[0]?.isRunning)
      answers.push(await requestDrill(deps, admin, first))
      answers.push(await requestDrill(deps, admin, second).catch((error: unknown) => error))
    })
    expect(answers).toEqual([
      true,
      { message: 'It is already being tested' },
      expect.objectContaining({
        code: 'CONFLICT',
        message: 'Another backup is being tested. Try again once that is done.',
      }),
    ])
  })
})

describe('a drill that does not come to its end', () => {
  it('leaves no scratch when its process is stopped, and is done again', async () => {
    const stop = new AbortController()
    const whole = deps.rehearseRestore
    await runWith((name, rehearsal) => {
      const report = async (step: string) => {
        await rehearsal.report(step)
        if (step === 'Checking') stop.abort(new Error('The process stops'))
      }
      return whole(name, { ...rehearsal, report })
    }, stop.signal)
    expect(await drafts()).toEqual([])
    expect(await listDrills()).toEqual([{ ...NOTHING, isRunning: true }])
    await deps.work()
    expect((await listDrills())[0]).toMatchObject({ outcome: 'passed', isRunning: false })
  })

  it('is not recorded by a run that has lost its lease', async () => {
    await runWith(async () => {
      await deps.db.updateTable('cronJobs').set({ leaseToken: 'other' }).execute()
    })
    expect((await listDrills())[0]).toMatchObject({ outcome: null })
  })

  it('leaves a scratch that is removed with those of dead runs, but not while it runs', async () => {
    const stop = new AbortController()
    const folders: string[] = []
    await mkdir(join(deps.config.backupsDir, 'drafts', 'killed.scratch', 'files'), {
      recursive: true,
    })
    await runWith(async (_, { owner, signal }) => {
      const own = `${owner}.scratch`
      await mkdir(join(deps.config.backupsDir, 'drafts', own))
      await cleanStorage(deps, SIGNAL)
      folders.push(...(await drafts()))
      const stopped = untilStopped(signal)
      stop.abort(new Error('The process stops'))
      await stopped
    }, stop.signal)
    expect(folders).toEqual([expect.stringMatching(/\.scratch$/)])
    expect(folders[0]).not.toBe('killed.scratch')
  })
})

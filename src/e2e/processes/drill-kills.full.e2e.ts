import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import { cleanStorage } from '../../server/features/distribution/stored-files/storage-cleaning'
import { listBackupFiles } from '../../server/features/operations/backups/backups'
import { claimCronJob } from '../../server/features/operations/cron-jobs/cron-claiming'
import { runCronJob } from '../../server/features/operations/cron-jobs/cron-run'
import { createLogger } from '../../server/observability/logger'
import { figure } from '../../server/testing/fixtures/figures'
import { runBackup, seedStock } from '../../server/testing/fixtures/stock'
import { openTestDeps, TEST_KEY } from '../../server/testing/stages/test-deps'
import { DRILL_JOB } from '../../shared/constants'
import { makeDataDir, removeDataDir } from '../support/product'
import { killBeforeEachStep, killBeforeStep } from './killed-programs'

const DRILL = { name: 'failing-drill' }
const SIGNAL = new AbortController().signal

describe('a killed drill of a backup', () => {
  let template: string

  beforeAll(async () => {
    template = await makeDataDir()
    await writeFile(configOf(template).encryptionKeyFile, TEST_KEY.toString('base64'))
    const deps = await openTestDeps(configOf(template))
    await seedStock(deps, { files: ['sku\r\n1\r\n', 'sku\r\n2\r\n'], retailers: 20 })
    deps.clock.advance(Date.now() - deps.clock.now())
    await runBackup(deps)
    await deps.close()
  })
  afterAll(() => removeDataDir(template))

  const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const listDrafts = (dataDir: string) => readdir(join(dataDir, 'backups/drafts'))

  async function copyTemplate() {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    return dataDir
  }

  /** Acts as the next process, once the lease of the killed one has expired. */
  async function recover(dataDir: string) {
    const config = configOf(dataDir)
    const { deps, close } = await openDeps(config, createLogger(config))
    await deps.db.updateTable('cronJobs').set({ leaseUntil: 0 }).execute()
    await cleanStorage(deps, SIGNAL)
    const left = await listDrafts(dataDir)
    const lease = await claimCronJob(deps, DRILL_JOB)
    await runCronJob(deps, lease!, SIGNAL)
    const [backup] = await listBackupFiles(deps)
    const versions = await deps.db.selectFrom('versions').select('id').execute()
    await close()
    expect([left, backup?.drill.outcome, versions.length]).toEqual([[], 'passed', 2])
    expect(await listDrafts(dataDir)).toEqual([])
  }

  it('leaves no scratch, and data and backup as they were, whichever step it was killed before', async () => {
    const whole = await copyTemplate()
    const { steps } = await killBeforeStep(DRILL, whole)
    expect(await listDrafts(whole)).toEqual([])
    await removeDataDir(whole)
    expect(steps).toEqual(expect.arrayContaining(['make folder', 'write file', 'remove file']))
    const kills = await killBeforeEachStep(steps, async (last) => {
      const dataDir = await copyTemplate()
      expect(await killBeforeStep(DRILL, dataDir, last)).toMatchObject({ isKilled: true })
      await recover(dataDir)
      await removeDataDir(dataDir)
    })
    figure(
      'backups',
      'drills killed before one of their steps',
      `0 left scratch, ${kills} kills`,
      '0',
    )
  }, 600_000)
})

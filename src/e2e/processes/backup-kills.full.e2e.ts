import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { readDatabaseContent } from '../../server/db/database-content'
import { openDeps } from '../../server/deps'
import type { Deps } from '../../server/domain/deps'
import { cleanStorage } from '../../server/features/distribution/stored-files/storage-cleaning'
import { createLogger } from '../../server/observability/logger'
import { makeTarget, restore } from '../../server/testing/fixtures/backups'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { runBackup, seedStock } from '../../server/testing/fixtures/stock'
import { openTestDeps, TEST_KEY } from '../../server/testing/stages/test-deps'
import { makeDataDir, removeDataDir } from '../support/product'
import { killAfter, killBeforeStep, killBeforeEachStep } from './killed-programs'

const BACKUP = { name: 'failing-backup' }
/** One of an installation with many files. */
const LISTED_BACKUP = { ...BACKUP, args: ['lists'] }
const FORMS = [
  { what: 'a backup', program: BACKUP },
  { what: 'a backup of many files', program: LISTED_BACKUP },
]
const SIGNAL = new AbortController().signal
/** Approximate duration of a backup of the template. */
const BACKUP_MS = 600

/** Steps that the killed backups must include: a kill between them could leave half a backup. */
const NAMED_STEPS = [
  'make folder',
  'write file',
  'link file',
  'copy file',
  'fsync file',
  'fsync folder',
  'rename file',
]
/** Of the backups that a daily one replaces. */
const REMOVING_STEPS = ['hide file', 'remove file']

describe('a killed backup', () => {
  /** A data directory with files, one of them newer than its backup. */
  let template: string

  beforeAll(async () => {
    template = await makeDataDir()
    // The killed processes must sign with the same key as this one.
    await writeFile(configOf(template).encryptionKeyFile, TEST_KEY.toString('base64'))
    const deps = await openTestDeps(configOf(template))
    await seedStock(deps, { files: ['sku\r\n1\r\n', 'sku\r\n2\r\n'], retailers: 2_000 })
    deps.clock.advance(Date.now() - deps.clock.now())
    await runBackup(deps)
    await seedStock(deps, { files: ['sku\r\n3\r\n'] })
    await deps.close()
  })
  afterAll(() => removeDataDir(template))

  const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })

  async function open(dataDir: string) {
    const config = configOf(dataDir)
    return openDeps(config, createLogger(config))
  }

  /** Restores every listed backup and returns their number. */
  async function restoreAll(deps: Deps): Promise<number> {
    const backups = await deps.backups.list()
    for (const { name, manifest } of backups) {
      const { config, remove } = await makeTarget()
      const { encryptionKeyFile } = deps.config
      await restore(
        { ...config, encryptionKey: undefined, encryptionKeyFile },
        join(deps.config.backupsDir, name),
      )
      const { rowCounts } = await readDatabaseContent(config.databaseFile, SIGNAL)
      expect(rowCounts).toEqual(manifest.database.rowCounts)
      await remove()
    }
    return backups.length
  }

  /** Acts as the next process: restores what is listed, cleans up and makes a backup. */
  async function recover(dataDir: string): Promise<number> {
    const { deps, close } = await open(dataDir)
    const listed = await restoreAll(deps)
    expect(listed).toBeGreaterThan(0)
    await cleanStorage(deps, SIGNAL)
    expect(await readdir(join(dataDir, 'backups/drafts'))).toEqual([])
    await runBackup(deps)
    await close()
    return listed
  }

  async function copyTemplate() {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    return dataDir
  }

  it.each(FORMS)(
    'leaves only restorable ones when $what is killed before any of its steps',
    async ({ what, program }) => {
      const whole = await copyTemplate()
      const { steps } = await killBeforeStep(program, whole)
      await removeDataDir(whole)
      const expected = [...NAMED_STEPS, ...(program === BACKUP ? REMOVING_STEPS : [])]
      expect(steps).toEqual(expect.arrayContaining(expected))
      let restored = 0
      const kills = await killBeforeEachStep(steps, async (last) => {
        const dataDir = await copyTemplate()
        expect(await killBeforeStep(program, dataDir, last)).toMatchObject({ isKilled: true })
        const listed = await recover(dataDir)
        restored += listed
        await removeDataDir(dataDir)
      })
      const measured = `0 corrupt of ${restored} listed, ${kills} kills`
      figure('backups', `${what} killed before one of its steps`, measured, '0')
    },
    600_000,
  )

  it.each(FORMS)(
    'leaves only restorable ones when $what is killed at a random moment',
    async ({ what, program }) => {
      const kills = rounds(3, 50)
      const dataDir = await copyTemplate()
      let [killed, restored] = [0, 0]
      for (let kill = 0; kill < kills; kill++) {
        const { isKilled } = await killAfter(program, dataDir, Math.random() * BACKUP_MS)
        if (isKilled) killed += 1
        const { deps, close } = await open(dataDir)
        restored += await restoreAll(deps)
        await close()
      }
      await recover(dataDir)
      await removeDataDir(dataDir)
      expect(killed).toBeGreaterThan(0)
      const measured = `0 corrupt of ${restored} listed, ${killed} killed`
      figure('backups', `${kills} times ${what} killed at any moment`, measured, '0')
    },
    600_000,
  )
})

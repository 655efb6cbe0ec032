import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { migrateToLatest } from '../../server/db/migrate'
import { openDatabase } from '../../server/db/open'
import { openDeps } from '../../server/deps'
import { createLogger } from '../../server/observability/logger'
import { resumeRestore } from '../../server/restore/staged-restore'
import { makeSampleBackup, restore, type SampleBackup } from '../../server/testing/fixtures/backups'
import { figure } from '../../server/testing/fixtures/figures'
import { seedStock } from '../../server/testing/fixtures/stock'
import { findBrokenFiles, listStoredFiles } from '../../server/testing/fixtures/stored-files'
import { makeDataDir, removeDataDir } from '../support/product'
import { killBeforeStep, killBeforeEachStep } from './killed-programs'

/** Steps that the killed restores must include: a kill between them could mix old and new data. */
const NAMED_STEPS = [
  'make folder',
  'create file',
  'write',
  'write file',
  'fsync file',
  'begin',
  'commit',
  'fsync folder',
  'rename file',
  'remove file',
]

const EARLIER = 'sku\r\nearlier\r\n'

describe('a killed restore', () => {
  let backup: SampleBackup
  /** A data directory with other data, which the restore replaces. */
  let template: string

  beforeAll(async () => {
    backup = await makeSampleBackup()
    template = await makeDataDir()
    const { deps, close } = await start(template)
    await migrateToLatest(deps.db)
    await seedStock(deps, { files: [EARLIER] })
    await close()
  })
  afterAll(async () => {
    await backup.remove()
    await removeDataDir(template)
  })

  async function start(dataDir: string) {
    const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    return openDeps(config, createLogger(config))
  }

  async function copyTemplate() {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    return dataDir
  }

  /** Opens the folder and checks that it holds exactly the earlier or the restored data. */
  async function tryStart(dataDir: string): Promise<'earlier' | 'restored' | 'refused'> {
    const started = await start(dataDir).catch((error: Error) => error.message)
    if (typeof started === 'string') {
      if (started.includes('is not finished. Run npm run restore -- FILE again')) return 'refused'
      throw new Error(started)
    }
    const { deps, close } = started
    expect(await findBrokenFiles(deps)).toEqual([])
    const files = await listStoredFiles(deps)
    const retailers = await deps.db.selectFrom('retailers').select('id').execute()
    await close()
    // [files, retailers] of the earlier and of the restored data.
    expect([
      [1, 0],
      [2, 3],
    ]).toContainEqual([files.length, retailers.length])
    return retailers.length === 0 ? 'earlier' : 'restored'
  }

  /** The folders moved aside by restores that hold the earlier data. */
  async function findEarlier(dataDir: string): Promise<string[]> {
    const folders = (await readdir(dataDir)).filter((name) => name.startsWith('replaced-'))
    const found: string[] = []
    for (const folder of folders) {
      const db = openDatabase(join(dataDir, folder, 'app.db'))
      const versions = await db.selectFrom('versions').select('id').execute()
      await db.destroy()
      if (versions.length === 1) found.push(folder)
    }
    return found
  }

  it('leaves either the old or the new data, and is completed by the next restore', async () => {
    const program = { name: 'failing-restore', args: [backup.archive] }
    const whole = await copyTemplate()
    const { steps } = await killBeforeStep(program, whole)
    await removeDataDir(whole)
    expect(steps).toEqual(expect.arrayContaining(NAMED_STEPS))
    const left = { earlier: 0, restored: 0, refused: 0 }
    const kills = await killBeforeEachStep(steps, async (last) => {
      const dataDir = await copyTemplate()
      expect(await killBeforeStep(program, dataDir, last)).toMatchObject({ isKilled: true })
      left[await tryStart(dataDir)] += 1
      await restore(readConfig({ DATA_DIR: dataDir }), backup.archive, {
        replace: true,
        trust: true,
      })
      expect(await tryStart(dataDir), last).toBe('restored')
      expect(await findEarlier(dataDir), last).toHaveLength(1)
      await removeDataDir(dataDir)
    })
    expect(left.earlier).toBeGreaterThan(0)
    expect(left.refused).toBeGreaterThan(0)
    const measured = `0 mixed or lost, ${kills} kills, all completed by the next`
    figure('backups', 'a restore killed before one of its steps', measured, '0')
  }, 600_000)

  it.each([
    ['failing-staged-restore', 'beside the data'],
    ['failing-running-restore', 'into the running product'],
  ])(
    'begun in the browser, %s, leaves either the old or the new data to the next start',
    async (name, where) => {
      const program = {
        name,
        args: [name === 'failing-staged-restore' ? backup.archive : backup.name],
      }
      const copyWithBackup = async () => {
        const dataDir = await copyTemplate()
        await cp(backup.folder, join(dataDir, 'backups', backup.name), { recursive: true })
        return dataDir
      }
      const whole = await copyWithBackup()
      const { steps } = await killBeforeStep(program, whole)
      expect(await tryStart(whole)).toBe('restored')
      await removeDataDir(whole)
      expect(steps).toEqual(expect.arrayContaining(NAMED_STEPS))
      const left = { earlier: 0, restored: 0, refused: 0 }
      const kills = await killBeforeEachStep(steps, async (last) => {
        const dataDir = await copyWithBackup()
        expect(await killBeforeStep(program, dataDir, last), last).toMatchObject({ isKilled: true })
        const options = { now: Date.now(), report: () => undefined }
        await resumeRestore(readConfig({ DATA_DIR: dataDir }), options)
        const found = await tryStart(dataDir)
        left[found] += 1
        expect(await findEarlier(dataDir), last).toHaveLength(found === 'restored' ? 1 : 0)
        const names = (await readdir(dataDir)).filter((file) =>
          /^restore\.(?:tmp|json)$/.test(file),
        )
        expect(names, last).toEqual([])
        // Processes may begin.
        const db = openDatabase(join(dataDir, 'app.db'))
        const steppings = await db.selectFrom('restores').select('step').execute()
        await db.destroy()
        expect(steppings, last).not.toContainEqual({ step: 'stopping' })
        await removeDataDir(dataDir)
      })
      expect(left).toMatchObject({ refused: 0 })
      expect(left.earlier).toBeGreaterThan(0)
      expect(left.restored).toBeGreaterThan(0)
      const measured = `0 mixed or lost, ${kills} kills, all settled by the next start`
      figure(
        'backups',
        `a restore in the browser, ${where}, killed before one of its steps`,
        measured,
        '0',
      )
    },
    600_000,
  )
})

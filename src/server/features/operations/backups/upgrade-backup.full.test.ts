import { randomUUID } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { openFileDeps, runBackup, seedStock } from '../../../testing/fixtures/stock'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { readStorageState } from '../overview/overview'
import { listBackupFiles } from './backups'
import { makeUpgradeBackup } from './upgrade-backup'

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
  await seedStock(deps, { files: ['sku\r\n1\r\n'] })
})
afterEach(() => deps.close())

const makeOne = () =>
  makeUpgradeBackup(deps, {
    leaseToken: randomUUID(),
    signal: new AbortController().signal,
    report: async () => undefined,
  })

const listKinds = async () => (await listBackupFiles(deps)).map(({ kind }) => kind)

describe('the backup before an upgrade', () => {
  it('stays while daily backups are made and removed, and takes the place of none', async () => {
    await runBackup(deps)
    deps.clock.advance(MINUTE_MS)
    const { name } = await makeOne()
    expect(await listKinds()).toEqual(['upgrade', 'daily'])
    for (let week = 0; week < 8; week += 1) {
      deps.clock.advance(7 * DAY_MS)
      await runBackup(deps)
    }
    const days = Array.from({ length: 7 }, () => 'daily')
    expect(await listKinds()).toEqual([...days, 'upgrade'])
    expect((await deps.backups.find(name))?.kind).toBe('upgrade')
  })

  it('is removed by that of the next upgrade', async () => {
    const { name } = await makeOne()
    deps.clock.advance(DAY_MS)
    await runBackup(deps)
    deps.clock.advance(1)
    await makeOne()
    expect(await listKinds()).toEqual(['upgrade', 'daily'])
    expect(await deps.backups.find(name)).toBeUndefined()
  })

  it('is read back completely, because it may be needed within the hour', async () => {
    await runBackup(deps)
    deps.clock.advance(DAY_MS)
    await makeOne()
    const [newest] = await listBackupFiles(deps)
    expect(newest?.kind).toBe('upgrade')
    expect(newest?.filesReadSince).toBe(newest?.createdAt)
  })

  it('does not count as the daily one', async () => {
    await makeOne()
    const { backup } = await readStorageState(deps)
    expect(backup).toEqual({ last: null, isOverdue: true, isRunning: false })
  })
})

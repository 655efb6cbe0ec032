import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { allJobs } from '../../server/all-jobs'
import { readConfig } from '../../server/config'
import { listNamedFiles } from '../../server/db/database-content'
import { openDeps } from '../../server/deps'
import type { Deps } from '../../server/domain/deps'
import { LEASE_MS } from '../../server/domain/lease'
import { hashSecretToken } from '../../server/domain/secret-token'
import { WHOLE } from '../../server/features/distribution/downloads/feed-file'
import { openMergedRead } from '../../server/features/distribution/merged-files/merged-reads'
import { cleanStorage } from '../../server/features/distribution/stored-files/storage-cleaning'
import { claimDueWork } from '../../server/features/operations/scheduling/claim-due-work'
import { createLogger } from '../../server/observability/logger'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { findBrokenFiles, listStoredFiles } from '../../server/testing/fixtures/stored-files'
import { openMergedFileStage } from '../../server/testing/stages/merged-file-stage'
import { openInlineReader } from '../../server/testing/stages/reader-inline'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import { makeDataDir, removeDataDir } from '../support/product'
import { recoverFromEachKill, killBeforeStep } from './killed-programs'

const READER = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
const configOf = (dataDir: string) =>
  readConfig({ DATA_DIR: dataDir, MIN_FREE_BYTES: '0', LOG_LEVEL: 'warn' })
const rowsOf = (content: string) => content.trim().split(/\r?\n/).slice(1).toSorted()

describe('a merged file, of which the process is killed before any step', () => {
  let template: string
  let token: string
  let before: string[]
  const after = ['N-N1,2', 'N-N2,0', 'S-S1,1', 'S-S2,1']

  beforeAll(async () => {
    template = await makeDataDir()
    const stage = await openMergedFileStage(configOf(template))
    const { db } = stage.deps
    const north = await stage.addSupplier('sku,qty\r\nN1,1\r\nN2,1\r\n')
    const south = await stage.addSupplier('sku,qty\r\nS1,1\r\n')
    const parts = [
      { retailerId: north.retailerId, prefix: 'N-' },
      { retailerId: south.retailerId, prefix: 'S-' },
    ]
    await stage.save({ rules: {}, profile: { kind: 'stock' }, parts })
    token = await stage.address()
    before = rowsOf((await stage.read(token)).content)
    // The next files are published, and not merged yet.
    stage.deps.clock.advance(2 * MINUTE_MS)
    await db.updateTable('mergedFiles').set({ leaseToken: 'other', leaseUntil: 1e15 }).execute()
    await stage.publish(north.supplier, 'sku,qty\r\nN1,2\r\n')
    await stage.publish(south.supplier, 'sku,qty\r\nS1,1\r\nS2,1\r\n')
    await db.updateTable('mergedFiles').set({ leaseToken: null, leaseUntil: null }).execute()
    await db.updateTable('connections').set({ nextSyncAt: null }).execute()
    await stage.close()
  })
  afterAll(() => removeDataDir(template))

  async function makeUntil(last?: string) {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    const run = await killBeforeStep({ name: 'failing-sync', args: ['127.0.0.1:1'] }, dataDir, last)
    return { ...run, dataDir }
  }

  async function read(deps: Deps): Promise<string[]> {
    const request = { ...WHOLE, reader: READER }
    const { value } = await openMergedRead(deps, hashSecretToken(token), request)
    if ('refusal' in value) throw new Error('It was refused')
    return rowsOf(await text(await deps.files.read(value.sha256)))
  }

  /** Goes on as the next process, at a time when the killed one's leases have expired. */
  async function recover(dataDir: string, step: string) {
    const config = configOf(dataDir)
    const { deps: opened, close } = await openDeps(config, createLogger(config))
    await opened.readers.close()
    opened.readers = openInlineReader(config, Date.now)
    const deps = { ...opened, clock: { now: () => Date.now() + LEASE_MS + 1_000 } }
    expect(await findBrokenFiles(deps), step).toEqual([])
    expect([before.join(), after.join()], step).toContain((await read(deps)).join())
    deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
    await claimDueWork(deps)
    await deps.queue.idle()
    await cleanStorage(deps, new AbortController().signal)
    expect(await read(deps), step).toEqual(after)
    const named = (await listNamedFiles(deps.db)).map(({ sha256 }) => sha256)
    expect((await listStoredFiles(deps)).toSorted(), step).toEqual(named.toSorted())
    expect(await readdir(join(dataDir, 'files/drafts')), step).toEqual([])
    await close()
  }

  it(
    'is the one before or the one after, is made by the next process, and leaves no file behind',
    async () => {
      const killed = await recoverFromEachKill(makeUntil, recover)
      expect(killed).toBeGreaterThan(8)
      figure('crashes', 'merged files, killed before a step', `0 of ${killed} kills broke one`, '0')
    },
    rounds(10 * MINUTE_MS, 2 * HOUR_MS),
  )
})

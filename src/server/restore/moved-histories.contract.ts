import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../shared/durations'
import type { Config } from '../config'
import { inTransaction } from '../db/open'
import { openDeps } from '../deps'
import { requestHistory } from '../features/distribution/item-history/item-histories.queries'
import { readItemHistory } from '../features/distribution/item-history/item-history'
import { writeWaitingHistories } from '../features/distribution/item-history/write-histories'
import { createFileFetcher } from '../files/fetch/fetch'
import { createLogger } from '../observability/logger'
import { makeTarget, restore } from '../testing/fixtures/backups'
import {
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../testing/fixtures/factories'
import { runBackup } from '../testing/fixtures/stock'
import { findBrokenFiles } from '../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../testing/servers/source-server'
import { createInlineReader } from '../testing/stages/reader-inline'
import { openTestDeps } from '../testing/stages/test-deps'

/** As many as make the history fold. */
const VERSIONS = 12

/** Tests that histories of items are in backups, and go on where these are restored. */
export function describeMovedHistories(name: string, prepare: (config: Config) => Promise<void>) {
  describe(name, () => {
    let source: Awaited<ReturnType<typeof makeTarget>>
    let target: Awaited<ReturnType<typeof makeTarget>>
    let server: SourceServer

    beforeEach(async () => {
      ;[server, source, target] = [
        await startSourceServer(),
        await makeTarget(),
        await makeTarget(),
      ]
      await prepare(target.config)
      await mkdir(source.config.dataDir, { recursive: true })
    })
    afterEach(async () => {
      await Promise.all([source.remove(), target.remove(), server.close()])
    })

    /** Opens the product where it was restored, at the time of the backup. */
    async function openMoved(now: number) {
      const { deps, close } = await openDeps(target.config, createLogger({ logLevel: 'silent' }))
      const { maxFileBytes: maxBytes } = target.config
      const fetcher = createFileFetcher({ allow: [], maxBytes, now: () => now })
      const readers = createInlineReader(fetcher, maxBytes)
      return { deps: { ...deps, readers, clock: { now: () => now } }, close }
    }

    it('keeps histories whole, and they are written there', async () => {
      const deps = await openTestDeps({ ...source.config, fetchAllow: [server.host] })
      const supplier = await createSupplierUser(deps)
      const { id } = await createSupplierConnection(deps, supplier, server.url('/feed.csv'))
      await removeGuards(deps)
      for (let version = 1; version <= VERSIONS; version++) {
        server.set('/feed.csv', { body: `sku,qty\r\n1,${version}\r\n2,2\r\n` })
        deps.clock.advance(HOUR_MS)
        await deps.work()
      }
      const told = await readItemHistory(deps, supplier, { id, key: '1' })
      expect(told.points).toHaveLength(VERSIONS)
      const kinds = await deps.db.selectFrom('historyFiles').select('kind').execute()
      expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['state', 'changes', 'past']))
      await runBackup(deps)
      const [backup] = await deps.backups.list()
      const now = deps.clock.now()
      await deps.close()
      await restore(target.config, join(source.config.backupsDir, backup!.name))

      const moved = await openMoved(now)
      expect(await readItemHistory(moved.deps, supplier, { id, key: '1' })).toEqual(told)
      expect(await findBrokenFiles(moved.deps)).toEqual([])
      await moved.deps.db.deleteFrom('historyFiles').execute()
      await moved.deps.db.deleteFrom('itemHistories').execute()
      await inTransaction(moved.deps.db, (trx) => requestHistory(trx, id, now))
      await writeWaitingHistories(moved.deps, new AbortController().signal)
      expect(await readItemHistory(moved.deps, supplier, { id, key: '1' })).toEqual(told)
      await moved.close()
    })
  })
}

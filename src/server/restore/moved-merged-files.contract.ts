import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../shared/durations'
import { saveMergedFileInput } from '../../shared/schemas/merged-file'
import type { Config } from '../config'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { hashSecretToken } from '../domain/secret-token'
import { WHOLE } from '../features/distribution/downloads/feed-file'
import { makeMergedFiles } from '../features/distribution/merged-files/make-merged-files'
import { saveMergedFile } from '../features/distribution/merged-files/merged-file'
import { openMergedRead } from '../features/distribution/merged-files/merged-reads'
import { createFileFetcher } from '../files/fetch/fetch'
import { createLogger } from '../observability/logger'
import { makeTarget, restore } from '../testing/fixtures/backups'
import { runBackup } from '../testing/fixtures/stock'
import { findBrokenFiles } from '../testing/fixtures/stored-files'
import { openMergedFileStage } from '../testing/stages/merged-file-stage'
import { createInlineReader } from '../testing/stages/reader-inline'

const { signal } = new AbortController()
const READER = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }

/** Tests that merged files are in backups, and are made anew where these are restored. */
export function describeMovedMergedFiles(name: string, prepare: (config: Config) => Promise<void>) {
  describe(name, () => {
    let source: Awaited<ReturnType<typeof makeTarget>>
    let target: Awaited<ReturnType<typeof makeTarget>>

    beforeEach(async () => {
      source = await makeTarget()
      target = await makeTarget()
      await prepare(target.config)
      await mkdir(source.config.dataDir, { recursive: true })
    })
    afterEach(() => Promise.all([source.remove(), target.remove()]))

    async function read(deps: Deps, token: string) {
      const request = { ...WHOLE, reader: READER }
      const { value } = await openMergedRead(deps, hashSecretToken(token), request)
      if ('refusal' in value) throw new Error('It was refused')
      return text(await deps.files.read(value.sha256))
    }

    it('has the merged file at the same address, and makes it of the same parts', async () => {
      const stage = await openMergedFileStage(source.config)
      const { deps, retailer } = stage
      const north = await stage.addSupplier('sku,ean,qty\r\nN1,4006381333931,2\r\nN2,,5\r\n')
      const south = await stage.addSupplier('sku,ean,qty\r\nS1,4006381333931,3\r\n')
      const settings = {
        profile: { kind: 'stock' },
        parts: [
          { retailerId: north.retailerId, prefix: 'N-' },
          { retailerId: south.retailerId, prefix: 'S-' },
        ],
      }
      await stage.save({ rules: { quantity: 'sum' }, ...settings })
      const token = await stage.address()
      const before = await read(deps, token)
      expect(before).toContain('4006381333931,5')
      await runBackup(deps)
      const [backup] = await deps.backups.list()
      const now = deps.clock.now() + MINUTE_MS
      await stage.close()
      await restore(target.config, join(source.config.backupsDir, backup!.name))

      const opened = await openDeps(target.config, createLogger({ logLevel: 'silent' }))
      const { maxFileBytes: maxBytes } = target.config
      const fetcher = createFileFetcher({ allow: [], maxBytes, now: () => now })
      const readers = createInlineReader(fetcher, maxBytes)
      const moved = { ...opened.deps, readers, clock: { now: () => now } }
      expect(await findBrokenFiles(moved)).toEqual([])
      expect(await read(moved, token)).toBe(before)
      const most = saveMergedFileInput.parse({ rules: { quantity: 'most' }, ...settings })
      await saveMergedFile(moved, retailer, most)
      await makeMergedFiles(moved, signal)
      expect(await read(moved, token)).toContain('4006381333931,3')
      await opened.close()
    })
  })
}

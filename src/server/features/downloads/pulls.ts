import type { Readable } from 'node:stream'

import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { markVariantUsed } from '../variants/variants.queries'
import type { VersionRecord } from '../versions/versions.queries'
import { readClientFamily } from './client-family'
import { countPull, findDownload } from './downloads.queries'
import { insertPull } from './pulls.queries'

/** Limits the writes that record when a filtered file was last used. */
const RECORD_USE_EVERY_MS = 60 * 60_000

/** A retailer's file that is being sent. */
type Pull = {
  retailerId: number
  version: VersionRecord
  variantId: number | null
  rowCount: number
  sizeBytes: number
  dataAsOf: number
}

/** Records a pull, best effort: a database that cannot be written never stops a download. */
export async function recordPull(
  deps: Deps,
  { retailerId, version, variantId, rowCount, sizeBytes, dataAsOf }: Pull,
  userAgent: string | undefined,
): Promise<void> {
  const client = readClientFamily(userAgent)
  const { fileName } = version
  try {
    await inTransaction(deps.db, async (trx) => {
      const now = deps.clock.now()
      const download = await findDownload(trx, retailerId, version.id)
      if (download) await countPull(trx, download.id, now)
      const file = { fileName, dataAsOf, rowCount, sizeBytes }
      await insertPull(trx, { retailerId, pulledAt: now, ...file, client })
      if (variantId === null) return
      await markVariantUsed(trx, variantId, { usedAt: now, unlessAfter: now - RECORD_USE_EVERY_MS })
    })
  } catch (error) {
    deps.logger.warn({ err: error }, 'A download could not be counted')
  }
}

/**
 * Opens a stored file for reading.
 * @throws DomainError UNAVAILABLE when it was deleted since it was looked up; a retry rebuilds it
 */
export async function readStoredFile(deps: Deps, sha256: string): Promise<Readable> {
  try {
    return await deps.files.read(sha256)
  } catch (error) {
    if (await deps.files.has(sha256)) throw error
    throw new DomainError('UNAVAILABLE', 'The file is being prepared. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
}

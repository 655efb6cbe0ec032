import type { Readable } from 'node:stream'

import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { markVariantUsed } from '../variants/variants.queries'
import { countPull, findDownload } from './downloads.queries'

/** Limits the writes that record when a filtered file was last used. */
const RECORD_USE_EVERY_MS = 60 * 60_000

type Pull = { retailerId: number; versionId: number; variantId: number | null }

/** Counts a pull, best effort: a database that cannot be written never stops a download. */
export async function recordPull(
  deps: Deps,
  { retailerId, versionId, variantId }: Pull,
): Promise<void> {
  try {
    await inTransaction(deps.db, async (trx) => {
      const now = deps.clock.now()
      const download = await findDownload(trx, retailerId, versionId)
      if (download) await countPull(trx, download.id, now)
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

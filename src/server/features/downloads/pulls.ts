import type { Readable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

import { inTransaction, type Db, type WriteTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { markFeedAddressUsed } from '../feed-addresses/feed-addresses.queries'
import { markVariantUsed } from '../variants/variants.queries'
import { countPull, findDownload } from './downloads.queries'
import type { Pull, PullBatch } from './pull-ledger'
import { insertPull } from './pulls.queries'

/** Limits the writes that record when a filtered file was last used. */
const RECORD_USE_EVERY_MS = 60 * 60_000
/** Small, because statements of a transaction hold up everything else in the process. */
const PULLS_PER_TRANSACTION = 50

/** Stores the downloads and uses that a process has collected. */
export async function writePulls(db: Db, { pulls, uses }: PullBatch): Promise<void> {
  for (let start = 0; start < pulls.length; start += PULLS_PER_TRANSACTION) {
    const part = pulls.slice(start, start + PULLS_PER_TRANSACTION)
    await inTransaction(db, async (trx) => {
      for (const pull of part) await writePull(trx, pull)
    })
    await yieldToEventLoop()
  }
  if (uses.length === 0) return
  await inTransaction(db, async (trx) => {
    for (const { addressId, usedAt, client } of uses) {
      await markFeedAddressUsed(trx, addressId, { lastUsedAt: usedAt, lastClient: client })
    }
  })
}

async function writePull(
  trx: WriteTransaction,
  { versionId, variantId, ...record }: Pull,
): Promise<void> {
  const { retailerId, pulledAt } = record
  const download = await findDownload(trx, retailerId, versionId)
  // Deleted since, with the retailer.
  if (!download) return
  await countPull(trx, download.id, pulledAt)
  await insertPull(trx, record)
  if (variantId === null) return
  await markVariantUsed(trx, variantId, {
    usedAt: pulledAt,
    unlessAfter: pulledAt - RECORD_USE_EVERY_MS,
  })
}

/**
 * Opens a stored file for reading, or its bytes from `start` to `end` inclusive.
 * @throws DomainError UNAVAILABLE when it was deleted since it was looked up; a retry rebuilds it
 */
export async function readStoredFile(
  deps: Deps,
  sha256: string,
  range?: { start: number; end: number },
): Promise<Readable> {
  try {
    return await deps.files.read(sha256, range)
  } catch (error) {
    if (await deps.files.has(sha256)) throw error
    throw new DomainError('UNAVAILABLE', 'The file is being prepared. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
}

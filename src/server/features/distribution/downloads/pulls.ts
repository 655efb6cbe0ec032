import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

import type { Logger } from 'pino'

import { HOUR_MS } from '../../../../shared/durations'
import { inLossyTransaction, type Db, type WriteTransaction } from '../../../db/open'
import { markFeedAddressesUsed, markReadsRefused } from '../feed-addresses/feed-addresses.queries'
import { listExistingRetailers } from '../retailers/retailers.queries'
import { markVariantsUsed } from '../variants/variants.queries'
import { createPullLedger, type Download, type PullBatch, type PullLedger } from './pull-ledger'
import { addDownloads } from './recent-downloads'
import { listNewestDownloads, saveNewestDownloads } from './recent-downloads.queries'
import { addPulls, toRetailerPulls } from './retailer-pulls'
import { listPulls, savePulls } from './retailer-pulls.queries'

/** Limits the writes that record when a filtered file was last used. */
const RECORD_USE_EVERY_MS = HOUR_MS
/** Retailers; few, because statements of a transaction hold up everything else in the process. */
export const RECORDS_PER_TRANSACTION = 50

/** Opens the records of pulls, which are written to the database together. */
export function openPullLedger(db: Db, logger: Logger, writeAfterMs?: number): PullLedger {
  return createPullLedger(
    (batch) => writePulls(db, batch),
    (err) => logger.warn({ err }, 'Downloads could not be recorded'),
    writeAfterMs,
  )
}

async function writePulls(
  db: Db,
  { retailers, addresses, downloads, refused }: PullBatch,
): Promise<void> {
  await writeRefused(db, refused)
  const downloadsOf = Map.groupBy(downloads, ({ retailerId }) => retailerId)
  const addressesOf = Map.groupBy(addresses, ([, { retailerId }]) => retailerId)
  for (let start = 0; start < retailers.length; start += RECORDS_PER_TRANSACTION) {
    const part = retailers.slice(start, start + RECORDS_PER_TRANSACTION)
    await inLossyTransaction(db, async (trx) => {
      const ids = await writeCounts(trx, part)
      await writeDownloads(
        trx,
        ids.flatMap((id) => downloadsOf.get(id) ?? []),
      )
      const used = ids.flatMap((id) => addressesOf.get(id) ?? [])
      await markFeedAddressesUsed(
        trx,
        used.map(([id, { pulledAt, client }]) => ({
          id,
          lastUsedAt: pulledAt,
          lastClient: client,
        })),
      )
    })
    await yieldToEventLoop()
  }
}

async function writeRefused(db: Db, refused: PullBatch['refused']): Promise<void> {
  for (let start = 0; start < refused.length; start += RECORDS_PER_TRANSACTION) {
    const part = refused.slice(start, start + RECORDS_PER_TRANSACTION)
    await inLossyTransaction(db, (trx) => markReadsRefused(trx, part))
    await yieldToEventLoop()
  }
}

/** Returns the retailers that have not been deleted since. */
async function writeCounts(
  trx: WriteTransaction,
  retailers: PullBatch['retailers'],
): Promise<number[]> {
  const ids = retailers.map(({ last }) => last.retailerId)
  const known = await listPulls(trx, ids)
  const first = ids.filter((id) => !known.has(id))
  const existing = new Set([...known.keys(), ...(await listExistingRetailers(trx, first))])
  const kept = retailers.filter(({ last }) => existing.has(last.retailerId))
  const rows = kept.map(({ last, count }) =>
    addPulls(known.get(last.retailerId), toRetailerPulls(last, count)),
  )
  await savePulls(trx, rows)
  return rows.map(({ retailerId }) => retailerId)
}

/** Writes downloads, those of a retailer in their order. */
async function writeDownloads(trx: WriteTransaction, downloads: Download[]): Promise<void> {
  if (downloads.length === 0) return
  const byRetailer = Map.groupBy(downloads, ({ retailerId }) => retailerId)
  const known = await listNewestDownloads(trx, [...byRetailer.keys()])
  const rows = [...byRetailer].map(([id, added]) =>
    addDownloads(known.get(id)?.newestDownloads ?? [], added),
  )
  await saveNewestDownloads(trx, rows)
  const variantIds = downloads.flatMap(({ sent }) => sent.variantId ?? [])
  const usedAt = Math.max(...downloads.map(({ pulledAt }) => pulledAt))
  await markVariantsUsed(trx, [...new Set(variantIds)], {
    usedAt,
    unlessAfter: usedAt - RECORD_USE_EVERY_MS,
  })
}

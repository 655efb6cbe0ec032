import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

import type { Logger } from 'pino'

import { HOUR_MS } from '../../../../shared/durations'
import { inLossyTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { NewPullRow } from '../../../db/schema'
import { markFeedAddressUsed } from '../feed-addresses/feed-addresses.queries'
import { markVariantUsed } from '../variants/variants.queries'
import { countPulls, findDownload } from './downloads.queries'
import { toDay } from './pull-days'
import { addPulls } from './pull-days.queries'
import { createPullLedger, type Download, type PullBatch, type PullLedger } from './pull-ledger'
import { insertPulls } from './pulls.queries'

/** Limits the writes that record when a filtered file was last used. */
const RECORD_USE_EVERY_MS = HOUR_MS
/** Small, because statements of a transaction hold up everything else in the process. */
export const RECORDS_PER_TRANSACTION = 50

/** Opens the records of pulls, which are written to the database together. */
export function openPullLedger(db: Db, logger: Logger, writeAfterMs?: number): PullLedger {
  return createPullLedger(
    (batch) => writePulls(db, batch),
    (err) => logger.warn({ err }, 'Downloads could not be recorded'),
    writeAfterMs,
  )
}

async function writePulls(db: Db, batch: PullBatch): Promise<void> {
  const byRetailer = Map.groupBy(batch.downloads, ({ retailerId }) => retailerId)
  await writeInParts(db, [...byRetailer.values()], writeDownloads)
  await writeInParts(db, batch.retailers, async (trx, { last, count }) => {
    const { retailerId, versionId, pulledAt, client } = last
    // Deleted since, with the retailer.
    if (!(await findDownload(trx, retailerId, versionId))) return
    const day = toDay(pulledAt)
    const latest = { lastPulledAt: pulledAt, versionId, client }
    await addPulls(trx, { retailerId, day, pullCount: count, ...latest })
  })
  await writeInParts(db, [...batch.addresses], (trx, [id, { pulledAt, client }]) =>
    markFeedAddressUsed(trx, id, { lastUsedAt: pulledAt, lastClient: client }),
  )
}

async function writeInParts<Record>(
  db: Db,
  records: readonly Record[],
  write: (trx: WriteTransaction, record: Record) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < records.length; start += RECORDS_PER_TRANSACTION) {
    await inLossyTransaction(db, async (trx) => {
      for (const record of records.slice(start, start + RECORDS_PER_TRANSACTION)) {
        await write(trx, record)
      }
    })
    await yieldToEventLoop()
  }
}

/** Writes the downloads of one retailer, in their order. */
async function writeDownloads(trx: WriteTransaction, downloads: Download[]): Promise<void> {
  const known = new Set<number>()
  for (const [versionId, ofVersion] of Map.groupBy(downloads, (pull) => pull.versionId)) {
    const { retailerId, pulledAt } = ofVersion.at(-1)!
    const download = await findDownload(trx, retailerId, versionId)
    // Deleted since, with the retailer.
    if (!download) continue
    known.add(versionId)
    await countPulls(trx, download.id, { count: ofVersion.length, lastPulledAt: pulledAt })
  }
  const kept = downloads.filter(({ versionId }) => known.has(versionId))
  await insertPulls(trx, kept.map(toRow))
  const lastUses = new Map(kept.map(({ sent, pulledAt }) => [sent.variantId, pulledAt]))
  for (const [variantId, usedAt] of lastUses) {
    if (variantId === null) continue
    await markVariantUsed(trx, variantId, { usedAt, unlessAfter: usedAt - RECORD_USE_EVERY_MS })
  }
}

function toRow({ retailerId, pulledAt, client, sent }: Download): NewPullRow {
  const { variantId: _variantId, ...file } = sent
  return { retailerId, pulledAt, client, ...file }
}

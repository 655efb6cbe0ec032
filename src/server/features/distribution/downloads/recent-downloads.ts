import { DAY_MS } from '../../../../shared/durations'
import type { RecentDownloadsRow } from '../../../db/schema'
import type { StoredDownload } from '../../../db/stored-json'
import { toDay } from './pull-days'
import type { Download } from './pull-ledger'

/** As many as are shown. */
export const KEPT_DOWNLOADS = 20
/** Older ones are not shown any more. */
export const DOWNLOAD_LIFETIME_MS = 90 * DAY_MS

/** The newest of these downloads of one retailer, in any order; there is at least one. */
export function keepNewest(
  retailerId: number,
  downloads: readonly StoredDownload[],
): RecentDownloadsRow {
  const newestDownloads = downloads
    .toSorted((one, other) => other.pulledAt - one.pulledAt || other.id - one.id)
    .slice(0, KEPT_DOWNLOADS)
  return { retailerId, lastDay: toDay(newestDownloads[0]!.pulledAt), newestDownloads }
}

/** Adds downloads of one retailer, in their order, to those that are known. */
export function addDownloads(
  known: readonly StoredDownload[],
  added: readonly Download[],
): RecentDownloadsRow {
  let lastId = Math.max(0, ...known.map(({ id }) => id))
  const numbered = added.map(({ pulledAt, client, sent }) => {
    // Times, because the version before has numbered its own from 1 on.
    lastId = Math.max(lastId + 1, pulledAt)
    const { variantId: _variantId, ...file } = sent
    return { id: lastId, pulledAt, client, ...file }
  })
  return keepNewest(added[0]!.retailerId, [...known, ...numbered])
}

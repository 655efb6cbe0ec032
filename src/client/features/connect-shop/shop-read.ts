import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { DownloadRecord, LatestFile } from '../../../shared/schemas/file'
import { formatClockTime, formatDateTime } from '../../lib/time-format'

/** The last read of a shop. */
export interface ShopRead {
  at: string
  /** The program, as it is named. */
  client: string
  /** Of the file that it has since; null where that is no longer known. */
  rows: number | null
}

/** When a shop last used one of its addresses; null before the first read. */
export function findLastUse(addresses: readonly FeedAddress[]): FeedAddress | null {
  const used = addresses.filter(({ lastUsedAt }) => lastUsedAt !== null)
  return (
    used.toSorted((one, other) => Date.parse(other.lastUsedAt!) - Date.parse(one.lastUsedAt!))[0] ??
    null
  )
}

/**
 * The last read of a shop. One that found its file unchanged is not among the downloads: the shop then has the
 * rows of the one before.
 * @param downloads newest first, also by people
 */
export function findShopRead(
  addresses: readonly FeedAddress[],
  downloads: readonly DownloadRecord[],
): ShopRead | null {
  const address = findLastUse(addresses)
  if (!address?.lastUsedAt) return null
  const { lastUsedAt: at, lastClient } = address
  const until = downloads.filter(({ downloadedAt }) => Date.parse(downloadedAt) <= Date.parse(at))
  const download = until.find(
    ({ downloadedAt, client }) => downloadedAt === at || client === lastClient,
  )
  return { at, client: lastClient ?? 'A program', rows: download?.rowCount ?? null }
}

/** Whether an address is refused because its end is over. */
export const isExpired = ({ validUntil }: FeedAddress, nowMs: number): boolean =>
  validUntil !== null && Date.parse(validUntil) <= nowMs

/** The last read that was refused, unless the same address has been read since. */
export function findRefusal(addresses: readonly FeedAddress[]): FeedAddress['lastRefusal'] {
  const refusals = addresses.flatMap(({ lastRefusal, lastUsedAt }) =>
    lastRefusal && (lastUsedAt === null || Date.parse(lastRefusal.at) > Date.parse(lastUsedAt))
      ? lastRefusal
      : [],
  )
  return refusals.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0] ?? null
}

/** When the address that a shop still reads ends, while its new one has not been read; null otherwise. */
export function findEndOfReplaced(addresses: readonly FeedAddress[]): string | null {
  const newest = addresses.find(({ expiresAt }) => expiresAt === null)
  if (!newest || newest.lastUsedAt !== null) return null
  const last = findLastUse(addresses)
  return last?.expiresAt ?? null
}

/** Whether the file became the retailer's after the shop's last read. */
export const isBehindFile = (read: ShopRead | null, file: LatestFile | undefined): boolean =>
  read !== null &&
  file !== undefined &&
  'fileName' in file &&
  Date.parse(file.downloadDate) > Date.parse(read.at)

/** `at 10:41`, with the date unless it is today. */
export function tellTime(instant: string, nowMs: number): string {
  const at = new Date(instant)
  const isToday = at.toDateString() === new Date(nowMs).toDateString()
  return isToday ? `at ${formatClockTime(at.getTime())}` : `on ${formatDateTime(instant)}`
}

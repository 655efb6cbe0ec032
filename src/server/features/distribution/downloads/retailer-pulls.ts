import type { RetailerPullsRow } from '../../../db/schema'
import { toDay } from './pull-days'
import type { Pull } from './pull-ledger'

/** As many as the alert on silent retailers looks at: docs/rules.md#alerts. */
export const COUNTED_DAYS = 14

/** So many pulls of a retailer on the day of the last one. */
export function toRetailerPulls(last: Pull, count: number): RetailerPullsRow {
  const { retailerId, versionId, pulledAt, client } = last
  const lastDay = toDay(pulledAt)
  return { retailerId, lastDay, lastPulledAt: pulledAt, versionId, client, dayCounts: [count] }
}

/** What two records of the same retailer are together; `known` may be missing. */
export function addPulls(
  known: RetailerPullsRow | undefined,
  added: RetailerPullsRow,
): RetailerPullsRow {
  if (!known) return added
  const last = added.lastPulledAt >= known.lastPulledAt ? added : known
  const days = Array.from({ length: COUNTED_DAYS }, (_, ago) => last.lastDay - ago)
  return { ...last, dayCounts: days.map((day) => countOn(known, day) + countOn(added, day)) }
}

const countOn = ({ lastDay, dayCounts }: RetailerPullsRow, day: number) =>
  dayCounts[lastDay - day] ?? 0

/** How many pulls there were on `firstDay` and later. */
export const countPullsSince = ({ lastDay, dayCounts }: RetailerPullsRow, firstDay: number) =>
  dayCounts.slice(0, Math.max(0, lastDay - firstDay + 1)).reduce((sum, count) => sum + count, 0)

/** On how many days of the last two weeks that it read at all a retailer has read. */
export const countReadDays = ({ dayCounts }: RetailerPullsRow) =>
  dayCounts.filter((count) => count > 0).length

import { DAY_MS } from '../../../../shared/durations'
import { toViewKey } from '../../../db/stored-json'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import { WHOLE_FILE } from '../../../domain/variant-spec'
import { loadRetailer } from '../retailers/retailers'
import { listRowCounts } from './row-counts.queries'

const SHOWN_MS = 30 * DAY_MS
/** As many as a chart can show. */
const MAX_POINTS = 120

/**
 * Returns how many rows the files of a retailer had in the last 30 days, oldest first: what it was shown then,
 * as far as that is still stored.
 */
export async function readRowCounts(deps: Deps, actor: Actor, retailerId: number) {
  const { id } = await loadRetailer(deps.db, actor, retailerId)
  const since = deps.clock.now() - SHOWN_MS
  const files = await listRowCounts(deps.db, id, { since, limit: MAX_POINTS })
  const whole = toViewKey(WHOLE_FILE)
  return files.toReversed().flatMap(({ downloadedAt, contentViewKey, versionRows, shownRows }) => {
    const rows = contentViewKey === whole ? versionRows : shownRows
    return rows === null ? [] : [{ at: toInstant(downloadedAt), rows }]
  })
}

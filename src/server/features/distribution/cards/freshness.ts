import { DAY_MS } from '../../../../shared/durations'
import type { CardFreshness } from '../../../../shared/schemas/directory'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import {
  countSyncsByDay,
  deleteCardDaysBefore,
  insertCardDays,
  listCountedDays,
  sumCardDays,
} from './cards.queries'

/** Days that are told. */
const TOLD_DAYS = 90
/** Runs are kept for so many days that are over: docs/rules.md#syncs. */
const KNOWN_DAYS = 29
const SUPPLIERS_AT_ONCE = 100

const toDay = (at: number) => Math.floor(at / DAY_MS)

/** Counts the syncs of all suppliers with a card on days that are over, once for each day. */
export async function countCardDays(deps: Deps, signal: AbortSignal): Promise<number> {
  let afterId = 0
  for (;;) {
    signal.throwIfAborted()
    const suppliers = await listCountedDays(deps.db, afterId, SUPPLIERS_AT_ONCE)
    for (const { supplierId, lastDay } of suppliers) {
      signal.throwIfAborted()
      await countDaysOf(deps, supplierId, lastDay)
    }
    const last = suppliers.at(-1)
    if (!last || suppliers.length < SUPPLIERS_AT_ONCE) break
    afterId = last.supplierId
  }
  const oldest = toDay(deps.clock.now()) - TOLD_DAYS
  return inTransaction(deps.db, (trx) => deleteCardDaysBefore(trx, oldest))
}

/** @param lastDay the last one that is counted; null: none is */
export async function countDaysOf(
  deps: Deps,
  supplierId: number,
  lastDay: number | null,
): Promise<void> {
  const toDayBefore = toDay(deps.clock.now()) - 1
  const oldest = toDayBefore - KNOWN_DAYS + 1
  const counts = await countSyncsByDay(deps.db, supplierId, {
    fromDay: Math.max(oldest, (lastDay ?? 0) + 1),
    toDay: toDayBefore,
  })
  const byDay = new Map(counts.map((one) => [one.day, one]))
  // Before its first sync a supplier could not be read.
  const first = lastDay === null ? Math.min(...byDay.keys()) : Math.max(oldest, lastDay + 1)
  const days = Array.from({ length: Math.max(0, toDayBefore - first + 1) }, (_, place) => {
    const day = first + place
    const { goodCount = 0, badCount = 0 } = byDay.get(day) ?? {}
    return { supplierId, day, goodCount, badCount }
  })
  await inTransaction(deps.db, (trx) => insertCardDays(trx, days))
}

/** What is told of how suppliers were read, by supplier; those of whom nothing is known are missing. */
export async function readFreshness(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  supplierIds: readonly number[],
): Promise<Map<number, CardFreshness>> {
  if (supplierIds.length === 0) return new Map()
  const sums = await sumCardDays(db, supplierIds, toDay(clock.now()) - TOLD_DAYS)
  return new Map(
    sums.map(({ supplierId, days, freshDays, goodCount, badCount }) => {
      const count = goodCount + badCount
      const goodShare = count === 0 ? 0 : Math.floor((100 * goodCount) / count)
      return [supplierId, { days, freshDays, goodShare }]
    }),
  )
}

import { foldName } from '../../../../shared/categories'
import { DAY_MS } from '../../../../shared/durations'
import { type ItemPoint, STOCK_DAYS } from '../../../../shared/schemas/item-history'
import type { ColumnEra } from '../../../db/stored-json'
import { toInstant } from '../../../domain/instant'
import type { ItemState } from '../../../files/history/history-records'
import type { ItemStep } from '../../../files/history/item-steps'

/** What somebody may see of an item. */
export type HistoryView = {
  /** Of a category by its hash: null when it is not known whether it may be seen. */
  sees(category: number): boolean | null
  /** Whether the values of a column may be told; null is no column. */
  showsQuantity(column: string | null): boolean
  showsPrice(column: string | null): boolean
}

export const WHOLE_VIEW: HistoryView = {
  sees: () => true,
  showsQuantity: () => true,
  showsPrice: () => true,
}

/** A point with its time in Unix seconds. */
export type ToldPoint = Omit<ItemPoint, 'at'> & { time: number }

/** What of an item's steps may be told. Says nothing twice. */
export function tellSteps(
  steps: readonly ItemStep[],
  eras: readonly ColumnEra[],
  view: HistoryView,
): ToldPoint[] {
  const points: ToldPoint[] = []
  for (const { time, state } of splitAtEras(steps, eras)) {
    const era = eraAt(eras, time)
    const told = tell(state, era, view)
    const last = points.at(-1)
    const isSame =
      last?.state === told.state && last.quantity === told.quantity && last.price === told.price
    if (!isSame) points.push({ time, ...told })
  }
  return points
}

function tell(
  { category, quantity, price }: ItemState,
  era: ColumnEra | undefined,
  view: HistoryView,
): Omit<ToldPoint, 'time'> {
  const sees = category !== null && view.sees(category)
  if (!sees) return { state: sees === null ? 'untold' : 'out', quantity: null, price: null }
  return {
    state: 'in',
    quantity: view.showsQuantity(era?.quantity ?? null) ? quantity : null,
    price: view.showsPrice(era?.price ?? null) ? price : null,
  }
}

const startOf = ({ since }: ColumnEra) => Math.floor(since / 1_000)

/** Of which columns the values were at a time. */
export const eraAt = (eras: readonly ColumnEra[], time: number): ColumnEra | undefined =>
  eras.findLast((era) => startOf(era) <= time) ?? eras[0]

/** Where values become those of another column, they may be told from there on, though they are the same. */
function splitAtEras(steps: readonly ItemStep[], eras: readonly ColumnEra[]): ItemStep[] {
  const [first] = steps
  if (!first) return []
  const starts = eras.map(startOf).filter((time) => time > first.time)
  const split = starts.flatMap((time) => {
    const known = steps.findLast((step) => step.time <= time)
    return known && known.time < time ? [{ ...known, time }] : []
  })
  return [...steps, ...split].toSorted((one, other) => one.time - other.time)
}

/** Whether two columns have the same name, or neither is there. */
export const isSameName = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : foldName(one) === foldName(other)

/** Of the last days those of which something is known, and how many of them ended without stock or without the item. */
export function countDays(points: readonly ToldPoint[], now: number) {
  const counts = { knownDays: 0, daysOutOfStock: 0, daysNotInFile: 0 }
  const firstSeen = points.find(({ state }) => state === 'in')
  if (!firstSeen) return counts
  const today = Math.floor(now / DAY_MS)
  for (let day = today - STOCK_DAYS + 1; day <= today; day++) {
    const end = Math.min((day + 1) * DAY_MS - 1, now) / 1_000
    if (end < firstSeen.time) continue
    const point = points.findLast(({ time }) => time <= end)
    if (!point || point.state === 'untold') continue
    counts.knownDays++
    if (point.state === 'out') counts.daysNotInFile++
    else if (point.quantity !== null && point.quantity <= 0) counts.daysOutOfStock++
  }
  return counts
}

export const toPoint = ({ time, ...told }: ToldPoint): ItemPoint => ({
  at: toInstant(time * 1_000),
  ...told,
})

import { dayOf } from './fold-history'
import { ABSENT, isSameState, type HistoryRecord, type ItemState } from './history-records'

/** What a history has of an item. */
export interface ItemRecords {
  state: HistoryRecord | undefined
  /** Both by time. */
  changes: readonly HistoryRecord[]
  past: readonly HistoryRecord[]
}

/** From `time` on, in Unix seconds, until the next step. */
export type ItemStep = { time: number; state: ItemState }

/** When an item was first in the file, in Unix seconds; undefined for one that never was. */
export const firstSeenOf = ({ state, changes }: ItemRecords): number | undefined =>
  state?.time ?? changes.find(({ category }) => category !== null)?.time

/**
 * What an item was, from the beginning of its history on.
 * @param began Unix seconds: what was before is not known
 */
export function listSteps({ state, changes, past }: ItemRecords, began: number): ItemStep[] {
  const folded: ItemState = !state || state.category === null ? ABSENT : state
  const known = past.filter(({ time }) => time > began)
  const steps: ItemStep[] = [{ time: began, state: stateOf(known[0] ?? folded) }]
  for (const [index, { time }] of known.entries()) {
    steps.push({ time, state: stateOf(known[index + 1] ?? folded) })
  }
  for (const change of changes) steps.push({ time: change.time, state: stateOf(change) })
  return steps
}

const stateOf = ({ category, quantity, price }: ItemState): ItemState =>
  category === null ? ABSENT : { category, quantity, price }

/**
 * The steps as they are told: one value a day of UTC, that at its end, for what is older than `detailFrom`, and nothing
 * that says the same as before. The first one stays where it is.
 */
export function thinSteps(steps: readonly ItemStep[], detailFrom: number): ItemStep[] {
  const told: ItemStep[] = []
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]
    const isOutdone =
      index > 0 &&
      next !== undefined &&
      next.time < detailFrom &&
      dayOf(next.time) === dayOf(step.time)
    const last = told.at(-1)
    if (isOutdone || (last && isSameState(last.state, step.state))) continue
    told.push(step)
  }
  return told
}

/** Leaves out what was after `until`, and has what was before `from` begin then. Both in Unix seconds. */
export function clipSteps(
  steps: readonly ItemStep[],
  { from, until }: { from: number; until: number },
): ItemStep[] {
  const before = steps.findLast(({ time }) => time <= from)
  const later = steps.filter(({ time }) => time > from && time <= until)
  return before ? [{ ...before, time: from }, ...later] : later
}

/** The number of items sorted without yielding, which takes a millisecond or two. */
const SLICE = 256
/** The cost of comparing two long names, in the unit of `createYielder`: bytes of plain reading. */
const COST_PER_COMPARISON = 128

/** Sorts like `toSorted`, but yields to the event loop: a merge sort of slices. Stable. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  yieldToEventLoop: (bytes: number) => Promise<void>,
): Promise<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += SLICE) {
    const slice = items.slice(at, at + SLICE)
    await yieldToEventLoop(slice.length * COST_PER_COMPARISON)
    runs.push(slice.toSorted(compare))
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let pair = 0; pair < runs.length; pair += 2) {
      merged.push(await merge(runs[pair] ?? [], runs[pair + 1] ?? [], compare, yieldToEventLoop))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(
  left: T[],
  right: T[],
  compare: (a: T, b: T) => number,
  yieldToEventLoop: (bytes: number) => Promise<void>,
): Promise<T[]> {
  const merged: T[] = []
  let [a, b] = [0, 0]
  while (a < left.length && b < right.length) {
    // Of equal items the left comes first, which keeps the sort stable.
    merged.push(compare(left[a] as T, right[b] as T) <= 0 ? (left[a++] as T) : (right[b++] as T))
    if (merged.length % SLICE === 0) await yieldToEventLoop(SLICE * COST_PER_COMPARISON)
  }
  return [...merged, ...left.slice(a), ...right.slice(b)]
}

/**
 * Calls `work` for each item, at most `limit` at a time, and returns the results in the order of the items. After
 * a failure no other item is begun, and those that were begun are waited for: nothing goes on after the end.
 * @throws the first failure
 */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failures: unknown[] = []
  // All take their next item from the same iterator.
  const left = items.entries()
  const takeNext = async () => {
    for (const [index, item] of left) {
      if (failures.length > 0) return
      try {
        results[index] = await work(item, index)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, takeNext))
  if (failures.length > 0) throw failures[0]
  return results
}

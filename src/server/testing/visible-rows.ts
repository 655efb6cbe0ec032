import type { CategoryCount, CategoryReading } from '../../shared/schemas/file'
import { buildCategoryIndex } from '../features/versions/category-index'

/** How many rows the product says that a retailer with these categories sees. */
export async function countVisibleRows(
  counts: readonly CategoryCount[],
  categories: readonly string[],
  reading: CategoryReading,
): Promise<number> {
  const index = await buildCategoryIndex(counts, reading)
  return index.countRows(categories.flatMap((category) => index.find(category) ?? []))
}

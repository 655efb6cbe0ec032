import type { CategoryCount, CategoryReading } from '../../shared/schemas/file'
import { buildCategoryIndex } from '../features/catalogue/versions/category-index'

/** The number of visible rows that the product shows for a retailer with these categories. */
export async function countVisibleRows(
  counts: readonly CategoryCount[],
  categories: readonly string[],
  reading: CategoryReading,
): Promise<number> {
  const index = await buildCategoryIndex(counts, reading)
  return index.countRows(categories.flatMap((category) => index.find(category) ?? []))
}

import { isDeepStrictEqual } from 'node:util'

import type { RetailerRow } from '../../../db/schema'

type Seen = Pick<RetailerRow, 'isAllProducts' | 'categories' | 'priceRules'>

/** Whether links to files of before a change must end: somebody sees fewer rows since, or other prices. */
export function mustEndLinks(before: Seen, changes: Partial<Seen>): boolean {
  const { priceRules } = changes
  if (priceRules !== undefined && !isDeepStrictEqual(before.priceRules, priceRules)) return true
  return seesLess(before, changes)
}

function seesLess(before: Seen, changes: Partial<Seen>): boolean {
  const { isAllProducts, categories } = { ...before, ...changes }
  if (isAllProducts) return false
  return before.isAllProducts || before.categories.some((name) => !categories.includes(name))
}

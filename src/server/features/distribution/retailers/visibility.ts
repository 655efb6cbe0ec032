type Visibility = { isAllProducts: boolean; categories: string[] }

/** Whether somebody sees fewer rows after a change. */
export function seesLess(before: Visibility, changes: Partial<Visibility>): boolean {
  const { isAllProducts, categories } = { ...before, ...changes }
  if (isAllProducts) return false
  return before.isAllProducts || before.categories.some((name) => !categories.includes(name))
}

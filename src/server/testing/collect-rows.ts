/** Reads all pages of an unpaged list into one array. */
export async function collectRows<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

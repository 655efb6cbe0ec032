/** The address of the export of a list, as it is searched, filtered and sorted: of all its pages. */
export function toExportHref(path: string, filter: Record<string, unknown>): string {
  const given = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && value !== '' && name !== 'page' && name !== 'size',
  )
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${path}${query && `?${query}`}`
}

const MIN_PX = 72
const MAX_PX = 280
const CHARACTER_PX = 7.4
const PADDING_PX = 28
const SAMPLE_ROWS = 40

/** A width for each column that fits most of its cells, so that columns stay put while scrolling. */
export function measureColumns(columns: readonly string[], rows: readonly string[][]): number[] {
  return columns.map((name, index) => {
    let longest = name.length * 1.05
    for (const row of rows.slice(0, SAMPLE_ROWS)) {
      longest = Math.max(longest, row[index]?.length ?? 0)
    }
    return Math.round(Math.min(MAX_PX, Math.max(MIN_PX, longest * CHARACTER_PX + PADDING_PX)))
  })
}

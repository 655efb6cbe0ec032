/** How wide a column is at least, and how wide it would like to be. */
export interface ColumnWidth {
  widthPx: number
  wantedPx: number
}

const MIN_PX = 72
/** Long texts are cut here, unless the table has room to spare. */
const MAX_PX = 280
/** The padding of a cell, and a little for fonts that run wider than this one. */
const SLACK_PX = 24 + 10
const SAMPLE_ROWS = 40

/** Widths of Inter at 13 px, by kind of character; the first kind that fits counts. */
const CHARACTER_WIDTHS: [RegExp, number][] = [
  [/[\d+=<>~$€£#_]/u, 8.4],
  [/[iljtfrI1.,:;'|!()[\]/\\ -]/u, 4.8],
  [/[mwMW@%&]/u, 12],
  [/\p{Lu}/u, 9.2],
  [/[\u2E80-\uFFFF\u{1F000}-\u{1FAFF}]/u, 14],
]
const OTHER_PX = 7.6

function estimateTextPx(text: string): number {
  let widthPx = 0
  for (const character of text) {
    widthPx += CHARACTER_WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? OTHER_PX
    // What is cut anyway need not be measured to its end.
    if (widthPx > MAX_PX * 4) break
  }
  return widthPx
}

/** A width for each column that fits most of its cells, so that columns stay put while scrolling. */
export function measureColumns(
  columns: readonly string[],
  rows: readonly string[][],
): ColumnWidth[] {
  return columns.map((name, index) => {
    const cells = rows.slice(0, SAMPLE_ROWS).map((row) => row[index] ?? '')
    const textPx = Math.max(...[name, ...cells].map(estimateTextPx))
    const wantedPx = Math.max(MIN_PX, Math.ceil(textPx + SLACK_PX))
    return { widthPx: Math.min(MAX_PX, wantedPx), wantedPx }
  })
}

/**
 * The widths that fill `availablePx`: room to spare goes to columns that are cut first, then to all
 * of them by their width. Without room they keep their widths, and the table scrolls.
 */
export function fillWidth(columns: readonly ColumnWidth[], availablePx: number): number[] {
  const wanting = columns.map(({ widthPx, wantedPx }) => wantedPx - widthPx)
  const sparePx = Math.max(0, availablePx - sum(columns.map(({ widthPx }) => widthPx)))
  const lackPx = sum(wanting)
  const share = lackPx > 0 ? Math.min(1, sparePx / lackPx) : 0
  const fed = columns.map(({ widthPx }, index) => widthPx + (wanting[index] ?? 0) * share)
  const stretch = Math.max(1, availablePx / Math.max(1, sum(fed)))
  return fed.map((widthPx) => Math.floor(widthPx * stretch))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

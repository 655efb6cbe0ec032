/** A column's minimum width, and the width that would fit its text. */
export interface ColumnWidth {
  widthPx: number
  wantedPx: number
}

const MIN_PX = 72
/** Maximum width of a column, unless the table has spare space. */
const MAX_PX = 280
/** Cell padding, plus a margin for wider fallback fonts. */
const SLACK_PX = 24 + 10
const SAMPLE_ROWS = 40

/** Character widths of Inter at 13 px by class; the first matching class applies. */
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
    widthPx +=
      CHARACTER_WIDTHS.find(([characterClass]) => characterClass.test(character))?.[1] ?? OTHER_PX
    // The column is capped anyway, so the rest need not be measured.
    if (widthPx > MAX_PX * 4) break
  }
  return widthPx
}

/** Estimates widths from the first rows, so that columns do not resize while scrolling. */
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
 * Distributes `availablePx`: spare space goes to capped columns first, then to all columns in
 * proportion to their width. Without spare space the widths are kept and the table scrolls.
 */
export function fillWidth(columns: readonly ColumnWidth[], availablePx: number): number[] {
  const deficits = columns.map(({ widthPx, wantedPx }) => wantedPx - widthPx)
  const sparePx = Math.max(0, availablePx - sum(columns.map(({ widthPx }) => widthPx)))
  const deficitPx = sum(deficits)
  const share = deficitPx > 0 ? Math.min(1, sparePx / deficitPx) : 0
  const filled = columns.map(({ widthPx }, index) => widthPx + (deficits[index] ?? 0) * share)
  const stretch = Math.max(1, availablePx / Math.max(1, sum(filled)))
  return filled.map((widthPx) => Math.floor(widthPx * stretch))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

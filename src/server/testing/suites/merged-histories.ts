import { isDeepStrictEqual } from 'node:util'

import type { MergedHistory } from '../fixtures/merged-histories'
import type { openMergedStage } from '../stages/merged-stage'

/** Merges the parts of each step; returns what is another result than was expected. */
export async function replayMerges(
  stage: Awaited<ReturnType<typeof openMergedStage>>,
  { rules, stockTexts, suppliers, files, steps }: MergedHistory,
): Promise<string[]> {
  const wrong: string[] = []
  for (const [number, { parts, matching, merged }] of steps.entries()) {
    if (!merged) continue
    const given = parts.map(({ supplier: place, file, isStale }) => {
      const { name: supplier, ...known } = suppliers[place]!
      return { ...known, supplier, stockTexts, csv: files[file] ?? '', isStale }
    })
    const { maxAgeHours: _, ...chosen } = rules
    const { columns, rows, unmatched } = await stage.merge(given, chosen, matching)
    const compare = (what: string, found: unknown, expected: unknown) => {
      if (!isDeepStrictEqual(found, expected)) {
        wrong.push(`${number}, ${what}: ${JSON.stringify({ found, expected })}`)
      }
    }
    compare('columns', columns, merged.columns)
    compare('rows', byText(rows), byText(merged.rows))
    compare('unmatched', byText(unmatched), byText(merged.unmatched))
  }
  return wrong
}

const byText = (rows: string[][]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

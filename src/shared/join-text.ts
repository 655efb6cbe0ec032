import { formatCount, formatCountOf } from './format'
import type { JoinCounts } from './schemas/overlay'

/** `8,412 rows joined with the second address; 12 only in the file, kept; 3 only at the second address, left out`. */
export function describeJoin({ joined, onlyInFile, onlyInOverlay }: JoinCounts): string {
  const parts = [
    `${formatCountOf(joined, 'row')} joined with the second address`,
    ...describeLone(onlyInFile, 'in the file'),
    ...describeLone(onlyInOverlay, 'at the second address'),
  ]
  return parts.join('; ')
}

function describeLone({ rows, isKept }: JoinCounts['onlyInFile'], where: string): string[] {
  return rows > 0 ? [`${formatCount(rows)} only ${where}, ${isKept ? 'kept' : 'left out'}`] : []
}

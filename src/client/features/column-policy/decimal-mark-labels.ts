import type { DecimalMark } from '../../../shared/schemas/column-numbers'

export const DECIMAL_MARK_LABELS: Record<DecimalMark | 'automatic', string> = {
  automatic: 'Automatic',
  comma: 'Comma',
  point: 'Point',
}

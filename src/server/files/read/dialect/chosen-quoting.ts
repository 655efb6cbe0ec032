import type { QuotingStyle } from '../../../../shared/reading'
import { QUOTINGS, type Quoting } from '../scan/scan'

const MODES: Record<QuotingStyle, readonly Quoting[]> = {
  double: ['strict', 'spaced', 'relaxed'],
  backslash: ['escaped'],
  single: ['single'],
  none: ['none', 'backslashed'],
}

/** The modes that a chosen style allows, in the order in which they are tried; null allows all. */
export function quotingsFor(style: QuotingStyle | null): readonly Quoting[] {
  return style === null ? QUOTINGS : MODES[style]
}

/** The style that a mode belongs to. */
export function styleOf(quoting: Quoting): QuotingStyle {
  if (quoting === 'backslashed') return 'none'
  if (quoting === 'none' || quoting === 'single') return quoting
  return quoting === 'escaped' ? 'backslash' : 'double'
}

/** Whether quotes enclose cells in a mode. */
export function enclosesCells(quoting: Quoting): boolean {
  return styleOf(quoting) !== 'none'
}

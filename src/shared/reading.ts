/** How cells are enclosed, as suppliers choose it. */
export const QUOTING_STYLES = ['double', 'backslash', 'single', 'none'] as const
export type QuotingStyle = (typeof QUOTING_STYLES)[number]

export const QUOTING_LABELS: Record<QuotingStyle, string> = {
  double: 'Double quotes',
  backslash: 'Double quotes with backslashes',
  single: 'Single quotes',
  none: 'None',
}

/** More lines than any title or comment above a table has. */
export const MAX_SKIPPED_LINES = 100

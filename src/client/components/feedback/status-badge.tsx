import type { ReactNode } from 'react'

import classes from './status-badge.module.css'

export type StatusTone = 'good' | 'warn' | 'bad' | 'busy' | 'neutral'

interface StatusBadgeProps {
  tone: StatusTone
  children: ReactNode
}

/** A status in words; the dot's colour and shape only repeat it. */
export function StatusBadge({ tone, children }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  )
}
